// The summaries of a session as a tree, and what stands where in it. Nothing here draws.

import { count, plural } from "../parts.js";

/** The trees of a session in order of time: what stands in prompts now, then what nothing leads to any more. */
export function treesOf(nodes) {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const below = new Set(nodes.flatMap((node) => summariesIn(node).filter((id) => known.has(id))));
  const tops = nodes.filter((node) => node.isActive || !below.has(node.id));
  const byTime = (one, other) => Number(other.isActive) - Number(one.isActive) || one.firstAt - other.firstAt || one.at - other.at;
  return tops.sort(byTime).map((node) => branch(node, known, new Set()));
}

/** A node with the trees under it. What is met twice on the way down is left out: a damaged store must not hang a page. */
function branch(node, known, above) {
  const path = new Set([...above, node.id]);
  const under = summariesIn(node).filter((id) => known.has(id) && !path.has(id)).map((id) => branch(known.get(id), known, path));
  return { node, under, turns: node.children.filter((child) => child.kind === "turn").length };
}

const summariesIn = (node) => node.children.filter((child) => child.kind === "summary").map((child) => child.id);

/** The ids from the top of a tree down to a node, both included; empty when it is nowhere. */
export function pathTo(trees, id) {
  for (const tree of trees) {
    if (tree.node.id === id) return [id];
    const rest = pathTo(tree.under, id);
    if (rest.length) return [tree.node.id, ...rest];
  }
  return [];
}

/** How many raw turns stand behind a node; where an older summary does not tell, those that can be counted. */
export const turnsBehind = (tree) => tree.node.turnCount || tree.turns + tree.under.reduce((sum, each) => sum + turnsBehind(each), 0);

/** The session from its begin to its end, in rows. The first row is what a prompt may hold now: summaries, and runs of
 *  turns that stand word for word (`at` their times). Each row below shows what the summaries above it stand for. Places
 *  and widths count turns. */
export function stripOf(trees, verbatim) {
  const first = inOrder(trees.filter((tree) => tree.node.isActive), verbatim);
  const rows = [first];
  let total = 0;
  for (const piece of first) { piece.start = total; total += piece.turns; }
  for (let row = first; ; ) {
    const next = row.filter((piece) => piece.tree).flatMap(beneath);
    if (!next.length) break;
    rows.push(next);
    row = next;
  }
  const folded = first.filter((piece) => piece.tree).reduce((sum, piece) => sum + piece.turns, 0);
  return { rows, total, folded, verbatim: total - folded };
}

function inOrder(trees, verbatim) {
  const points = [...trees.map((tree) => ({ at: tree.node.firstAt, tree })), ...verbatim.map((at) => ({ at, tree: null }))].sort((one, other) => one.at - other.at);
  const pieces = [];
  for (const { at, tree } of points) {
    const last = pieces.at(-1);
    if (tree) pieces.push({ tree, level: tree.node.level, turns: turnsBehind(tree), from: tree.node.firstAt, to: tree.node.at });
    else if (last && !last.tree) { last.turns += 1; last.to = at; }
    else pieces.push({ tree: null, level: 0, turns: 1, from: at, to: at });
  }
  return pieces;
}

function beneath({ tree, start, turns }) {
  const told = tree.under.reduce((sum, each) => sum + turnsBehind(each), 0);
  const scale = told > turns ? turns / told : 1;
  let place = start;
  return tree.under.map((each) => {
    const piece = { tree: each, level: each.node.level, turns: turnsBehind(each) * scale, start: place, from: each.node.firstAt, to: each.node.at };
    place += piece.turns;
    return piece;
  });
}

/** The strip in one sentence. */
export function stripWords({ folded, verbatim, rows }) {
  const tops = rows[0].filter((piece) => piece.tree).length;
  if (!tops) return `${plural(verbatim, "turn")}, all word for word: nothing is folded yet.`;
  return `${plural(folded + verbatim, "turn")}: ${count(folded)} folded under ${plural(tops, "summary", "summaries")}, ${count(verbatim)} ${verbatim === 1 ? "stands" : "stand"} word for word.`;
}

/** The share of facts that survived, and in words; null where none were listed. */
export function survival({ factsKept, factsListed }) {
  if (!factsListed) return null;
  return { share: factsKept / factsListed, words: `${count(factsKept)} of ${plural(factsListed, "fact")} kept` };
}

const METHODS = { extractive: "sentences chosen from what was said" };

/** Who wrote a summary, for people. */
export const methodWords = (method) => METHODS[method] ?? (method ? `written by ${method}` : "nobody knows how");

/** What a compaction did, in words. */
export function compactedWords(done) {
  if (!done.didCompact) return "Nothing was folded.";
  const made = `${plural(done.turnsRemoved, "entry", "entries")} became ${plural(done.clustersFormed, "summary", "summaries")}: ${plural(done.tokensBefore, "token")} before, ${count(done.tokensAfter)} now.`;
  const facts = done.factsListed ? ` ${count(done.factsKept)} of ${plural(done.factsListed, "fact")} stand in them.` : "";
  return made + facts;
}
