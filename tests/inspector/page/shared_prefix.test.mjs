import assert from "node:assert/strict";
import { test } from "node:test";
import { comparePrompts, firstDifference, sharedLength } from "../../../src/libravdb/inspector/page/views/shared_prefix.js";

const section = (kind, text, tokens) => ({ kind, text, tokens });

test("the shared beginning ends where the texts part", () => {
  assert.equal(sharedLength("abcd", "abxd"), 2);
  assert.equal(sharedLength("abc", "abcd"), 3);
  assert.equal(sharedLength("", "a"), 0);
});

test("a character of two units is never torn", () => {
  assert.equal(sharedLength("a😀", "a😁"), 1);
  assert.equal(sharedLength("a😀b", "a😀c"), 3);
});

test("sections before the difference are the same, one differs, the others stand behind", () => {
  const told = comparePrompts([section("rules", "Be kind.", 4), section("tail", "one two", 4), section("recalled", "x", 1)], [section("rules", "Be kind.", 4), section("tail", "one 2", 3), section("recalled", "x", 1)]);
  assert.deepEqual(told.after.map((one) => one.state), ["same", "differs", "behind"]);
  assert.deepEqual(told.after.map((one) => one.isUnchanged), [true, false, true]);
  assert.equal(told.after[1].from, 4);
  assert.equal(told.characters, 12);
  assert.equal(told.tokens, 6);
  assert.equal(told.share, 0.75);
});

test("equal prompts are the same through and through", () => {
  const sections = [section("rules", "Be kind.", 4)];
  const told = comparePrompts(sections, sections);
  assert.deepEqual([told.isSame, told.share, told.after[0].state], [true, 1, "same"]);
  assert.equal(comparePrompts([], []).isSame, true);
});

test("a prompt that only goes on shares all of the one before", () => {
  const told = comparePrompts([section("tail", "one", 1)], [section("tail", "one two", 2)]);
  assert.deepEqual(told.before.map((one) => one.state), ["same"]);
  assert.deepEqual([told.after[0].state, told.after[0].from], ["differs", 3]);
});

test("places are told in characters as people count them", () => {
  const told = comparePrompts([section("tail", "😀😀a", 3)], [section("tail", "😀😀b", 3)]);
  assert.deepEqual([told.characters, told.after[0].from], [2, 2]);
});

test("the first difference is marked to the end of its line", () => {
  assert.deepEqual(firstDifference("one two\nthree", 4), [4, 7]);
  assert.deepEqual(firstDifference("one two", 7), [7, 7]);
  assert.deepEqual(firstDifference("a".repeat(500), 10, 50), [10, 60]);
});
