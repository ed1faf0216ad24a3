import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, byKind, changedFacts, isNoted, localMoment, parted, partWishes, readFilters, readValue, shownValue, toWhere, wrongRows } from "../../../src/libravdb/inspector/page/views/memory_facts.js";

const filters = (told) => readFilters(new URLSearchParams(told));

test("nothing asked filters nothing", () => {
  assert.deepEqual(filters({ namespace: "anna", words: " ", id: "x" }), {});
  assert.deepEqual(toWhere({}), {});
});

test("a key alone must be there, with a value it must have it", () => {
  assert.deepEqual(toWhere(filters({ key: "topic" })), { conditions: [{ key: "topic", operator: "$exists", value: true }] });
  assert.deepEqual(toWhere(filters({ key: "topic", value: "release" })), { metadata: { topic: ["release"] } });
});

test("a number that is typed may be meant as a number or as a word", () => {
  assert.deepEqual(toWhere(filters({ key: "room", value: "3" })).metadata, { room: [3, "3"] });
  assert.deepEqual(toWhere(filters({ key: "is_done", value: "true" })).metadata, { is_done: [true, "true"] });
});

test("the last day counts whole", () => {
  const { since, until } = toWhere(filters({ since: "2026-03-01", until: "2026-03-01" }));
  assert.equal(since, new Date(2026, 2, 1).getTime());
  assert.equal(until, new Date(2026, 2, 2).getTime());
});

test("a day that is none is left out", () => {
  assert.deepEqual(toWhere(filters({ since: "soon" })), {});
});

test("outdated only asks for a successor", () => {
  assert.deepEqual(toWhere(filters({ outdated: "1" })).conditions, [{ key: "superseded_by", operator: "$exists", value: true }]);
});

test("what the engine noted stands apart from what people gave", () => {
  const { own, noted } = parted({ topic: "release", userId: "anna", gating_score: 0.4, states_home: true });
  assert.deepEqual(own, [["topic", "release"]]);
  assert.deepEqual(noted.map(([key]) => key), ["userId", "gating_score", "states_home"]);
  assert.ok(isNoted("superseded_by") && !isNoted("colour"));
});

test("every value is read from its field as it was", () => {
  for (const value of ["plain", "3", 3, "true", true, null, "", " spaced ", "\"quoted\"", [1, "a"], { a: { b: 1 } }, "{broken", "0.30", "ünïcode", "null"]) {
    assert.deepEqual(readValue(shownValue(value)), value);
  }
});

test("only what changed is told, and what went is told as null", () => {
  const own = [["topic", "release"], ["priority", 3], ["by", "ben"]];
  assert.deepEqual(changedFacts(own, own.map(([key, value]) => [key, shownValue(value)])), {});
  assert.deepEqual(changedFacts(own, [["topic", "deploy"], ["priority", "3"], ["new", "true"]]), { topic: "deploy", new: true, by: null });
  assert.deepEqual(changedFacts(own, [["title", "release"], ["priority", "3"], ["by", "ben"]]), { title: "release", topic: null });
});

test("labels that cannot be saved are told before anything is sent", () => {
  assert.equal(wrongRows([["a", "1"], ["", ""]]), "");
  assert.match(wrongRows([["a", "1"], [" a ", "2"]]), /twice/);
  assert.match(wrongRows([["superseded_by", "x"]]), /engine itself/);
  assert.match(wrongRows([["", "x"]]), /no name/);
});

test("a moment comes back from its field as it was, to the minute", () => {
  const at = new Date(2026, 6, 4, 9, 30).getTime();
  assert.equal(new Date(localMoment(at)).getTime(), at);
});

test("lines stand by kind, in the order in which they came", () => {
  const lines = [{ kind: "health", id: 1 }, { kind: "home", id: 2 }, { kind: "health", id: 3 }];
  assert.deepEqual(byKind(lines).map(([kind, some]) => [kind, some.map((each) => each.id)]), [["health", [1, 3]], ["home", [2]]]);
});

test("a wish counts until it is replaced or removed", () => {
  const { current, former } = partWishes([{ id: 1, replacedBy: "" }, { id: 2, replacedBy: "w" }, { id: 3, replacedBy: "", removedAt: 5 }]);
  assert.deepEqual([current.map((each) => each.id), former.map((each) => each.id)], [[1], [2, 3]]);
});

test("a text is cut between characters, and a short one stays as it is", () => {
  assert.equal(brief("short", 5), "short");
  assert.equal(brief("🐈🐈🐈🐈", 2), "🐈🐈 …");
});
