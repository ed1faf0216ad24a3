/**
 * The tools of the model: search and read, remember and forget, open a summary, look at the profile.
 *
 * What they return was said or written by others: it is data. Whose memory it is tells the host, never the model.
 */
import { wrongIn } from "./arguments.js";
import { DaemonAway } from "./client.js";
import { isNote } from "./notes.js";
import { read, recordAt, search } from "./recall.js";

export const TOOL_NAMES = [
  "memory_search",
  "memory_get",
  "memory_remember",
  "memory_forget",
  "memory_expand",
  "memory_profile",
];

const MOST_FORGOTTEN = 20;
const CANDIDATES = 8;
const EXPANDED_TOKENS = 4_000;
/** What can be forgotten by its path, and the collection it stands in. Rules and notes are the user's own files. */
const FORGETTABLE = { durable: "user:", history: "history:" };

const TOOLS = {
  memory_search: {
    label: "Memory search",
    description:
      "Search long-term memory: everything said in earlier conversations, durable facts, summaries and notes. " +
      "Use it before answering about earlier decisions, dates, people, preferences or to-dos when the context " +
      "does not already hold the answer.",
    properties: {
      query: { type: "string", minLength: 1, description: "What to look for, as a question or in a few words." },
      maxResults: { type: "integer", minimum: 1, maximum: 50, description: "Most results to return (default 8)." },
      minScore: { type: "number", minimum: 0, maximum: 1, description: "Leave out results below this score." },
    },
    required: ["query"],
    act: searched,
  },
  memory_get: {
    label: "Memory get",
    description: "Read the whole text behind a path that memory_search returned, or some lines of it.",
    properties: {
      path: { type: "string", minLength: 1, description: "The path of a result of memory_search." },
      from: { type: "integer", minimum: 1, description: "First line (default 1)." },
      lines: { type: "integer", minimum: 1, description: "How many lines (default: all; 200 of a note)." },
    },
    required: ["path"],
    act: got,
  },
  memory_remember: {
    label: "Memory remember",
    description:
      "Keep something for good, when the user asks you to remember it or tells something he will want known later. " +
      "One statement that can be understood by itself, with names and dates instead of 'he' or 'tomorrow'.",
    properties: {
      text: { type: "string", minLength: 3, maxLength: 4_000, description: "What to remember, in one statement." },
    },
    required: ["text"],
    act: remembered,
  },
  memory_forget: {
    label: "Memory forget",
    description:
      "Forget memories, wherever they left text. With a query nothing is deleted: it returns candidates. Show them to " +
      "the user, ask which are meant, then call again with their paths.",
    properties: {
      query: { type: "string", minLength: 1, description: "What the memories to be forgotten are about." },
      paths: {
        type: "array",
        minItems: 1,
        maxItems: MOST_FORGOTTEN,
        items: { type: "string", minLength: 1 },
        description: "Paths of results (durable/… or history/…) that the user confirmed.",
      },
    },
    required: [],
    act: forgotten,
  },
  memory_expand: {
    label: "Memory expand",
    description: "Open a summary (a result summary/… of memory_search): the turns that it stands for, word for word.",
    properties: {
      path: { type: "string", minLength: 1, description: "The path of a summary, summary/…" },
      maxTokens: { type: "integer", minimum: 50, maximum: 20_000, description: "Most tokens (default 4000)." },
    },
    required: ["path"],
    act: expanded,
  },
  memory_profile: {
    label: "Memory profile",
    description: "What is known and current about the user, in his own words: home, work, family, preferences …",
    properties: {},
    required: [],
    act: profiled,
  },
};

/**
 * The tools of one run.
 *
 * @param {import("./engine.js").Office} office
 * @param {{agentId?: string, sessionKey?: string, sessionId?: string}} ctx who runs; from the host, not from the model
 */
export function makeTools(office, ctx) {
  const call = () => ({ office, ctx, link: office.link, namespace: office.identities.namespaceOf(ctx) });
  return TOOL_NAMES.map((name) => {
    const { label, description, properties, required, act } = TOOLS[name];
    const parameters = { type: "object", additionalProperties: false, required, properties };
    return {
      name,
      label,
      description,
      parameters,
      catalogMode: "direct-only",
      execute: (_, given, signal) =>
        answered(async () => {
          const wrong = wrongIn(given ?? {}, parameters);
          if (wrong) throw new Mistaken(wrong.problem, wrong.remedy);
          return await act(call(), given ?? {}, signal);
        }),
    };
  });
}

/** The model asked in a way that cannot be carried out. */
class Mistaken extends Error {
  constructor(problem, remedy) {
    super(problem);
    this.remedy = remedy;
  }
}

async function searched({ office, ctx, link, namespace }, { query, maxResults, minScore }, signal) {
  const notesOf = await office.notes.searchedIn(ctx);
  const options = { maxResults, minScore, notesOf, session: ctx.sessionId, signal };
  const { hits, degraded } = await search(link, namespace, query, options);
  return { results: hits.map(brief), ...(degraded ? { degraded } : {}) };
}

async function got({ office, ctx, link, namespace }, wanted) {
  return isNote(wanted.path) ? await office.notes.read(ctx, wanted) : await read(link, namespace, wanted);
}

/** An explicit request is kept whatever the gate would say; what it replaces becomes outdated. */
async function remembered({ link, namespace }, { text }) {
  const notes = [{ text, collection: `${FORGETTABLE.durable}${namespace}`, metadata: { source: "memory_remember" } }];
  const { remembered: [done] } = await link.call("remember", { notes }, { lane: "keep" });
  return {
    status: done.isNew ? "remembered" : "known already",
    path: `durable/${done.record.id}`,
    text: done.record.text,
    ...(done.degraded ? { degraded: done.degraded } : {}),
  };
}

async function forgotten(call, { query, paths }, signal) {
  if ((query === undefined) === (paths === undefined))
    throw new Mistaken(
      "give either query or paths",
      "First query, to see candidates; then, when the user has said which are meant, their paths.",
    );
  return paths === undefined ? await candidates(call, query, signal) : await forgottenAt(call, paths);
}

async function candidates({ link, namespace }, query, signal) {
  const { hits } = await search(link, namespace, query, { maxResults: CANDIDATES, signal });
  return {
    status: "nothing was deleted",
    candidates: hits.filter(({ path }) => placeOf(path)).map(brief),
    next: "Ask the user which of these are meant, then call memory_forget with their paths.",
  };
}

/**
 * Forget what stands at some paths, and tell what it was.
 *
 * @param {{link: import("./link.js").Link, namespace: string}} call
 * @param {string[]} paths `durable/…` or `history/…`
 */
export async function forgottenAt({ link, namespace }, paths) {
  const wrong = paths.find((path) => !placeOf(path));
  if (wrong !== undefined)
    throw new Mistaken(
      `${JSON.stringify(wrong)} cannot be forgotten by its path`,
      isNote(wrong) ? "It is a note of the workspace: edit the file." : "Use paths durable/… or history/….",
    );
  const found = [];
  const missing = [];
  for (const path of new Set(paths)) {
    const record = await recordAt(link, namespace, path);
    if (record) found.push({ path, text: record.text });
    else missing.push(path);
  }
  for (const scope of Object.keys(FORGETTABLE)) {
    const ids = found.map(({ path }) => placeOf(path)).filter((place) => place.scope === scope).map(({ id }) => id);
    const collection = FORGETTABLE[scope] + namespace;
    if (ids.length) await link.call("forget", { collection, ids }, { lane: "keep" });
  }
  return { forgotten: found, ...(missing.length ? { notFound: missing } : {}) };
}

function placeOf(path) {
  const [, scope, id] = /^(durable|history)\/(.+)$/s.exec(path) ?? [];
  return scope ? { scope, id } : null;
}

async function expanded({ ctx, link, namespace }, { path, maxTokens = EXPANDED_TOKENS }) {
  if (!path.startsWith("summary/") || !ctx.sessionId)
    throw new Mistaken("that is no summary of this session", "Use a path summary/… that memory_search returned.");
  const asked = { sessionId: ctx.sessionId, namespace, summaryId: path.slice("summary/".length), maxTokens };
  const { records } = await link.call("expand", asked);
  if (!records.length) return { status: "not_found", path };
  return {
    path,
    turns: records.map(({ text, at, metadata }) => ({
      at: new Date(at).toISOString().slice(0, 16),
      role: String(metadata.role ?? metadata.type ?? ""),
      text,
    })),
  };
}

async function profiled({ link, namespace }) {
  const { lines } = await link.call("profile_show", { namespace });
  return {
    lines: lines.map(({ kind, subject, text, since }) => ({
      kind,
      ...(subject ? { about: subject } : {}),
      text,
      since: new Date(since).toISOString().slice(0, 10),
    })),
  };
}

/** A hit as the model needs it: every word of it costs. */
function brief({ path, startLine, endLine, score, at, role, snippet }) {
  const place = isNote(path) ? { startLine, endLine } : { at: at.slice(0, 16) };
  return { path, ...place, score: Number(score.toFixed(3)), ...(role ? { role } : {}), text: snippet };
}

/** A tool's answer; that memory is away, or that it was asked wrongly, is an answer too. */
async function answered(ask) {
  let details;
  try {
    details = await ask();
  } catch (error) {
    const reason = error instanceof DaemonAway ? "memory is away" : error.message;
    const remedy = error instanceof DaemonAway ? "Go on without it, and tell the user." : error.remedy;
    const isOff = !(error instanceof Mistaken);
    details = { error: reason, ...(remedy ? { remedy } : {}), ...(isOff ? { results: [], disabled: true } : {}) };
  }
  return { content: [{ type: "text", text: JSON.stringify(details) }], details };
}
