import assert from "node:assert/strict";
import { test } from "node:test";
import { bins, calibrationChange, counts, isKept, kindOf, markdown, pieces, recount, verdictWords } from "../../../src/libravdb/inspector/page/views/gate_scores.js";

let ids = 0;
const turn = (score, told = {}) => ({ id: `t${(ids += 1)}`, at: 0, score, isAdmitted: score >= 0.34, veto: "", admission: "", text: "", ...told });
const VETOED = turn(0.9, { veto: "echo", isAdmitted: false });
const UPDATE = turn(0.1, { admission: "it replaces a memory", isAdmitted: true });

test("a score that equals the threshold is kept", () => {
  assert.equal(kindOf(turn(0.34), 0.34), "kept");
  assert.equal(kindOf(turn(0.3399999), 0.34), "passed");
});

test("what was refused by name stays out, and what was admitted by name stays in, at every threshold", () => {
  for (const t of [0, 0.2, 0.5, 1]) {
    assert.equal(isKept(VETOED, t), false);
    assert.equal(isKept(UPDATE, t), true);
  }
});

test("at today's threshold nothing changes", () => {
  const turns = [turn(0.1), turn(0.34), turn(0.8), VETOED, UPDATE];
  assert.deepEqual(recount(turns, 0.34), { kept: 3, gained: [], lost: [] });
});

test("a lower threshold gains, a higher one loses, the nearest first", () => {
  const [low, middle, high, top] = [turn(0.2), turn(0.3), turn(0.4), turn(0.6)];
  const turns = [low, middle, high, top, VETOED, UPDATE];
  assert.deepEqual(recount(turns, 0.2), { kept: 5, gained: [low, middle], lost: [] });
  assert.deepEqual(recount(turns, 0.7), { kept: 1, gained: [], lost: [top, high] });
});

test("the number kept is that of yesterday plus what is gained minus what is lost, at every threshold", () => {
  const turns = Array.from({ length: 300 }, (_, place) => turn((place * 37 % 101) / 100, place % 7 === 0 ? { veto: "x", isAdmitted: false } : place % 11 === 0 ? { admission: "y", isAdmitted: true } : {}));
  const before = turns.filter((each) => each.isAdmitted).length;
  for (let t = 0; t <= 1; t += 0.05) {
    const { kept, gained, lost } = recount(turns, t);
    assert.equal(kept, before + gained.length - lost.length);
    const told = counts(turns, t);
    assert.equal(told.kept + told.admitted, kept);
    assert.equal(told.kept + told.admitted + told.passed + told.vetoed, turns.length);
  }
});

test("every turn lies in one bin, the ends included", () => {
  const made = bins([turn(0), turn(1), turn(1.2), turn(-1), turn(0.5), turn(Number.NaN)], { size: 10, t: 0.34 });
  assert.deepEqual(made.map((bin) => bin.total), [2, 0, 0, 0, 0, 1, 0, 0, 0, 2]);
});

test("a bin is drawn turn by turn, or kind by kind", () => {
  const [bin] = bins([turn(0.5), turn(0.6), VETOED], { size: 1, t: 0.34 });
  assert.deepEqual(pieces(bin, { isEach: true }).map((each) => each.kind), ["kept", "kept", "vetoed"]);
  assert.deepEqual(pieces(bin, { isEach: false }).map(({ kind, amount }) => [kind, amount]), [["kept", 2], ["vetoed", 1]]);
});

test("an answer tells what it changed", () => {
  const account = (labels, useful, threshold) => ({ labels, useful, calibration: { steps: [], threshold, note: `${labels} labels; 20 are needed for a suggestion` } });
  assert.match(calibrationChange(account(0, 0), account(1, 1)), /^1 answer, 1 useful .*20 are needed/);
  assert.match(calibrationChange(account(19, 9), account(20, 10, 0.31)), /suggested now: 0\.31/);
  assert.match(calibrationChange(account(20, 10, 0.31), account(21, 10, 0.4)), /from 0\.31 to 0\.40/);
  assert.match(calibrationChange(account(20, 10, 0.31), account(21, 10, 0.31)), /stays 0\.31/);
});

test("a verdict is told in a sentence", () => {
  const verdict = { score: 0.2, threshold: 0.34, veto: "", admission: "" };
  assert.equal(verdictWords(verdict), "Would not be kept: its score 0.20 is below 0.34.");
  assert.equal(verdictWords({ ...verdict, score: 0.5 }), "Would be kept: its score 0.50 reaches 0.34.");
  assert.match(verdictWords({ ...verdict, admission: "asked to remember it" }), /^Would be kept: asked to remember it/);
  assert.match(verdictWords({ ...verdict, veto: "no substance" }), /^Would not be kept: no substance/);
});

test("what people wrote cannot break the table of the export", () => {
  const account = { namespace: "anna", report: { judged: 1, admitted: 1, vetoes: [["echo", 2]] }, calibration: { note: "" } };
  const lines = markdown({ threshold: 0.34, scores: [turn(0.5, { text: "a | b\nc" })] }, account).split("\n");
  assert.equal(lines.at(-1), "| 0.50 | kept | a \\| b c |");
});
