/**
 * Who speaks: the agent and the session of a call, and the namespace of the memory that it means.
 *
 * A session's key tells with whom the host talks. A memory belongs to a person: a direct peer has one on all channels
 * that the host's `session.identityLinks` join; a group has one of its own; what has no peer is the owner's. A key of no
 * known kind keeps to itself: nobody's words may reach somebody else because the host learnt a new kind of chat.
 */
import { createHash } from "node:crypto";

const DEFAULT_AGENT = "main";
/** What begins so is derived; an id of the user's own choice never does. The daemon has the same list. */
export const DERIVED = ["user-id:", "session-key:", "agent-id:", "session:", "user:", "person:", "group:"];
const THREAD = ":thread:";
const DIRECT = ["direct", "dm"];
const GROUP = ["group", "channel"];
/** Sessions that another session starts; whose they are, only that one tells. */
const CHILDREN = ["subagent", "acp"];
/** Sessions of the owner's own doors and of his machine. */
const OWNERS = ["main", "global", "dashboard", "explicit", "cron", "hook", "hooks", "heartbeat", "webchat", "tui"];
const TOPIC = /^(-?\d+):topic:\d+$/;
const LONGEST_PART = 200;

/**
 * The agent in a session key, `agent:<id>:…`; a key without one is the default agent's, as the host has it.
 *
 * @param {string | undefined} sessionKey
 */
export function agentOf(sessionKey) {
  if (!sessionKey) return "";
  return /^agent:([^:]+):/i.exec(sessionKey)?.[1] ?? DEFAULT_AGENT;
}

/** True when another agent, not a person, speaks in a session. */
export function isSubagent(sessionKey) {
  return /(^|:)subagent:/i.test(sessionKey ?? "");
}

/** True for a chat of several people. */
export function isGroup(sessionKey) {
  return peerOf(sessionKey ?? "").kind === "group";
}

/**
 * With whom a session talks, by its key.
 *
 * @param {string} sessionKey
 * @returns {{kind: "direct" | "group", channel: string, account: string, peer: string, room?: string}
 *   | {kind: "owner" | "child" | "unknown"}}
 */
export function peerOf(sessionKey) {
  const rest = withoutThread(sessionKey.replace(/^agent:[^:]+:/i, ""));
  const parts = rest.split(":");
  const [first, second, third] = parts.map((part) => part.toLowerCase());
  const found = (kind, places) => {
    const [channel, account, from] = places;
    const peer = parts.slice(from).join(":");
    return peer ? { kind, channel, account, peer } : { kind: "unknown" };
  };
  if (CHILDREN.includes(first)) return { kind: "child" };
  if (first === "agent") return { kind: "unknown" };
  if (DIRECT.includes(first) && parts.length > 1) return found("direct", ["", "", 1]);
  if (GROUP.includes(second)) return { ...found("group", [first, "", 2]), room: second };
  if (DIRECT.includes(second) || second === "slash") return found("direct", [first, "", 2]);
  if (GROUP.includes(third)) return { ...found("group", [first, second, 3]), room: third };
  if (DIRECT.includes(third)) return found("direct", [first, second, 3]);
  return { kind: parts.length === 1 || OWNERS.includes(first) ? "owner" : "unknown" };
}

/** A thread belongs to the chat in which it was opened. */
function withoutThread(key) {
  const at = key.toLowerCase().lastIndexOf(THREAD);
  return at > 0 ? key.slice(0, at) : key;
}

/** Namespaces by the user's policy; a subagent has the memory of who started it. */
export class Identities {
  #settings;
  #links;
  #parents = new Map();

  /**
   * @param {import("./config.js").Settings} settings
   * @param {() => unknown} links the host's `session.identityLinks`, as they are now
   */
  constructor(settings, links = () => undefined) {
    this.#settings = settings;
    this.#links = links;
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
   * in for one; an id that begins like such a prefix has one of its own. The session key counts before the agent,
   * since not every step is told both.
   *
   * @param {{sessionKey?: string, agentId?: string, sessionId?: string}} call
   */
  namespaceOf({ sessionKey = "", agentId = "", sessionId = "" }) {
    const user = this.#settings.userId.normalize("NFC").trim();
    if (user) return DERIVED.some((prefix) => user.startsWith(prefix)) ? `user-id:${user}` : user;
    const key = this.#eldest(sessionKey);
    if (this.#settings.memoryPer === "session" && key) return `session-key:${key}`;
    const own = this.#settings.memoryPer === "person" && key ? this.#peers(key) : "";
    if (own) return own;
    const agent = agentOf(key) || agentId;
    if (agent) return `agent-id:${agent}`;
    return sessionId ? `session:${sessionId}` : "default";
  }

  /** The namespace of the person or the group behind a key; empty for the owner's. */
  #peers(key) {
    const { kind, channel, account, peer, room } = peerOf(key);
    if (kind === "owner") return "";
    if (kind === "direct") {
      const linked = linkedName(this.#links(), channel, peer);
      return `person:${(linked ? [linked] : [channel, ...(account ? [account] : []), peer]).map(written).join(":")}`;
    }
    if (kind === "group") {
      const id = channel === "telegram" ? peer.replace(TOPIC, "$1") : peer;
      return `group:${[channel, ...(account ? [account] : []), room, id].map(written).join(":")}`;
    }
    return `session-key:${key}`;
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

/**
 * The canonical name of a direct peer by the host's identity links; empty where nobody linked him.
 *
 * The host writes that name into the session keys of linked peers. A stranger who calls himself so on a channel on
 * which the person has no link is not the person.
 */
function linkedName(links, channel, peer) {
  if (!links || typeof links !== "object") return "";
  const told = folded(peer);
  const wanted = [told, ...(channel ? [`${channel}:${told}`] : [])];
  for (const [name, ids] of Object.entries(links)) {
    const canonical = folded(name);
    const known = Array.isArray(ids) ? ids.filter((id) => typeof id === "string").map(folded) : [];
    if (!canonical) continue;
    if (known.some((id) => wanted.includes(id))) return canonical;
    const isHere = channel ? known.some((id) => id.startsWith(`${channel}:`)) : known.length > 0;
    if (canonical === told && isHere) return canonical;
  }
  return "";
}

function folded(name) {
  return name.normalize("NFC").trim().toLowerCase();
}

/**
 * A part of a namespace, so that different parts never give the same whole: what separates parts, spaces and what
 * cannot be seen or sent are written as numbers, and a very long one as its digest.
 */
function written(part) {
  const plain = part
    .normalize("NFC")
    .replace(/[%:\s\p{C}]/gu, (one) => `%${one.codePointAt(0).toString(16).padStart(2, "0")};`);
  if (plain.length <= LONGEST_PART) return plain;
  return `%sha256;${createHash("sha256").update(plain).digest("hex")}`;
}
