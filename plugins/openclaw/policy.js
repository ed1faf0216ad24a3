/**
 * Which agents and sessions have a memory at all: the host's own opt-out, sessions to be ignored, and heartbeats.
 */
import { agentOf } from "./identity.js";

/** How the host's heartbeats begin; nobody said them. */
const HEARTBEATS = [
  "[OpenClaw heartbeat poll]",
  "Follow the heartbeat monitor scratch context when provided.",
  "Run the following periodic tasks (only those due based on their intervals):",
  "Read HEARTBEAT.md if it exists",
];
const LONGEST_KEY = 4_096;

export class Policy {
  #ignored;
  #hostConfig;

  /**
   * @param {import("./config.js").Settings} settings
   * @param {() => any} hostConfig the host's whole configuration, as it is now
   */
  constructor({ ignoreSessions = [] }, hostConfig = () => ({})) {
    this.#ignored = ignoreSessions.filter((pattern) => typeof pattern === "string");
    this.#hostConfig = hostConfig;
  }

  /** False for an agent whose memory is switched off in the host: no tools, no recall, nothing is kept. */
  hasMemory({ sessionKey, agentId }) {
    const config = this.#hostConfig() ?? {};
    const own = entryOf(config, agentOf(sessionKey) || agentId)?.memory?.search?.enabled;
    const general = config.agents?.defaults?.memory?.search?.enabled ?? config.memory?.search?.enabled;
    return (own ?? general ?? true) !== false;
  }

  /** True when what is said in a session is recalled and kept by itself. */
  isRemembered(call) {
    return this.hasMemory(call) && !this.isIgnored(call.sessionKey ?? "");
  }

  /** True for a session that the user wants to be left alone. */
  isIgnored(sessionKey) {
    const key = sessionKey.slice(0, LONGEST_KEY).toLowerCase();
    return this.#ignored.some((pattern) => matches(pattern.toLowerCase(), key));
  }

  /** True for the text with which the host wakes an agent. */
  isHeartbeat(text, sessionKey) {
    const told = typeof text === "string" ? text.trim() : "";
    const config = this.#hostConfig() ?? {};
    const prompts = [entryOf(config, agentOf(sessionKey)), config.agents?.defaults]
      .map((agent) => agent?.heartbeat?.prompt)
      .filter((prompt) => typeof prompt === "string" && prompt.trim())
      .map((prompt) => prompt.trim());
    const isOwn = prompts.some((prompt) => told === prompt || told.startsWith(`${prompt}\n`));
    return isOwn || HEARTBEATS.some((begin) => told.startsWith(begin));
  }
}

function entryOf(config, agent) {
  const wanted = (agent || "").toLowerCase();
  return Object.entries(config.agents?.entries ?? {}).find(([id]) => id.toLowerCase() === wanted)?.[1];
}

/** Whether a text is what a pattern says: `*` stands for any characters, `?` for one. No pattern takes for ever. */
export function matches(pattern, text) {
  let [at, star, from] = [0, -1, 0];
  for (let place = 0; place < text.length; ) {
    if (at < pattern.length && pattern[at] === "*") {
      star = at++;
      from = place;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === text[place])) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      at = star + 1;
      place = ++from;
    } else return false;
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
