// What other settings did to an answer: who moved, who came, who is gone.

/** What tells one hit from another. */
export const nameOf = (marked) => `${marked.hit.record.collection}\n${marked.hit.record.id}`;

/**
 * From the usual hits to those that were tried: `moves` by name, each {kind, from, to, by} with places from 1 on.
 * Kinds: up, down, same, appeared, gone. `told` counts them.
 */
export function compareRanks(usual, tried) {
  const before = places(usual);
  const after = places(tried);
  const moves = new Map();
  const told = { up: 0, down: 0, same: 0, appeared: 0, gone: 0 };
  for (const [name, to] of after) add(name, before.get(name), to);
  for (const [name, from] of before) if (!after.has(name)) add(name, from, undefined);
  return { moves, told };

  function add(name, from, to) {
    const kind = kindOf(from, to);
    told[kind] += 1;
    moves.set(name, { kind, from, to, by: from !== undefined && to !== undefined ? Math.abs(from - to) : 0 });
  }
}

const places = (hits) => new Map(hits.map((hit, index) => [nameOf(hit), index + 1]));

function kindOf(from, to) {
  if (from === undefined) return "appeared";
  if (to === undefined) return "gone";
  return from === to ? "same" : to < from ? "up" : "down";
}

/** A move in a few words, as it stands beside a hit. */
export function moveInWords({ kind, from, by }) {
  if (kind === "up") return `▲ ${by} up, was ${from}`;
  if (kind === "down") return `▼ ${by} down, was ${from}`;
  return { same: "same place", appeared: "new here", gone: "gone with your changes" }[kind];
}

/** All moves in one sentence. */
export function movesInWords(told) {
  if (!told.up && !told.down && !told.appeared && !told.gone) return told.same ? "Nothing moved: every hit keeps its place." : "Neither finds anything.";
  const parts = [[told.up, "moved up"], [told.down, "moved down"], [told.appeared, "appeared"], [told.gone, "gone"], [told.same, "in the same place"]];
  return `${parts.filter(([many]) => many).map(([many, words]) => `${many} ${words}`).join(", ")}.`;
}
