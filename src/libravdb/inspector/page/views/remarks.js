// What an author should look at, put beside the lines it is about; and the tiers of what he wrote. Nothing here draws.

import { plural } from "../parts.js";

const SEVERITIES = ["error", "warning", "hint"];
const TIERS = { 0: "lore", 1: "hard", 2: "soft" };
const DOES = { 2: "must", 4: "must not", 8: "may" };

/** How binding a piece is, as people call it: hard, soft or lore. */
export const tierOf = (record) => TIERS[record.metadata.tier] ?? "lore";

/** What the rules of a piece say in a word each: must, must not, may. */
export const doesOf = (record) => Object.entries(DOES).filter(([bit]) => (record.metadata.modality_mask ?? 0) & Number(bit)).map(([, word]) => word);

/** How many pieces there are of each tier, and what they take. */
export function tiersOf(records) {
  const tally = { hard: { pieces: 0, tokens: 0 }, soft: { pieces: 0, tokens: 0 }, lore: { pieces: 0, tokens: 0 } };
  for (const record of records) {
    const tier = tally[tierOf(record)];
    tier.pieces += 1;
    tier.tokens += record.metadata.token_estimate ?? 0;
  }
  return tally;
}

/** The last part of a path: what people call a document. */
export const fileName = (path) => path.split(/[\\/]/).filter(Boolean).pop() ?? path;

/** The folder of a document, where its name tells one. */
export const folderOf = (path) => path.slice(0, Math.max(0, path.length - fileName(path).length)).replace(/[\\/]$/, "");

/** How many remarks there are of each severity. */
export function severitiesOf(remarks) {
  const tally = Object.fromEntries(SEVERITIES.map((severity) => [severity, 0]));
  for (const remark of remarks) tally[remark.severity] = (tally[remark.severity] ?? 0) + 1;
  return tally;
}

/** The tally as a person says it: "1 error, 2 hints". */
export function severityWords(remarks) {
  const words = Object.entries(severitiesOf(remarks)).filter(([, found]) => found).map(([severity, found]) => plural(found, severity));
  return words.length ? words.join(", ") : "nothing to look at";
}

/** Remarks by document: for each place in it the line, the remark, and where else the remark points. In order of lines. */
export function remarksByDocument(remarks) {
  const documents = new Map();
  for (const remark of remarks) {
    for (const place of remark.places) {
      const known = documents.get(place.sourceDoc) ?? [];
      known.push({ line: place.line, remark, others: remark.places.filter((other) => other !== place) });
      documents.set(place.sourceDoc, known);
    }
  }
  for (const marks of documents.values()) marks.sort((one, other) => one.line - other.line || SEVERITIES.indexOf(one.remark.severity) - SEVERITIES.indexOf(other.remark.severity));
  return documents;
}

/** The piece in which a line stands: the last that begins at or before it. */
export function pieceAt(records, line) {
  let found = null;
  for (const record of records) if ((record.metadata.line ?? 0) <= line && (found === null || record.metadata.line >= found.metadata.line)) found = record;
  return found;
}

/** The marks of a document by the id of the piece they are about. */
export function marksByPiece(records, marks) {
  const pieces = new Map();
  for (const mark of marks ?? []) {
    const piece = pieceAt(records, mark.line);
    if (piece) pieces.set(piece.id, [...(pieces.get(piece.id) ?? []), mark]);
  }
  return pieces;
}

/** What the daemon's ledger says about one share of a prompt: what it takes, and what it may. */
export function shareOf(ledger, tranche) {
  const line = ledger.find((each) => each.tranche === tranche);
  return line ? { tokens: line.tokens, limit: line.limit } : { tokens: 0, limit: 0 };
}
