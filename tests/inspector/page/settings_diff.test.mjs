import assert from "node:assert/strict";
import { test } from "node:test";
import { changedSettings, matchingSettings, problemOf, rangeOf, readSettings, stepOf, tellSettings } from "../../../src/libravdb/inspector/page/views/settings_diff.js";

const SETTINGS = [
  { name: "dense_weight", value: 0.68, default: 0.68, help: "Weight of vectors against words.", least: 0, most: 1, isTuned: false },
  { name: "k", value: 20, default: 10, help: "Results given.", least: 1, isTuned: false },
  { name: "recency_durable", value: 0.00001, default: 0.00001, help: "Decay per second in durable memory.", least: 0, most: 1, isTuned: true },
];

test("a link tells settings, and they are read back as they were", () => {
  const chosen = { k1: 1.2, dense_weight: 0, recency_durable: 1e-7 };
  assert.equal(tellSettings(chosen), "dense_weight:0,k1:1.2,recency_durable:1e-7");
  assert.deepEqual(readSettings(tellSettings(chosen)), chosen);
});

test("what is no setting in a link is left out", () => {
  assert.deepEqual(readSettings("k:,a:b,:3,dense_weight:0.5,c:Infinity"), { dense_weight: 0.5 });
  assert.deepEqual(readSettings(null), {});
});

test("only what differs from what is in force is sent", () => {
  assert.deepEqual(changedSettings(SETTINGS, { dense_weight: 0.68, k: 10 }), { k: 10 });
  assert.deepEqual(changedSettings(SETTINGS, {}), {});
});

test("a name that nobody knows is sent, so that the daemon can say so", () => {
  assert.deepEqual(changedSettings(SETTINGS, { dence_weight: 0.5 }), { dence_weight: 0.5 });
});

test("a value out of range is told, an open end takes all", () => {
  assert.equal(problemOf(SETTINGS[0], 1.5), "At most 1.");
  assert.equal(problemOf(SETTINGS[0], -1), "At least 0.");
  assert.equal(problemOf(SETTINGS[0], NaN), "Type a number.");
  assert.equal(problemOf(SETTINGS[1], 5000), "");
  assert.deepEqual(SETTINGS.map(rangeOf), ["0 to 1", "1 or more", "0 to 1"]);
});

test("settings are found by any words of name and help", () => {
  const found = (typed) => matchingSettings(SETTINGS, typed).map((setting) => setting.name);
  assert.deepEqual(found("dense weight"), ["dense_weight"]);
  assert.deepEqual(found("DURABLE decay"), ["recency_durable"]);
  assert.equal(found("").length, 3);
});

test("an arrow goes as far as makes sense", () => {
  assert.deepEqual(SETTINGS.map(stepOf), [0.05, 1, 0.000001]);
});
