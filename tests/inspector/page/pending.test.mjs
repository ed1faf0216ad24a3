import assert from "node:assert/strict";
import { test } from "node:test";
import { Pending } from "../../../src/libravdb/inspector/page/views/pending.js";

/** A deletion that waits, and what was told of it. */
function asked(pending, key, carryOut = async () => {}) {
  const told = [];
  let ways;
  pending.add(key, {
    ask: (given) => { ways = given; return { end: given.done }; },
    carryOut: async () => { told.push("carried out"); await carryOut(); },
    back: (error) => told.push(error ? `failed: ${error.message}` : "back"),
    gone: () => told.push("gone"),
  });
  return { told, ways };
}

test("what is undone is never carried out", async () => {
  const pending = new Pending();
  const { told, ways } = asked(pending, "a");
  assert.ok(pending.has("a"));
  ways.undo();
  await ways.done();
  assert.deepEqual(told, ["back"]);
  assert.equal(pending.size, 0);
});

test("what nobody undoes is carried out once", async () => {
  const pending = new Pending();
  const { told, ways } = asked(pending, "a");
  await ways.done();
  await ways.done();
  ways.undo();
  assert.deepEqual(told, ["carried out", "gone"]);
  assert.ok(!pending.has("a"));
});

test("it counts as going until the daemon has answered", async () => {
  const pending = new Pending();
  let answer;
  const { ways } = asked(pending, "a", () => new Promise((resolve) => { answer = resolve; }));
  const done = ways.done();
  assert.ok(pending.has("a"));
  answer();
  await done;
  assert.ok(!pending.has("a"));
});

test("what fails comes back with its reason", async () => {
  const pending = new Pending();
  const { told, ways } = asked(pending, "a", async () => { throw new Error("no room"); });
  await ways.done();
  assert.deepEqual(told, ["carried out", "failed: no room"]);
  assert.ok(!pending.has("a"));
});

test("the same is asked once", () => {
  const pending = new Pending();
  asked(pending, "a");
  let times = 0;
  pending.add("a", { ask: () => { times += 1; }, carryOut: async () => {} });
  assert.equal(times, 0);
});

test("all that waits can be done at once", async () => {
  const pending = new Pending();
  const [one, other] = [asked(pending, "a"), asked(pending, "b")];
  pending.endAll();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([one.told, other.told], [["carried out", "gone"], ["carried out", "gone"]]);
});
