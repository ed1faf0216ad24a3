// Where something is kept, in words: the engine's names of collections, as a person would say them.

const WORDS = [
  ["session_summary:", "summary", "Summaries stand for older turns of a session"],
  ["session_raw:", "said in the session", "Everything that was said in a session, word for word"],
  ["session_recall:", "said in the session", "Everything that was said in a session, word for word"],
  ["session:", "this session", "What is in view of the running session"],
  ["elevated:", "guidance", "Standing wishes to the agent"],
  ["history:", "history", "What was said, kept or not"],
  ["user:", "durable memory", "What was kept beyond its session"],
  ["dream:", "dreams", "What a diary of dreams told"],
  ["agent_notes:", "agent's notes", "What an agent wrote down in its workspace"],
  ["curated_notes:", "agent's notes", "What an agent wrote down in its workspace"],
  ["profile", "profile", "What is known and current about the person"],
  ["authored:hard", "hard rule", "A rule that stands in every prompt"],
  ["authored:soft", "soft rule", "A rule that stands there as far as there is room"],
  ["authored:variant", "lore", "Authored notes that are recalled when they fit"],
  ["global", "shared", "What all namespaces share"],
];

/** The id under which the history of a namespace knows a turn of a session. */
export const historyId = (session, turn) => `${session.replaceAll("%", "%25").replaceAll("/", "%2F")}/${turn}`;

/** The id by which any view finds something: turns in a session have one that only the session knows. */
export function findableId(collection, id, session = "") {
  const [kind, owner] = [collection.split(":")[0], collection.slice(collection.indexOf(":") + 1)];
  if (["session", "session_raw", "session_recall"].includes(kind) && collection.includes(":")) return historyId(owner, id);
  return !collection && session ? historyId(session, id) : id;
}

/** Whether the memory view can show it: rules and the profile have views of their own. */
export const isMemory = (collection) => !/^(profile|authored:)/.test(collection);

/** A collection in words: {label, about}. One of a client's own is told by its name. */
export function placeOf(collection) {
  const found = WORDS.find(([start]) => collection.startsWith(start));
  return found ? { label: found[1], about: found[2] } : { label: collection || "turn", about: collection ? "A collection of a client's own" : "A turn of the conversation" };
}
