// What lies in a store, by kind. Nothing here draws.

/* How names of collections begin, what such a one holds, and whose it is. The longest beginning that fits decides. */
const KINDS = [
  ["history:", "Everything said, by person", "namespace"],
  ["user:", "Durable memories", "namespace"],
  ["turns:", "Judgements of the gate", "namespace"],
  ["elevated:user:", "Standing wishes", "namespace"],
  ["elevated:session:", "Wishes of one session", "session"],
  ["profile:", "Profiles", "namespace"],
  ["receipts:", "Receipts of prompts", "namespace"],
  ["former:", "Former versions of memories", "namespace"],
  ["dream:", "Dream entries", "namespace"],
  ["agent_notes:", "Notes of agents", "namespace"],
  ["curated_notes:", "Curated notes", "namespace"],
  ["session:", "Sessions as prompts see them", "session"],
  ["session_raw:", "Sessions word for word", "session"],
  ["session_recall:", "Turns that can be recalled", "session"],
  ["session_summary:", "Summaries", "session"],
  ["session_commit:", "Marks of what was committed", "session"],
  ["authored:hard", "Hard rules", "all"],
  ["authored:soft", "Soft rules", "all"],
  ["authored:variant", "Notes of documents (lore)", "all"],
  ["global", "Shared facts", "all"],
  ["_internal:", "The daemon's own books", "all"],
];

const OTHER = ["", "Collections of clients", "client"];

function kindOf(name) {
  const fits = KINDS.filter(([start]) => (start.endsWith(":") ? name.startsWith(start) : name === start));
  return fits.sort((one, other) => other[0].length - one[0].length)[0] ?? OTHER;
}

/** Collections by kind, the largest first: what they hold, how many there are, how many records. */
export function collectionKinds(collections) {
  const kinds = new Map();
  for (const { name, records } of collections) {
    const [start, label] = kindOf(name);
    const kind = kinds.get(label) ?? { start, label, collections: 0, records: 0 };
    kind.collections += 1;
    kind.records += records;
    kinds.set(label, kind);
  }
  return [...kinds.values()].sort((one, other) => other.records - one.records || one.label.localeCompare(other.label));
}

/** How many records collections with such a beginning hold together. */
export const recordsOf = (collections, start) => collections.filter(({ name }) => name.startsWith(start)).reduce((sum, { records }) => sum + records, 0);
