import assert from "node:assert/strict";
import { test } from "node:test";
import { coverage, rebuilding, reembeddedWords, spaceName, spaceState, stepsFor } from "../../../src/libravdb/inspector/page/views/vectors.js";

const space = (state, texts, more = {}) => ({ fingerprint: `f-${state}`, state, texts, vectors: texts, description: { name: `model of ${state}` }, ...more });
const state = ({ spaces, texts = 100, unembedded = 0, fingerprint = "f-active" }) => ({ spaces, store: { texts, unembedded }, embedder: { fingerprint } });

test("in use, only what the daemon misses is missing", () => {
  assert.deepEqual(coverage(space("active", 99), { texts: 100, unembedded: 0 }), { done: 100, whole: 100, share: 1 });
  assert.deepEqual(coverage(space("active", 60), { texts: 100, unembedded: 40 }), { done: 60, whole: 100, share: 0.6 });
  assert.deepEqual(coverage(space("active", 0), { texts: 0, unembedded: 0 }), { done: 0, whole: 0, share: 1 });
});

test("a rebuild is as far as the space that is being made", () => {
  const making = rebuilding(state({ spaces: [space("active", 100), space("building", 25)] }));
  assert.deepEqual(making, { name: "model of building", done: 25, whole: 100, share: 0.25 });
  assert.equal(rebuilding(state({ spaces: [space("active", 100), space("retired", 100)] })), null);
});

test("texts without vectors in the space in use count as a rebuild too", () => {
  assert.equal(rebuilding(state({ spaces: [space("active", 90)], unembedded: 10 })).done, 90);
});

test("progress never goes beyond the whole", () => {
  const making = rebuilding(state({ spaces: [space("building", 120)], texts: 100 }));
  assert.ok(making.done <= making.whole);
});

test("only what could do something is offered", () => {
  assert.deepEqual(stepsFor(state({ spaces: [space("active", 1)] })), { isOther: false, missing: false, rollback: false, prune: false });
  assert.deepEqual(stepsFor(state({ spaces: [space("active", 1), space("retired", 1)], unembedded: 3, fingerprint: "f-new" })), { isOther: true, missing: true, rollback: true, prune: true });
  assert.equal(stepsFor({ spaces: [], store: { unembedded: 0 }, embedder: {} }).isOther, false);
});

test("what was done is told in words", () => {
  assert.equal(reembeddedWords("run", { run: { embedded: 12, switched: true, found: 0.98, required: 0.9 } }), "12 texts got vectors. Search uses the new vectors now. The check found 98 % of known texts again; 90 % were needed.");
  assert.equal(reembeddedWords("run", { run: { embedded: 0, switched: false } }), "Every text had its vectors already.");
  assert.equal(reembeddedWords("missing", { embedded: 1, degraded: "One failed." }), "1 text got vectors. One failed.");
  assert.equal(reembeddedWords("rollback", { active: "f-old" }), "The former vectors are in place again: f-old.");
  assert.equal(reembeddedWords("prune", { dropped: ["f-old"] }), "Deleted: f-old.");
  assert.equal(reembeddedWords("prune", {}), "There was nothing to delete.");
});

test("a space is called by its model, or by its fingerprint", () => {
  assert.equal(spaceName(space("active", 1)), "model of active");
  assert.equal(spaceName({ fingerprint: "f", description: {} }), "f");
  assert.equal(spaceState(space("active", 1)).label, "in use");
  assert.equal(spaceState({ state: "unheard of" }).label, "unheard of");
});

test("vectors of another model than the configured one are not said to be searched", () => {
  assert.equal(spaceState(space("active", 1), "f-active").label, "in use");
  assert.equal(spaceState(space("active", 1), "f-new").label, "of another model");
  assert.equal(spaceState(space("retired", 1), "f-new").label, "kept");
});
