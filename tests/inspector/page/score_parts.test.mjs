import assert from "node:assert/strict";
import { test } from "node:test";
import { orderedBy, partsOf, strengthInWords, strengthOf, widest } from "../../../src/libravdb/inspector/page/views/score_parts.js";

const HIT = { meaning: 0.4, words: 0.2, asking: -0.05, length: -0.01, role: 0.06, relevance: 0.97 * 0.6, recency: 0, scope: 0.018, quality: 1, keywords: 0.5, standing: 0.975, strength: 0.33, cosine: 0.61 };
const sum = (parts) => parts.reduce((total, part) => total + part.value, 0);
const isAbout = (value, expected) => assert.ok(Math.abs(value - expected) < 1e-9, `${value} is not ${expected}`);

test("what adds and what takes away sum up to the score before the factors", () => {
  const { each, takes, factors } = partsOf(HIT);
  isAbout(sum(each) + sum(takes), 0.97 * 0.6 + 0.018);
  assert.deepEqual(factors.map((part) => part.name), ["standing"]);
});

test("the bar holds every addition and nothing that takes away", () => {
  const { adds, each, takes } = partsOf(HIT);
  isAbout(sum(adds), sum(each));
  assert.ok(adds.every((part) => part.value > 0));
  assert.deepEqual(takes.map((part) => part.name), ["asking", "length"]);
});

test("what a score has beyond its parts is told apart", () => {
  const parts = partsOf(HIT);
  const own = (0.97 * 0.6 + 0.018) * 0.975;
  isAbout(orderedBy({ score: own }, parts), 0);
  isAbout(orderedBy({ score: own + 0.1 }, parts), 0.1);
});

test("relevance that was cut at its most is not exceeded by its cues", () => {
  const { each } = partsOf({ meaning: 1.2, words: 0.8, relevance: 0.97, scope: 0.03 });
  isAbout(sum(each), 1);
});

test("a hit that another one brought along is told by that alone", () => {
  assert.deepEqual(partsOf({ successor: 0.4, strength: 0.2 }).adds.map((part) => part.label), ["belongs to another hit"]);
  assert.deepEqual(partsOf({ hop: 0.2 }).each, [{ name: "hop", label: "named by another hit", value: 0.2 }]);
});

test("a cue that the page does not know is drawn all the same", () => {
  const { adds } = partsOf({ meaning: 0.3, moonlight: 0.1, relevance: 0.4 });
  assert.deepEqual(adds.map((part) => part.label), ["close in meaning", "other"]);
});

test("a hit without relevance divides nothing by zero", () => {
  const { each, takes } = partsOf({ meaning: 0, passing: -0.2, relevance: 0, scope: 0.01 });
  assert.deepEqual(each.map((part) => part.name), ["scope"]);
  assert.deepEqual(takes, []);
});

test("strength is told where it was measured, with a word for it", () => {
  assert.equal(strengthOf({ breakdown: HIT }), 0.33);
  assert.equal(strengthOf({ breakdown: { hop: 0.1 } }), null);
  assert.deepEqual([0.5, 0.15, 0.03, 0.001].map(strengthInWords), ["strong", "fair", "weak", "very weak"]);
});

test("the longest bar is what a full width means", () => {
  assert.equal(widest([]), 0);
  isAbout(widest([{ breakdown: { hop: 0.2 } }, { breakdown: { successor: 0.5 } }]), 0.5);
});
