/** Searching and reading memory, in the host's terms: hits with a path, and the text behind a path. */

/** Scopes that have no session: what was said in one is in the history too. */
const SCOPES = ["durable", "history", "lore", "elevated", "global"];
const SNIPPET = 700;
const MOST_RESULTS = 50;

/**
 * @typedef {object} Found
 * @property {string} path `scope/id`, for `read`
 * @property {number} startLine
 * @property {number} endLine
 * @property {number} score
 * @property {string} snippet
 * @property {"memory" | "sessions"} source
 * @property {string} citation
 * @property {string} at
 * @property {string} role
 */

/**
 * @param {import("./link.js").Link} link
 * @param {string} namespace
 * @param {string} question
 * @param {{maxResults?: number, minScore?: number, signal?: AbortSignal}} options
 * @returns {Promise<{hits: Found[], degraded: string}>}
 */
export async function search(link, namespace, question, { maxResults = 8, minScore = 0, signal } = {}) {
  const k = Math.min(MOST_RESULTS, Math.max(1, Math.floor(maxResults)));
  const answer = await link.call("search", { question, namespace, scopes: SCOPES, k, isQuiet: true }, { signal });
  const hits = answer.hits.map(found).filter((hit) => hit.score >= minScore);
  return { hits, degraded: answer.degraded ?? "" };
}

function found({ record, score }) {
  const path = `${scopeOf(record.collection)}/${record.id}`;
  return {
    path,
    startLine: 1,
    endLine: record.text.split("\n").length,
    score,
    snippet: record.text.length > SNIPPET ? `${record.text.slice(0, SNIPPET)}…` : record.text,
    source: "memory",
    citation: path,
    at: new Date(record.at).toISOString(),
    role: String(record.metadata.role ?? ""),
  };
}

/**
 * The text behind a path, or some lines of it.
 *
 * @param {import("./link.js").Link} link
 * @param {string} namespace
 * @param {{path: string, from?: number, lines?: number}} wanted
 */
export async function read(link, namespace, { path, from = 1, lines }) {
  const slash = path.indexOf("/");
  const scope = path.slice(0, slash);
  if (!SCOPES.includes(scope)) return { status: "not_found", text: "", path };
  const { records } = await link.call("read_memory", { scope, id: path.slice(slash + 1), namespace });
  if (!records.length) return { status: "not_found", text: "", path };
  const all = records[0].text.split("\n");
  const first = Math.max(1, Math.floor(from));
  const shown = all.slice(first - 1, lines === undefined ? undefined : first - 1 + Math.max(1, Math.floor(lines)));
  const next = first + shown.length;
  const isCut = next <= all.length;
  return {
    status: "ok",
    text: shown.join("\n"),
    path,
    from: first,
    lines: shown.length,
    ...(isCut ? { truncated: true, nextFrom: next } : {}),
  };
}

function scopeOf(collection) {
  if (collection.startsWith("user:")) return "durable";
  if (collection.startsWith("history:")) return "history";
  if (collection.startsWith("elevated:")) return "elevated";
  return collection.startsWith("authored:") ? "lore" : "global";
}
