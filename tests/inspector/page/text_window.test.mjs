import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, sentence, windowOf } from "../../../src/libravdb/inspector/page/views/text_window.js";

const LONG = `${"far away ".repeat(100)}the garden gate is green ${"and so on ".repeat(100)}`;
const place = Array.from(LONG).join("").indexOf("garden");

test("a short text stays whole, with its marks", () => {
  const told = windowOf("The gate is green.", { ranges: [[4, 8]], passage: [0, 18] });
  assert.deepEqual(told, { text: "The gate is green.", ranges: [[4, 8]], passage: [0, 18], isCut: false });
});

test("of a long text the part is shown where the question is met, and marks move along", () => {
  const told = windowOf(LONG, { ranges: [[place, place + 6]], most: 300 });
  const [[from, to]] = told.ranges;
  assert.equal(Array.from(told.text).slice(from, to).join(""), "garden");
  assert.ok(told.text.startsWith("… ") && told.text.endsWith(" …"));
  assert.ok(told.isCut && Array.from(told.text).length <= 304);
});

test("marks outside of what is shown are left out, those at its edge are cut", () => {
  const told = windowOf("x".repeat(1000), { ranges: [[0, 5], [990, 1000]], passage: [0, 1000], most: 100 });
  assert.deepEqual(told.ranges, [[0, 5]]);
  assert.deepEqual(told.passage, [0, 100]);
});

test("places count characters, not code units", () => {
  const told = windowOf(`${"😀".repeat(900)} gate`, { ranges: [[901, 905]], most: 100 });
  const [[from, to]] = told.ranges;
  assert.equal(Array.from(told.text).slice(from, to).join(""), "gate");
});

test("what is told in passing becomes a sentence", () => {
  assert.deepEqual(["nothing fits", "Why?", "", "ok."].map(sentence), ["Nothing fits.", "Why?", "", "Ok."]);
});

test("a brief text is cut between characters", () => {
  assert.equal(brief("😀😀😀", 2), "😀😀 …");
  assert.equal(brief("  short "), "short");
});
