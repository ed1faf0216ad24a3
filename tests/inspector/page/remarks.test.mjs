import assert from "node:assert/strict";
import { test } from "node:test";
import { doesOf, fileName, folderOf, marksByPiece, pieceAt, remarksByDocument, severityWords, shareOf, tierOf, tiersOf } from "../../../src/libravdb/inspector/page/views/remarks.js";

const piece = (line, tier, tokens = 5, more = {}) => ({ id: `p${line}`, metadata: { line, tier, token_estimate: tokens, ...more } });
const place = (sourceDoc, line) => ({ sourceDoc, line, text: `${sourceDoc} ${line}` });
const conflict = { kind: "contradiction", severity: "error", message: "both", places: [place("A.md", 8), place("B.md", 3)] };
const vague = { kind: "vague", severity: "hint", message: "vague", places: [place("A.md", 2)] };

test("pieces are counted by tier, with what they take; an unknown tier is lore", () => {
  assert.deepEqual(tiersOf([piece(1, 1), piece(2, 1, 7), piece(3, 2, 9), piece(4, 0), piece(5, 77, 1)]), {
    hard: { pieces: 2, tokens: 12 }, soft: { pieces: 1, tokens: 9 }, lore: { pieces: 2, tokens: 6 },
  });
  assert.equal(tierOf({ metadata: {} }), "lore");
});

test("a piece tells what its rules do, one or several", () => {
  assert.deepEqual(doesOf(piece(1, 1, 1, { modality_mask: 6 })), ["must", "must not"]);
  assert.deepEqual(doesOf(piece(1, 1)), []);
});

test("a document is called by the last part of its path", () => {
  assert.equal(fileName("/home/anna/AGENTS.md"), "AGENTS.md");
  assert.equal(fileName("C:\\notes\\AGENTS.md"), "AGENTS.md");
  assert.equal(fileName("AGENTS.md"), "AGENTS.md");
  assert.equal(folderOf("/home/anna/AGENTS.md"), "/home/anna");
  assert.equal(folderOf("AGENTS.md"), "");
});

test("a conflict is shown in both documents, each with the other place", () => {
  const found = remarksByDocument([conflict, vague]);
  assert.deepEqual(found.get("A.md").map((mark) => [mark.line, mark.remark.kind]), [[2, "vague"], [8, "contradiction"]]);
  assert.deepEqual(found.get("A.md")[1].others, [conflict.places[1]]);
  assert.deepEqual(found.get("B.md")[0].others, [conflict.places[0]]);
  assert.deepEqual(found.get("A.md")[0].others, []);
});

test("a remark stands at the piece in which its line is, also inside of one", () => {
  const pieces = [piece(1, 0), piece(6, 1), piece(9, 1)];
  assert.equal(pieceAt(pieces, 8).id, "p6");
  assert.equal(pieceAt(pieces, 9).id, "p9");
  assert.equal(pieceAt(pieces, 400).id, "p9");
  assert.equal(pieceAt([piece(5, 0)], 2), null);
  const marks = marksByPiece(pieces, remarksByDocument([conflict, vague]).get("A.md"));
  assert.deepEqual([...marks.keys()].sort(), ["p1", "p6"]);
  assert.equal(marksByPiece(pieces, undefined).size, 0);
});

test("remarks are told by severity, in words", () => {
  assert.equal(severityWords([conflict, vague, vague]), "1 error, 2 hints");
  assert.equal(severityWords([]), "nothing to look at");
});

test("limits are the daemon's, and what it does not tell is nothing", () => {
  const ledger = [{ tranche: "hard rules", limit: 1200, tokens: 106 }];
  assert.deepEqual(shareOf(ledger, "hard rules"), { limit: 1200, tokens: 106 });
  assert.deepEqual(shareOf(ledger, "soft rules"), { limit: 0, tokens: 0 });
});
