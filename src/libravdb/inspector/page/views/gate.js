// What the gate decided and why, what another threshold would do, and what people's answers say about it.

import { el, fill, said } from "../dom.js";
import { badge, bar, button, count, empty, failed, field, head, moment, number, plural, save, table, when, work } from "../parts.js";
import { chart, chartKey, spread } from "./gate_chart.js";
import { KINDS, KIND_WORDS, bins, kindOf, markdown, recount } from "./gate_scores.js";
import { tryText } from "./gate_try.js";
import { brief } from "./memory_facts.js";
import { steadyList } from "./steady_list.js";
import { usefulness } from "./usefulness.js";

const MOST = 2000;
const AT_ONCE = 25;

const VETOES = {
  echo: "it only gave back what a prompt had shown",
  "secret only": "nothing but a secret was said",
  "boot text": "words by which a host starts or keeps a session",
  "tool noise": "progress, listings or routine log lines",
  "restated rule": "a rule says the same already",
  "no substance": "nothing in it lasts: thanks, questions, errands",
};
const MEASURES = { G: "the score", T: "how technical", Gconv: "as conversation", Gtech: "as technical work" };

export default { id: "gate", title: "Gate", open };

async function open(room, ctx) {
  const state = { scores: null, account: null, t: null };
  const places = { scores: el("section.card.scores", { "aria-label": "Scores" }), account: el("section.card", { "aria-label": "So far" }) };
  const worth = worthKeeping(ctx, (account) => { state.account = account; fill(places.account, accountOf(account)); });
  const outdated = madeOutdated(ctx);
  fill(room,
    head("Gate", "Decides what is kept for good of all that is said. What it does not keep is not lost: it stays in its session and in the history.",
      ...save(`gate-${ctx.namespace}`, { json: () => ({ ...state.scores, account: state.account }), markdown: () => markdown(state.scores, state.account) })),
    places.scores);
  places.scores.addEventListener("focusout", (event) => { if (state.isStale && !places.scores.contains(event.relatedTarget)) drawScores(places.scores, state, ctx); });
  await load(); // what stands below is put there afterwards: nothing moves
  room.append(tryText(ctx, { judged: () => state.scores?.scores ?? [] }), places.account, el("div.columns", {}, worth.node, outdated.node));
  return { changed: async () => { await load(); await Promise.all([worth.renew(), outdated.renew()]); } };

  async function load() {
    try {
      const [scores, account] = await Promise.all([ctx.call("gate_scores", { limit: MOST }), ctx.call("gate_report")]);
      const isSame = state.scores && JSON.stringify([scores, account]) === JSON.stringify([state.scores, state.account]);
      if (isSame) return;
      Object.assign(state, { scores, account, t: state.t ?? scores.threshold });
      fill(places.account, accountOf(account));
      if (places.scores.contains(document.activeElement)) state.isStale = true; // nothing is taken out of somebody's hand
      else drawScores(places.scores, state, ctx);
    } catch (error) {
      fill(places.scores, failed(error));
    }
  }
}

/* ── the scores, and another threshold ── */

function drawScores(place, state, ctx) {
  state.isStale = false;
  const { threshold, scores } = state.scores;
  if (!scores.length) {
    fill(place, el("h3", {}, "Scores"), empty("Nothing was judged so far.", "What a user says is judged when it comes in. Try it below, or with ", el("code", {}, "libravdb ingest --role user \"I live in Graz.\"")));
    return;
  }
  const drawn = el("div");
  const told = el("div.recounted", { "aria-live": "polite" });
  const slider = el("input.threshold", { type: "range", min: "0", max: "1", step: "0.01", value: String(state.t), "aria-label": "Threshold to try", oninput: () => draw(Number(slider.value)) });
  const exact = el("input", { type: "number", min: "0", max: "1", step: "0.01", value: number(state.t), onchange: () => { if (exact.value !== "" && exact.checkValidity()) draw(Number(exact.value)); } });
  const back = button("Back to today's", () => { draw(threshold); slider.focus(); });
  fill(place, el("h3", {}, "What was judged, by its score"),
    el("p.soft", {}, `Each piece is something that was said${scores.length >= MOST ? ` (the newest ${count(MOST)})` : ""}. From the line on to the right it is kept by its score; some is kept or refused for a named reason, wherever it stands. Move the slider to see what another threshold would have kept.`),
    drawn, slider, el("div.row", {}, field("Threshold to try", exact), back), told, behind(scores, state, ctx));
  draw(state.t);

  function draw(t) {
    state.t = t;
    slider.value = String(t);
    slider.setAttribute("aria-valuetext", `${number(t)}`);
    exact.value = number(t);
    back.disabled = t === threshold;
    fill(drawn, chart(scores, { threshold, t }), chartKey(scores, t));
    fill(told, recounted(scores, { t, threshold, ctx }));
  }
}

function recounted(scores, { t, threshold, ctx }) {
  const { kept, gained, lost } = recount(scores, t);
  const same = !gained.length && !lost.length;
  return [
    el("p", {}, `At ${number(t)}, `, el("b", {}, `${count(kept)} of ${plural(scores.length, "turn")}`), " would be kept: ",
      same ? "exactly those that were." : [gained.length ? `${count(gained.length)} more` : "", gained.length && lost.length ? ", " : "", lost.length ? `${count(lost.length)} fewer` : "", " than were."].join("")),
    el("div.columns", {}, changes("Would be kept as well", gained, ctx), changes("Would no longer be kept", lost, ctx)),
    t === threshold ? "" : el("p.soft.small", {}, "To use it, write ", el("code", {}, `threshold = ${number(t)}`), " under ", el("code", {}, "[gate]"), " in the configuration and start the daemon anew. What was judged before stays as it is."),
  ];
}

function changes(title, turns, ctx) {
  if (!turns.length) return "";
  const list = el("ul.list");
  const more = el("div");
  let shown = 0;
  next();
  return el("div", {}, el("h4", {}, `${title} (${count(turns.length)})`), list, more);
  function next() {
    list.append(...turns.slice(shown, shown + 10).map((turn) => el("li", {}, el("b.num", {}, number(turn.score)), " ", turnText(turn, ctx))));
    shown += 10;
    fill(more, shown < turns.length ? button(`Show more (${count(turns.length - shown)})`, next, { kind: "bare" }) : "");
  }
}

const turnText = (turn, ctx) => [said(turn.text), " ", el("a.small", { href: ctx.link("memory", { id: turn.id }), "aria-label": `Open what was said on ${moment(turn.at)}` }, "open")];

/** The same in numbers, for who reads rather than looks. */
function behind(scores, state, ctx) {
  const node = el("details.behind", { ontoggle: () => { if (node.open && node.childElementCount === 1) node.append(...inside()); } }, el("summary", {}, "The same as tables"));
  return node;
  function inside() {
    const rows = bins(scores, { size: 20, t: state.scores.threshold }).filter((bin) => bin.total);
    const turns = el("div");
    const which = el("select", { onchange: () => list() }, el("option", { value: "" }, "all"), KINDS.map((kind) => el("option", { value: kind }, KIND_WORDS[kind])));
    list();
    return [
      table([{ title: "Score" }, ...KINDS.map((kind) => ({ title: KIND_WORDS[kind], isNumber: true }))],
        rows.map((bin) => [`${number(bin.low)} to ${number(bin.high)}`, ...KINDS.map((kind) => count(bin.turns[kind].length))]), { caption: "Turns by score at today's threshold" }),
      el("div.row", {}, field("Show", which)), turns,
    ];
    function list(most = AT_ONCE) {
      const chosen = scores.filter((turn) => !which.value || kindOf(turn, state.scores.threshold) === which.value);
      fill(turns, table([{ title: "Score", isNumber: true }, { title: "What became of it" }, { title: "What was said" }, { title: "When" }],
        chosen.slice(0, most).map((turn) => [number(turn.score), becameOf(turn), turnText(turn, ctx), when(turn.at)]), { caption: `Judged turns, newest first: ${count(Math.min(most, chosen.length))} of ${count(chosen.length)}` }),
      most < chosen.length ? el("div.more", {}, button("Show more", () => list(most + AT_ONCE * 2))) : "");
    }
  }
}

const becameOf = (turn) => (turn.veto ? [badge("vetoed", "warn"), ` ${turn.veto}`] : turn.isAdmitted ? [badge("kept", "good"), " ", said(turn.admission)] : badge("not kept"));

/* ── the account so far ── */

function accountOf(account) {
  const { report, calibration } = account;
  const share = report.judged ? Math.round((report.admitted / report.judged) * 100) : 0;
  const refused = report.vetoes.reduce((sum, [, times]) => sum + times, 0);
  return [
    el("h3", {}, "So far"),
    report.judged ? el("p", {}, el("b", {}, `${share} %`), ` of ${plural(report.judged, "turn")} were kept (${count(report.admitted)}).`) : el("p.soft", {}, "Nothing was judged so far."),
    report.judged ? bar([{ label: "kept", value: report.admitted, kind: "c3" }, { label: "below the threshold", value: report.belowThreshold, kind: "c7" }, { label: "refused by name", value: refused, kind: "c4" }], { label: "What became of judged turns:" }) : "",
    el("div.columns", {},
      el("div", {}, el("h4", {}, "Refused, and why"), report.vetoes.length
        ? el("ul", {}, report.vetoes.map(([veto, times]) => el("li", {}, el("b.num", {}, count(times)), " ", badge(veto, "warn"), " ", el("span.soft", {}, VETOES[veto] ?? ""))))
        : el("p.soft", {}, "Nothing was refused by name."),
        !report.judged ? "" : [el("h4", {}, "How the measures spread"), el("div.spreads", {}, report.distributions.map((each) => el("div", {}, el("div.small", {}, el("code", {}, each.name), ` ${MEASURES[each.name] ?? ""}, mean `, el("b.num", {}, number(each.mean))), spread(each))))]),
      el("div", {}, el("h4", {}, "What answers say about the threshold"), calibrated(account, calibration))),
  ];
}

function calibrated(account, calibration) {
  const suggested = calibration.threshold ?? null;
  return [
    el("p", {}, `${plural(account.labels, "answer")}, ${count(account.useful)} useful. Today's threshold is `, el("b.num", {}, number(account.threshold)), suggested === null ? "." : [". Suggested: ", el("b.num", {}, number(suggested)), "."]),
    el("p.soft", {}, calibration.note),
    calibration.steps.length ? table([{ title: "From score", isNumber: true }, { title: "Were useful", isNumber: true }, { title: "Answers", isNumber: true }],
      calibration.steps.map((step) => [number(step.score), `${Math.round(step.chance * 100)} %`, count(step.labels)]), { caption: "How often memories of a score were useful" })
      : el("p.soft.small", {}, "Say of some memories below whether they were worth keeping."),
  ];
}

/* ── answers, and what was made outdated ── */

function worthKeeping(ctx, answered) {
  const words = el("p.small", { role: "status" });
  const list = steadyList({
    label: "Kept memories",
    size: 10,
    load: async (after, limit) => {
      const page = await ctx.call("list_memories", { where: { conditions: [{ key: "gating_score", operator: "$exists", value: true }] }, limit, after });
      return { items: page.records, next: page.next ?? null };
    },
    show: (record) => el("div.small-row", { "data-id": record.id },
      el("div", {}, el("b.num", {}, number(record.metadata.gating_score)), " ", said(brief(record.text)), " ", el("a.small", { href: ctx.link("memory", { id: record.id }), "aria-label": `Open the memory of ${moment(record.at)}` }, "open")),
      ctx.canWrite ? usefulness(record, ctx, (account, told) => { fill(words, told); answered(account); }) : answerOf(record)),
    nothing: () => empty("The gate has kept nothing so far.", "What it keeps is asked about here."),
  });
  return { node: el("section.card", { "aria-label": "Was it worth keeping?" }, el("h3", {}, "Was it worth keeping?"), el("p.soft", {}, "From 20 answers of both kinds on, a threshold is suggested that fits this person."), words, list.node), renew: list.renew };
}

const answerOf = (record) => (record.metadata.useful === true ? badge("useful", "good") : record.metadata.useful === false ? badge("not useful", "warn") : "");

function madeOutdated(ctx) {
  const list = steadyList({
    label: "Outdated memories",
    size: 10,
    load: async (after, limit) => {
      const page = await ctx.call("list_memories", { where: { conditions: [{ key: "superseded_by", operator: "$exists", value: true }] }, limit, after });
      const newer = await Promise.all(page.records.map((record) => ctx.call("find_memory", { id: record.metadata.superseded_by })));
      return { items: page.records.map((record, place) => ({ record, newer: newer[place].records[0] ?? null })), next: page.next ?? null };
    },
    show: ({ record, newer }) => el("div.small-row", { "data-id": record.id },
      el("div", {}, el("span.outdated", {}, said(brief(record.text))), el("div.small", {}, el("span.soft", {}, "replaced by "), newer ? said(brief(newer.text)) : record.metadata.superseded_by, " ", el("a", { href: ctx.link("memory", { id: record.id }), "aria-label": `Open the memory of ${moment(record.at)}` }, "open"))),
      ctx.canWrite ? work("Restore", async () => {
        const by = record.metadata.superseded_by;
        await ctx.call("restore_memory", { id: record.id });
        ctx.toast("Both count again.", { undo: async () => { await ctx.call("supersede_memory", { id: record.id, by }).catch((error) => ctx.toast(error.message, { kind: "bad", remedy: error.remedy })); await list.renew(); } });
        await list.renew();
      }, { toast: ctx.toast, title: "Both are true: let the older one count again" }) : ""),
    nothing: () => empty("Nothing was made outdated.", "When somebody tells of a new home or job, the old one is marked here, never deleted."),
  });
  return { node: el("section.card", { "aria-label": "Made outdated" }, el("h3", {}, "Made outdated"), el("p.soft", {}, "Newer words took their place. If both are true, restore the older one."), list.node), renew: list.renew };
}
