// What follows from the scores of judged turns. No element is touched here, so that it can be tried without a browser.

/** The ways a turn can go, in the order in which they are drawn, from the bottom up. */
export const KINDS = ["kept", "admitted", "passed", "vetoed"];

export const KIND_WORDS = {
  kept: "kept by its score",
  admitted: "kept for a named reason, whatever its score",
  passed: "not kept: its score is too low",
  vetoed: "refused for a named reason, whatever its score",
};

/** What would become of a turn if `t` were the threshold: vetoes stay out, named admissions stay in. */
export function kindOf(turn, t) {
  if (turn.veto) return "vetoed";
  if (turn.admission) return "admitted";
  return turn.score >= t ? "kept" : "passed";
}

export const isKept = (turn, t) => ["kept", "admitted"].includes(kindOf(turn, t));

/** How many of each kind there would be. */
export function counts(turns, t) {
  const told = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
  for (const turn of turns) told[kindOf(turn, t)] += 1;
  return told;
}

/** What would be kept at `t`, and which turns would go another way than they went. */
export function recount(turns, t) {
  const nearest = (one, other) => Math.abs(one.score - t) - Math.abs(other.score - t);
  const kept = turns.filter((turn) => isKept(turn, t)).length;
  const gained = turns.filter((turn) => !turn.isAdmitted && isKept(turn, t)).sort(nearest);
  const lost = turns.filter((turn) => turn.isAdmitted && !isKept(turn, t)).sort(nearest);
  return { kept, gained, lost };
}

/** Equal bins over [0, 1]; what lies outside counts in the nearest, what is no number nowhere. */
export function bins(turns, { size = 50, t }) {
  const made = Array.from({ length: size }, (_, place) => ({
    low: place / size, high: (place + 1) / size, turns: Object.fromEntries(KINDS.map((kind) => [kind, []])), total: 0,
  }));
  for (const turn of turns) {
    if (!Number.isFinite(turn.score)) continue;
    const bin = made[Math.min(Math.floor(Math.min(Math.max(turn.score, 0), 1) * size), size - 1)];
    bin.turns[kindOf(turn, t)].push(turn);
    bin.total += 1;
  }
  return made;
}

/** What is drawn of a bin, from the bottom up: each turn by itself where there is room, else one piece of each kind. */
export function pieces(bin, { isEach }) {
  return KINDS.flatMap((kind) => {
    const turns = bin.turns[kind];
    if (!turns.length) return [];
    return isEach ? turns.map((turn) => ({ kind, amount: 1, turn })) : [{ kind, amount: turns.length, turn: null }];
  });
}

/** What an answer changed about the threshold that answers suggest, in words. */
export function calibrationChange(before, after) {
  const said = `${after.labels} ${after.labels === 1 ? "answer" : "answers"}, ${after.useful} useful (before: ${before.labels}, ${before.useful} useful).`;
  const [old, fresh] = [before.calibration.threshold, after.calibration.threshold];
  if (fresh === undefined || fresh === null) return `${said} No threshold is suggested yet: ${after.calibration.note}.`;
  if (old === undefined || old === null) return `${said} A threshold is suggested now: ${fresh.toFixed(2)}.`;
  return old === fresh ? `${said} The suggested threshold stays ${fresh.toFixed(2)}.` : `${said} The suggested threshold moved from ${old.toFixed(2)} to ${fresh.toFixed(2)}.`;
}

/** The account of a verdict in one sentence, as the engine would tell it of a turn. */
export function verdictWords(verdict) {
  const against = `score ${verdict.score.toFixed(2)}, threshold ${verdict.threshold.toFixed(2)}`;
  switch (kindOf(verdict, verdict.threshold)) {
    case "vetoed": return `Would not be kept: ${verdict.veto} (${against}).`;
    case "admitted": return `Would be kept: ${verdict.admission} (${against}).`;
    case "kept": return `Would be kept: its score ${verdict.score.toFixed(2)} reaches ${verdict.threshold.toFixed(2)}.`;
    default: return `Would not be kept: its score ${verdict.score.toFixed(2)} is below ${verdict.threshold.toFixed(2)}.`;
  }
}

const told = (cell) => String(cell).replaceAll("|", "\\|").replaceAll("\n", " ");

/** The view as Markdown: the account, and the newest turns. */
export function markdown({ threshold, scores }, account) {
  const lines = [`# Gate of ${account.namespace}`, "", `Threshold ${threshold}. ${account.report.judged} turns judged, ${account.report.admitted} kept.`, ""];
  for (const [veto, times] of account.report.vetoes) lines.push(`- refused as "${veto}": ${times}`);
  lines.push("", account.calibration.note, "", "| score | what became of it | text |", "|---|---|---|");
  for (const turn of scores) lines.push(`| ${turn.score.toFixed(2)} | ${told(turn.veto || turn.admission || (turn.isAdmitted ? "kept" : "not kept"))} | ${told(turn.text)} |`);
  return lines.join("\n");
}
