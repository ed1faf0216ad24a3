import assert from "node:assert/strict";
import { test } from "node:test";
import { compareRanks, moveInWords, movesInWords, nameOf } from "../../../src/libravdb/inspector/page/views/rank_moves.js";

const hits = (ids) => [...ids].map((id) => ({ hit: { record: { collection: "user:mara", id } } }));
const moved = (usual, tried) => {
  const { moves, told } = compareRanks(hits(usual), hits(tried));
  return { told, of: (id) => moves.get(nameOf(hits(id)[0])) };
};

test("a hit that rises tells from where", () => {
  const { of } = moved("abc", "cab");
  assert.deepEqual(of("c"), { kind: "up", from: 3, to: 1, by: 2 });
  assert.equal(moveInWords(of("c")), "▲ 2 up, was 3");
  assert.equal(moveInWords(of("a")), "▼ 1 down, was 1");
});

test("what appears and what is gone are told apart", () => {
  const { of, told } = moved("abc", "adc");
  assert.equal(of("d").kind, "appeared");
  assert.equal(of("b").kind, "gone");
  assert.deepEqual(told, { up: 0, down: 0, same: 2, appeared: 1, gone: 1 });
  assert.equal(movesInWords(told), "1 appeared, 1 gone, 2 in the same place.");
});

test("the same answer is told as such", () => {
  assert.equal(movesInWords(moved("abc", "abc").told), "Nothing moved: every hit keeps its place.");
  assert.equal(movesInWords(moved("", "").told), "Neither finds anything.");
});

test("the same id in two collections is two hits", () => {
  const usual = [{ hit: { record: { collection: "user:mara", id: "a" } } }];
  const tried = [{ hit: { record: { collection: "history:mara", id: "a" } } }];
  assert.deepEqual(compareRanks(usual, tried).told, { up: 0, down: 0, same: 0, appeared: 1, gone: 1 });
});
