import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetParts, itemGroups, leadingShare, leftOutGroups, outcomeOf } from "../../../src/libravdb/inspector/page/views/prompt_parts.js";

const line = (tranche, tokens, limit = 100) => ({ tranche, tokens, limit });
const item = (tranche, id, tokens = 5) => ({ tranche, id, collection: "", tokens, score: 0, breakdown: {}, reasons: [] });
const RECEIPT = {
  budget: 1000, tokens: 430, hostTokens: 70, leadingTokens: 250,
  ledger: [line("hard rules", 100), line("mandatory tail", 80), line("soft rules", 50), line("profile", 40), line("tail extension", 20), line("elevated", 60), line("summaries", 0), line("recall", 80)],
  items: [item("hard rules", "r1"), item("recall", "m1", 30), item("recall", "m2", 50), item("tail extension", "t1"), item("mandatory tail", "t2")],
  leftOut: [{ id: "a", why: "score" }, { id: "b", why: "budget" }, { id: "c", why: "score" }],
};
const values = (receipt) => Object.fromEntries(budgetParts(receipt).parts.map((part) => [part.name, part.value]));

test("the ledger becomes parts that people know, with what is free", () => {
  assert.deepEqual(values(RECEIPT), { rules: 150, profile: 40, guidance: 60, tail: 100, summaries: 0, recall: 80, free: 570 });
});

test("the parts of a bar fill the budget", () => {
  const { parts, total } = budgetParts(RECEIPT);
  assert.equal(parts.reduce((sum, part) => sum + part.value, 0), total);
});

test("a prompt above its budget has nothing free, and tells by how much", () => {
  const told = budgetParts({ ...RECEIPT, budget: 400 });
  assert.equal(told.over, 30);
  assert.equal(told.total, 430);
  assert.equal(told.parts.at(-1).value, 0);
});

test("the host's own messages, a notice and unknown claims are told where they cost", () => {
  const ledger = [line("host's own", 7), line("notice", 9), line("tea", 3)];
  assert.deepEqual(values({ budget: 100, tokens: 19, ledger }), { rules: 0, profile: 0, guidance: 0, tail: 0, summaries: 0, recall: 0, host: 7, notice: 9, other: 3, free: 81 });
});

test("items stand by parts in their order, none is lost", () => {
  const groups = itemGroups({ ...RECEIPT, items: [...RECEIPT.items, item("tea", "x")] });
  assert.deepEqual(groups.map((group) => [group.name, group.items.map((one) => one.id)]), [["rules", ["r1"]], ["tail", ["t1", "t2"]], ["recall", ["m1", "m2"]], ["other", ["x"]]]);
  assert.equal(groups[2].tokens, 80);
});

test("what was left out stands by why, the most frequent first", () => {
  assert.deepEqual(leftOutGroups(RECEIPT).map((group) => [group.why, group.items.length]), [["score", 2], ["budget", 1]]);
});

test("the unchanged beginning is a share of all that the model reads", () => {
  assert.equal(leadingShare(RECEIPT), 0.5);
  assert.equal(leadingShare({ tokens: 0, leadingTokens: 0 }), 0);
});

test("an outcome is told in words, an unknown one as it is", () => {
  assert.deepEqual(outcomeOf("full"), ["complete", "good"]);
  assert.deepEqual(outcomeOf("odd"), ["odd", ""]);
});
