/** Searching and reading memory, in the host's terms: hits with a path, and the text behind a path. */
import { excerpt, isNote } from "./notes.js";

/** Scopes that have no session: what was said in one is in the history too. */
const SCOPES = ["durable", "history", "lore", "elevated", "global"];
const SNIPPET = 700;
const MOST_RESULTS = 50;

/**
 * @typedef {object} Found
 * @property {string} path `scope/id`, or of a note its path in the workspace; for `read`
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
 * @param {{maxResults?: number, minScore?: number, notesOf?: string, session?: string, signal?: AbortSignal}} options
 *   `notesOf`: the agent whose notes are searched too; `session`: one whose summaries are
 * @returns {Promise<{hits: Found[], degraded: string}>}
 */
export async function search(link, namespace, question, options = {}) {
  const { maxResults = 8, minScore = 0, notesOf = "", session = "", signal } = options;
  const k = Math.min(MOST_RESULTS, Math.max(1, Math.floor(maxResults) || 1));
  const asked = {
    question,
    namespace,
    scopes: session ? [...SCOPES, "summary"] : SCOPES,
    k,
    isQuiet: true,
    ...(notesOf ? { notesOf } : {}),
    ...(session ? { session } : {}),
  };
  const answer = await link.call("search", asked, { signal });
  const hits = answer.hits.map(found).filter((hit) => hit.score >= minScore);
  return { hits, degraded: answer.degraded ?? "" };
}

function found({ record, score }) {
  const told = record.metadata;
  const lines = isOfNote(record) ? [told.line, told.line_end] : [1, record.text.split("\n").length];
  const path = isOfNote(record) ? told.source_doc : `${scopeOf(record.collection)}/${record.id}`;
  return {
    path,
    startLine: lines[0],
    endLine: lines[1],
    score,
    snippet: record.text.length > SNIPPET ? `${record.text.slice(0, SNIPPET)}…` : record.text,
    source: "memory",
    citation: isOfNote(record) ? `${path}#L${lines[0]}-L${lines[1]}` : path,
    at: new Date(record.at).toISOString(),
    role: String(told.role ?? ""),
  };
}

/** True for a passage of an agent's notes. */
function isOfNote({ collection, metadata }) {
  return /^(?:agent|curated)_notes:/.test(collection) && isNote(metadata.source_doc);
}

/**
 * The text behind a path of memory, or some lines of it. Notes are read in their workspace.
 *
 * @param {import("./link.js").Link} link
 * @param {string} namespace
 * @param {{path: string, from?: number, lines?: number}} wanted
 */
export async function read(link, namespace, { path, from = 1, lines }) {
  const record = await recordAt(link, namespace, path);
  if (!record) return { status: "not_found", text: "", path };
  return excerpt(record.text, { path, from, lines });
}

/**
 * What stands at a path `scope/id`; undefined when the namespace has nothing there.
 *
 * @param {import("./link.js").Link} link
 * @param {string} namespace
 * @param {string} path
 */
export async function recordAt(link, namespace, path) {
  const slash = path.indexOf("/");
  const scope = path.slice(0, Math.max(0, slash));
  if (!SCOPES.includes(scope)) return undefined;
  const { records } = await link.call("read_memory", { scope, id: path.slice(slash + 1), namespace });
  return records[0];
}

function scopeOf(collection) {
  if (collection.startsWith("user:") || collection.startsWith("dream:")) return "durable";
  if (collection.startsWith("history:")) return "history";
  if (collection.startsWith("elevated:")) return "elevated";
  if (collection.startsWith("session_summary:")) return "summary";
  return collection.startsWith("authored:") ? "lore" : "global";
}
