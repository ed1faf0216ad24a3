import assert from "node:assert/strict";
import { test } from "node:test";
import { collectionKinds, recordsOf } from "../../../src/libravdb/inspector/page/views/sizes.js";

const collection = (name, records) => ({ name, records });

test("collections are counted by kind, the largest first", () => {
  const kinds = collectionKinds([collection("user:anna", 3), collection("user:ben", 4), collection("session:monday", 9), collection("session_raw:monday", 9), collection("my own", 1)]);
  assert.deepEqual(kinds.map((kind) => [kind.label, kind.collections, kind.records]), [
    ["Sessions as prompts see them", 1, 9], ["Sessions word for word", 1, 9], ["Durable memories", 2, 7], ["Collections of clients", 1, 1],
  ]);
});

test("the longest beginning decides, and a fixed name must be whole", () => {
  const label = (name) => collectionKinds([collection(name, 1)])[0].label;
  assert.equal(label("elevated:session:s"), "Wishes of one session");
  assert.equal(label("elevated:user:anna"), "Standing wishes");
  assert.equal(label("global"), "Shared facts");
  assert.equal(label("globally"), "Collections of clients");
  assert.equal(label("authored:hard"), "Hard rules");
});

test("records are summed over names with a beginning", () => {
  assert.equal(recordsOf([collection("receipts:anna", 2), collection("receipts:ben", 3), collection("user:anna", 9)], "receipts:"), 5);
});
