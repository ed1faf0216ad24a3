import assert from "node:assert/strict";
import { test } from "node:test";
import { findableId, isMemory, placeOf } from "../../../src/libravdb/inspector/page/views/places.js";

test("collections are told in words, those of clients by their names", () => {
  const told = ["user:mara", "history:mara", "session:orders", "session_summary:orders", "elevated:user:mara", "authored:variant", "bees", ""].map((name) => placeOf(name).label);
  assert.deepEqual(told, ["durable memory", "history", "this session", "summary", "guidance", "lore", "bees", "turn"]);
});

test("a turn of a session is found under the id that the history gives it", () => {
  assert.equal(findableId("session:a/b 5%", "t-1"), "a%2Fb 5%25/t-1");
  assert.equal(findableId("", "t-1", "orders"), "orders/t-1");
  assert.equal(findableId("user:mara", "orders/t-1", "moving"), "orders/t-1");
});

test("rules and lines of the profile are no memories", () => {
  assert.deepEqual(["authored:hard", "profile", "profile:mara", "user:mara", ""].map(isMemory), [false, false, false, true, true]);
});
