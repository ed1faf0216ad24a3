// What lies in a store, by kind. Nothing here draws.

/* How names of collections begin, and what such a one holds. The longest beginning that fits decides. */
const KINDS = [
  ["history:", "Everything said, by person"],
  ["user:", "Durable memories"],
  ["turns:", "Judgements of the gate"],
  ["elevated:user:", "Standing wishes"],
  ["elevated:session:", "Wishes of one session"],
  ["profile:", "Profiles"],
  ["receipts:", "Receipts of prompts"],
  ["former:", "Former versions of memories"],
  ["dream:", "Dream entries"],
  ["agent_notes:", "Notes of agents"],
  ["curated_notes:", "Curated notes"],
  ["session:", "Sessions as prompts see them"],
  ["session_raw:", "Sessions word for word"],
  ["session_recall:", "Turns that can be recalled"],
  ["session_summary:", "Summaries"],
  ["session_commit:", "Marks of what was committed"],
  ["authored:hard", "Hard rules"],
  ["authored:soft", "Soft rules"],
  ["authored:variant", "Notes of documents (lore)"],
  ["global", "Shared facts"],
  ["_internal:", "The daemon's own books"],
];

const OTHER = ["", "Collections of clients"];

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
