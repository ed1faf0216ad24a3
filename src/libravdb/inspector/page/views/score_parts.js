// A score taken apart: what speaks for a hit, what takes away from it, and what is only told beside it.
// The engine gives every number; here they are sorted, named in plain words, and brought to one scale.

/** What adds to a score, in the order of a bar. Cues of one kind share a colour; the table tells them one by one. */
export const GROUPS = [
  { label: "close in meaning", kind: "c1", cues: ["meaning"] },
  { label: "shares words", kind: "c2", cues: ["words"] },
  { label: "who said it and when", kind: "c3", cues: ["speaker", "role", "date", "event_date", "recent", "recency"] },
  { label: "the kind of text it is", kind: "c4", cues: ["answer_kind", "attribute", "length"] },
  { label: "what stands around it", kind: "c5", cues: ["reply", "neighbours", "session", "session_depth"] },
  { label: "where it is kept", kind: "c6", cues: ["scope"] },
  { label: "belongs to another hit", kind: "c7", cues: ["hop", "successor"] },
];

const WORDS = {
  meaning: "close in meaning", words: "shares words with the question", speaker: "said by somebody the question names",
  asking: "asks rather than tells", passing: "states nothing by itself", date: "said at the time asked about",
  event_date: "speaks of the day asked about", role: "said by the user", answer_kind: "holds a time or number as asked for",
  attribute: "states what is asked for", recent: "said later than others on the same", length: "its length",
  reply: "follows a question on the subject", neighbours: "stands beside relevant turns", session: "in a session with a relevant turn",
  session_depth: "in a session that comes back to the subject", scope: "where it is kept", recency: "how new it is",
  hop: "named by another hit", successor: "replaces another hit",
  quality: "how well a summary holds", standing: "how much it was used, and its authority",
  cosine: "closeness in meaning by itself (cosine)", keywords: "share of the question's words in it",
  dates: "times it speaks of", new_words: "words that no hit before it has",
};

const LAW = ["relevance", "recency", "scope"]; // these are weighted already
const FACTORS = ["quality", "standing"];
const FACTS = ["cosine", "keywords", "dates", "new_words"];
const MARKS = ["strength", "outdated", "relevance"]; // told elsewhere
const SMALL = 0.0005;

export const wordsOf = (name) => WORDS[name] ?? name.replaceAll("_", " ");

/** How strong a hit is by itself, on one scale for all questions; null where the engine did not measure it. */
export const strengthOf = (hit) => hit.breakdown.strength ?? null;

/**
 * A breakdown as it is drawn: `adds` by group (for the bar), `each` addition by itself, `takes` (negative),
 * `factors` (what all of it is multiplied by) and `facts` (told, not counted).
 *
 * The cues tell their share of relevance; what relevance weighs in the score is told beside them, so they are brought
 * to its scale: additions and what they are lessened by then sum up to the score before the factors.
 */
export function partsOf(breakdown) {
  const known = new Set([...LAW, ...FACTORS, ...FACTS, ...MARKS, "hop", "successor"]);
  const cues = Object.entries(breakdown).filter(([name]) => !known.has(name));
  const sum = cues.reduce((total, [, value]) => total + value, 0);
  const scale = breakdown.relevance === undefined ? 1 : sum > 0 ? breakdown.relevance / sum : 0;
  const counted = [
    ...cues.map(([name, value]) => ({ name, value: value * scale })),
    ...["scope", "recency", "hop", "successor"].filter((name) => name in breakdown).map((name) => ({ name, value: breakdown[name] })),
  ].map((part) => ({ ...part, label: wordsOf(part.name) }));
  const each = counted.filter((part) => part.value > SMALL).sort((one, other) => other.value - one.value);
  return {
    adds: grouped(each),
    each,
    takes: counted.filter((part) => part.value < -SMALL).sort((one, other) => one.value - other.value),
    factors: FACTORS.filter((name) => name in breakdown && Math.abs(breakdown[name] - 1) > SMALL).map((name) => ({ name, label: wordsOf(name), value: breakdown[name] })),
    facts: FACTS.filter((name) => name in breakdown).map((name) => ({ name, label: wordsOf(name), value: breakdown[name] })),
  };
}

function grouped(each) {
  const rest = each.filter((part) => !GROUPS.some((group) => group.cues.includes(part.name)));
  const groups = GROUPS.map((group) => ({ label: group.label, kind: group.kind, value: total(each.filter((part) => group.cues.includes(part.name))) }));
  return [...groups, { label: "other", kind: "c8", value: total(rest) }].filter((part) => part.value > SMALL);
}

const total = (parts) => parts.reduce((sum, part) => sum + part.value, 0);

/** The longest bar among hits: what a full width means, so that bars of one answer can be compared. */
export const widest = (hits) => Math.max(0, ...hits.map((hit) => total(partsOf(hit.breakdown).adds)));

/** A strength in words, as the scale was measured: about so many of ten such hits answer such a question. */
export function strengthInWords(value) {
  if (value >= 0.3) return "strong";
  if (value >= 0.1) return "fair";
  return value >= 0.02 ? "weak" : "very weak";
}
