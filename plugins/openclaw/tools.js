/** `memory_search` and `memory_get` for the model. What they return was said or written by others: it is data. */
import { DaemonAway } from "./client.js";
import { read, search } from "./recall.js";

export const TOOL_NAMES = ["memory_search", "memory_get"];

const SEARCH_PARAMETERS = {
  type: "object",
  additionalProperties: false,
  required: ["query"],
  properties: {
    query: { type: "string", minLength: 1, description: "What to look for, as a question or in a few words." },
    maxResults: { type: "integer", minimum: 1, maximum: 50, description: "Most results to return (default 8)." },
    minScore: { type: "number", minimum: 0, maximum: 1, description: "Leave out results below this score." },
  },
};

const GET_PARAMETERS = {
  type: "object",
  additionalProperties: false,
  required: ["path"],
  properties: {
    path: { type: "string", minLength: 1, description: "The path of a result of memory_search." },
    from: { type: "integer", minimum: 1, description: "First line (default 1)." },
    lines: { type: "integer", minimum: 1, description: "How many lines (default: all)." },
  },
};

/**
 * The tools of one run.
 *
 * @param {import("./engine.js").Office} office
 * @param {{agentId?: string, sessionKey?: string, sessionId?: string}} ctx who runs; from the host, not from the model
 */
export function makeTools({ link, identities }, ctx) {
  const namespace = () => identities.namespaceOf(ctx);
  return [
    {
      name: "memory_search",
      label: "Memory search",
      description:
        "Search long-term memory: everything said in earlier conversations, durable facts and authored notes. " +
        "Use it before answering about earlier decisions, dates, people, preferences or to-dos when the context " +
        "does not already hold the answer.",
      parameters: SEARCH_PARAMETERS,
      catalogMode: "direct-only",
      execute: (_, { query, maxResults, minScore }, signal) =>
        answered(async () => {
          const { hits, degraded } = await search(link, namespace(), query, { maxResults, minScore, signal });
          return { results: hits.map(brief), ...(degraded ? { degraded } : {}) };
        }),
    },
    {
      name: "memory_get",
      label: "Memory get",
      description: "Read the whole text behind a path that memory_search returned, or some lines of it.",
      parameters: GET_PARAMETERS,
      catalogMode: "direct-only",
      execute: (_, wanted) => answered(() => read(link, namespace(), wanted)),
    },
  ];
}

/** A hit as the model needs it: every word of it costs. */
function brief({ path, score, at, role, snippet }) {
  return { path, score: Number(score.toFixed(3)), at: at.slice(0, 16), ...(role ? { role } : {}), text: snippet };
}

/** A tool's answer; that memory is away is an answer too. */
async function answered(ask) {
  let details;
  try {
    details = await ask();
  } catch (error) {
    const reason = error instanceof DaemonAway ? "memory is away" : error.message;
    details = { results: [], disabled: true, error: reason };
  }
  return { content: [{ type: "text", text: JSON.stringify(details) }], details };
}
