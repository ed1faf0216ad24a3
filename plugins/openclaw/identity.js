/** Who speaks: the agent and the session of a call, and the namespace of the memory that it means. */

const SUBAGENT = ":subagent:";
const DEFAULT_AGENT = "main";
const DERIVED = ["user-id:", "session-key:", "agent-id:", "session:", "user:"];

/**
 * The agent in a session key, `agent:<id>:…`; a key without one is the default agent's, as the host has it.
 *
 * @param {string | undefined} sessionKey
 */
export function agentOf(sessionKey) {
  if (!sessionKey) return "";
  return /^agent:([^:]+):/.exec(sessionKey)?.[1] ?? DEFAULT_AGENT;
}

/** True when another agent, not a person, speaks in a session. */
export function isSubagent(sessionKey) {
  return (sessionKey ?? "").includes(SUBAGENT);
}

/** Namespaces by the user's policy; a subagent has the memory of who started it. */
export class Identities {
  #settings;
  #parents = new Map();

  /** @param {import("./config.js").Settings} settings */
  constructor(settings) {
    this.#settings = settings;
  }

  /** From now on a session speaks for another. */
  adopt(childKey, parentKey) {
    this.#parents.set(childKey, parentKey);
  }

  /** It no longer does. */
  release(childKey) {
    this.#parents.delete(childKey);
  }

  /**
   * The namespace of a call. Its form is the daemon's: a user's own id as it is, else a prefix that tells what stands
   * in for one; an id that begins like such a prefix has one of its own. The session key counts before the agent, since not every step is told both.
   *
   * @param {{sessionKey?: string, agentId?: string, sessionId?: string}} call
   */
  namespaceOf({ sessionKey = "", agentId = "", sessionId = "" }) {
    const user = this.#settings.userId.normalize("NFC").trim();
    if (user) return DERIVED.some((prefix) => user.startsWith(prefix)) ? `user-id:${user}` : user;
    const key = this.#eldest(sessionKey);
    if (this.#settings.memoryPer === "session" && key) return `session-key:${key}`;
    const agent = agentOf(key) || agentId;
    if (agent) return `agent-id:${agent}`;
    return sessionId ? `session:${sessionId}` : "default";
  }

  #eldest(key) {
    const seen = new Set();
    while (this.#parents.has(key) && !seen.has(key)) {
      seen.add(key);
      key = this.#parents.get(key);
    }
    return key;
  }
}
