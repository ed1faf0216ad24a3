import assert from "node:assert/strict";
import { test } from "node:test";
import { compactedWords, methodWords, pathTo, stripOf, stripWords, survival, treesOf, turnsBehind } from "../../../src/libravdb/inspector/page/views/summaries.js";

const turn = (id) => ({ id, kind: "turn" });
const summary = (id) => ({ id, kind: "summary" });
const node = (id, { level = 1, from = 0, to = from, turns = 2, isActive = false, children = [turn(`${id}-1`), turn(`${id}-2`)], ...more } = {}) => ({ id, level, text: id, at: to, firstAt: from, turnCount: turns, isActive, children, ...more });

const top = node("top", { level: 2, from: 0, to: 40, turns: 4, isActive: true, children: [summary("a"), summary("b")] });
const nodes = [node("a", { from: 0, to: 10 }), node("b", { from: 20, to: 40 }), node("late", { from: 60, to: 70, isActive: true }), top];

test("what stands in prompts makes the tops, in order of time, with all below them", () => {
  const trees = treesOf(nodes);
  assert.deepEqual(trees.map((tree) => tree.node.id), ["top", "late"]);
  assert.deepEqual(trees[0].under.map((tree) => tree.node.id), ["a", "b"]);
  assert.equal(trees[1].turns, 2);
});

test("a summary that nothing leads to comes last and is not lost", () => {
  const trees = treesOf([node("gone", { from: 1 }), ...nodes]);
  assert.deepEqual(trees.map((tree) => tree.node.id), ["top", "late", "gone"]);
});

test("a circle in a damaged store ends", () => {
  const one = node("one", { isActive: true, children: [summary("two")] });
  const two = node("two", { children: [summary("one"), summary("nowhere")] });
  const trees = treesOf([one, two]);
  assert.deepEqual(trees.map((tree) => tree.node.id), ["one"]);
  assert.deepEqual(trees[0].under.map((tree) => [tree.node.id, tree.under.length]), [["two", 0]]);
});

test("the way down to a summary is found, and none to what is not there", () => {
  assert.deepEqual(pathTo(treesOf(nodes), "b"), ["top", "b"]);
  assert.deepEqual(pathTo(treesOf(nodes), "late"), ["late"]);
  assert.deepEqual(pathTo(treesOf(nodes), "nowhere"), []);
});

test("an older summary that does not tell its turns is counted from below", () => {
  const trees = treesOf(nodes.map((each) => (each.id === "top" ? { ...each, turnCount: 0 } : each)));
  assert.equal(turnsBehind(trees[0]), 4);
});

test("the strip goes from the begin to the end, runs of turns where they were said", () => {
  const strip = stripOf(treesOf(nodes), [50, 51, 80, 81, 82]);
  assert.deepEqual(strip.rows[0].map((piece) => [piece.tree?.node.id ?? "turns", piece.start, piece.turns]), [["top", 0, 4], ["turns", 4, 2], ["late", 6, 2], ["turns", 8, 3]]);
  assert.deepEqual(strip.rows[1].map((piece) => [piece.tree.node.id, piece.start, piece.turns]), [["a", 0, 2], ["b", 2, 2]]);
  assert.equal(strip.rows.length, 2);
  assert.deepEqual([strip.total, strip.folded, strip.verbatim], [11, 6, 5]);
  assert.equal(stripWords(strip), "11 turns: 6 folded under 2 summaries, 5 stand word for word.");
});

test("what lies below never reaches beyond what stands above it", () => {
  const strip = stripOf(treesOf(nodes.map((each) => (each.id === "top" ? { ...each, turnCount: 2 } : each))), []);
  const ends = strip.rows[1].map((piece) => piece.start + piece.turns);
  assert.ok(Math.max(...ends) <= strip.rows[0][0].turns);
});

test("a session that nobody folded is all word for word", () => {
  const strip = stripOf([], [1, 2, 3]);
  assert.equal(strip.rows.length, 1);
  assert.equal(stripWords(strip), "3 turns, all word for word: nothing is folded yet.");
  assert.equal(stripWords(stripOf([], [])), "0 turns, all word for word: nothing is folded yet.");
});

test("facts are told as kept of listed, and not at all where none were listed", () => {
  assert.deepEqual(survival({ factsKept: 3, factsListed: 4 }), { share: 0.75, words: "3 of 4 facts kept" });
  assert.equal(survival({ factsKept: 0, factsListed: 0 }), null);
});

test("who wrote a summary is told in words", () => {
  assert.equal(methodWords("extractive"), "sentences chosen from what was said");
  assert.equal(methodWords("onnx:t5"), "written by onnx:t5");
});

test("what a compaction did is told in words", () => {
  assert.equal(compactedWords({ didCompact: false }), "Nothing was folded.");
  assert.equal(compactedWords({ didCompact: true, turnsRemoved: 50, clustersFormed: 3, tokensBefore: 2000, tokensAfter: 300, factsKept: 41, factsListed: 42 }),
    `50 entries became 3 summaries: ${new Intl.NumberFormat().format(2000)} tokens before, 300 now. 41 of 42 facts stand in them.`);
});
