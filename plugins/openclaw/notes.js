/**
 * The agent's own notes: `MEMORY.md` and `memory/**` of its workspace.
 *
 * The daemon keeps them in step with their files once it knows which workspace is whose. They are the agent's, and are
 * seen where the host shows them itself: in sessions of the owner and in direct chats, never in groups. What the host
 * puts into the prompt by itself (`MEMORY.md`) is found by a search, and not recalled beside it.
 */
import fs from "node:fs/promises";
import { constants } from "node:fs";
import path from "node:path";

import { DaemonAway, DaemonRefused } from "./client.js";
import { agentOf, peerOf } from "./identity.js";

const CURATED = ["MEMORY.md", "memory.md", "USER.md"];
const DIARY = ["DREAMS.md", "dreams.md"];
const PART = "(?!\\.)[^/\\\\\\u0000-\\u001f]+";
const NOTE = new RegExp(`^(?:MEMORY\\.md|memory\\.md|memory/(?:${PART}/){0,6}${PART}\\.md)$`);
const USERS_OWN = /^users\/[a-zA-Z0-9][a-zA-Z0-9_-]{0,127}\/USER\.md$/;
const MOST_BYTES = 1_048_576;
const USUAL_LINES = 200;
const FIRST_LOOK_MS = 5_000;
const DEFAULT_AGENT = "main";

/** True for a path within a workspace that names a note. */
export function isNote(relPath) {
  return typeof relPath === "string" && relPath.length <= 1_024 && NOTE.test(relPath);
}

/** Which workspace is whose, and who may see what stands there. */
export class Notes {
  #settings;
  #link;
  #policy;
  #logger;
  #hostConfig;
  #resolve;
  /**
   * What the daemon was told, by agent.
   * @type {Map<string, {folder: string, isReady: boolean, done: Promise<boolean>}>}
   */
  #told = new Map();
  #isRefused = false;

  /**
   * @param {{settings: import("./config.js").Settings, link: import("./link.js").Link,
   *   policy: import("./policy.js").Policy, logger: import("./link.js").Logger,
   *   hostConfig: () => any, resolveWorkspace?: (config: any, agentId: string) => string}} host
   */
  constructor({ settings, link, policy, logger, hostConfig, resolveWorkspace }) {
    this.#settings = settings;
    this.#link = link;
    this.#policy = policy;
    this.#logger = logger;
    this.#hostConfig = hostConfig;
    this.#resolve = resolveWorkspace;
  }

  /** The namespace of an agent's notes. */
  ownerOf({ sessionKey, agentId }) {
    return `agent-id:${agentOf(sessionKey) || agentId || DEFAULT_AGENT}`;
  }

  /**
   * The namespace of the notes that are recalled by themselves in a session; empty when there are none, or the daemon
   * has not looked at them yet. Into sessions of subagents and of cron the host puts no MEMORY.md either.
   *
   * @param {{sessionKey?: string, agentId?: string}} call
   */
  recalledIn(call) {
    if (!this.#maySee(call) || /^(?:agent:[^:]+:)?(?:cron|hooks?):/i.test(call.sessionKey ?? "")) return "";
    this.tell(call);
    return this.#told.get(this.ownerOf(call))?.isReady ? this.ownerOf(call) : "";
  }

  /**
   * The namespace of the notes that a session may search; empty when it may see none, or the daemon is still busy with
   * its first look at them.
   *
   * @param {{sessionKey?: string, agentId?: string}} call
   */
  async searchedIn(call) {
    if (!this.#maySee(call)) return "";
    const isReady = await Promise.race([this.#tell(call), later(FIRST_LOOK_MS)]);
    return isReady ? this.ownerOf(call) : "";
  }

  #maySee(call) {
    if (this.#settings.notes === false || !this.#policy.hasMemory(call)) return false;
    const { kind } = call.sessionKey ? peerOf(call.sessionKey) : { kind: "owner" };
    return kind === "owner" || kind === "direct";
  }

  /** Hits as a session may see them. */
  permitted(call, hits) {
    return this.#maySee(call) ? hits : hits.filter((hit) => !isNote(hit.path));
  }

  /** The folder of an agent; empty when the host does not tell. */
  workspaceOf({ sessionKey, agentId }) {
    try {
      const folder = this.#resolve?.(this.#hostConfig(), agentOf(sessionKey) || agentId || DEFAULT_AGENT);
      return typeof folder === "string" && path.isAbsolute(folder) ? folder : "";
    } catch {
      return ""; // the host knows no such agent
    }
  }

  /** Tell the daemon whose workspace this is, once, behind what goes on; what fails is told again at the next turn. */
  tell(call) {
    this.#tell(call).catch((error) => this.#logger.warn(`libravdb: notes: ${error.message}`));
  }

  /** Tell it of every agent that the host has. */
  tellAll() {
    const named = Object.keys(this.#hostConfig()?.agents?.entries ?? {});
    const agents = named.length ? named : [DEFAULT_AGENT];
    for (const agentId of agents) this.tell({ agentId });
  }

  /** Whether the daemon keeps the notes of the agent in step. */
  async #tell(call) {
    const namespace = this.ownerOf(call);
    const isWanted = this.#settings.notes !== false && this.#policy.hasMemory(call);
    const folder = isWanted ? this.workspaceOf(call) : "";
    if (this.#isRefused || (isWanted && !folder)) return false;
    const before = this.#told.get(namespace);
    if (before?.folder === folder) return await before.done;
    const telling = { folder, isReady: false, done: Promise.resolve(false) };
    telling.done = this.#deliver(namespace, telling);
    this.#told.set(namespace, telling);
    return await telling.done;
  }

  async #deliver(namespace, telling) {
    try {
      if (telling.folder) {
        await this.#link.call("watch_notes", { namespace, folder: telling.folder }, { lane: "long" });
        telling.isReady = true;
      } else await this.#link.call("unwatch_notes", { namespace });
      return telling.isReady;
    } catch (error) {
      if (this.#told.get(namespace) === telling) this.#told.delete(namespace);
      if (error instanceof DaemonRefused) {
        this.#isRefused = error.isFinal || error.isUnauthenticated || error.kind === "Forbidden";
        this.#logger.warn(`libravdb: the notes in ${telling.folder} are not searched: ${error.message}`);
      } else if (!(error instanceof DaemonAway)) throw error;
      return false;
    }
  }

  /**
   * Some lines of a note, as they are in its file now.
   *
   * @param {{sessionKey?: string, agentId?: string}} call
   * @param {{path: string, from?: number, lines?: number}} wanted
   */
  async read(call, { path: relPath, from = 1, lines = USUAL_LINES }) {
    const missing = { status: "not_found", text: "", path: relPath };
    const folder = this.workspaceOf(call);
    if (!isNote(relPath) || !folder || !this.#maySee(call)) return missing;
    const text = await readWithin(folder, relPath);
    return text === null ? missing : excerpt(text, { path: relPath, from, lines });
  }

  /** The diary of an agent's dreams; null when it has none. */
  async diary(call) {
    const folder = this.workspaceOf(call);
    for (const name of folder ? DIARY : []) {
      const text = await readWithin(folder, name);
      if (text !== null) return text;
    }
    return null;
  }
}

/** Nothing, after a while; nobody is kept from ending by it. */
function later(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms, false).unref());
}

/**
 * Some lines of a text, and where to go on.
 *
 * @param {string} text
 * @param {{path: string, from?: number, lines?: number}} wanted
 */
export function excerpt(text, { path: relPath, from = 1, lines }) {
  const all = text.split("\n");
  const first = Math.max(1, Math.floor(from));
  const shown = all.slice(first - 1, lines === undefined ? undefined : first - 1 + Math.max(1, Math.floor(lines)));
  const next = first + shown.length;
  return {
    status: "ok",
    text: shown.join("\n"),
    path: relPath,
    from: first,
    lines: shown.length,
    ...(next <= all.length ? { truncated: true, nextFrom: next } : {}),
  };
}

/** A regular file of a folder, through no link on the way; null when there is none. */
async function readWithin(folder, relPath) {
  try {
    const wanted = path.join(await fs.realpath(folder), ...relPath.split("/"));
    if ((await fs.realpath(wanted)) !== wanted) return null;
    const file = await fs.open(wanted, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const told = await file.stat();
      return told.isFile() && told.size <= MOST_BYTES ? (await file.readFile("utf8")).replace(/^\ufeff/, "") : null;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

/**
 * Where workspace files come from, as memory-core tells it: the host puts those of `owner` and `agent` into the prompt.
 *
 * @param {{workspaceDir: string, relativePaths: string[],
 *   readSources?: {relativePath: string, canonicalRelativePath?: string}[]}} params
 * @param {(where: {workspaceDir: string, relativePath: string}) => Promise<{originClass: string} | undefined>} recorded
 */
export async function classifyPaths({ workspaceDir, relativePaths, readSources }, recorded = async () => undefined) {
  return await Promise.all(
    relativePaths.map(async (relativePath) => {
      const within = readSources
        ? readSources.find((source) => source.relativePath === relativePath)?.canonicalRelativePath
        : await realWithin(workspaceDir, relativePath);
      return { relativePath, originClass: await originOf(workspaceDir, within, recorded) };
    }),
  );
}

async function originOf(workspaceDir, within, recorded) {
  if (!isCanonical(within)) return "untrusted";
  if (DIARY.includes(within) || /^memory\/(?:dreaming|\.dreams)(?:\/|$)/.test(within)) return "system";
  const isMemory =
    CURATED.includes(within) || USERS_OWN.test(within) || (within.startsWith("memory/") && within.endsWith(".md"));
  if (!isMemory) return "untrusted";
  const known = await recorded({ workspaceDir, relativePath: within });
  return known?.originClass ?? "agent";
}

function isCanonical(within) {
  return (
    typeof within === "string" &&
    within !== "" &&
    !/[\\\0]/.test(within) &&
    !path.posix.isAbsolute(within) &&
    path.posix.normalize(within) === within &&
    within !== "." &&
    !within.startsWith("..")
  );
}

async function realWithin(workspaceDir, relativePath) {
  try {
    const [folder, file] = await Promise.all([
      fs.realpath(workspaceDir),
      fs.realpath(path.resolve(workspaceDir, relativePath)),
    ]);
    return path.relative(folder, file).replaceAll(path.sep, "/");
  } catch {
    return undefined;
  }
}

/** What the host recorded of who wrote a file; a host that has no such record tells nothing. */
export async function recordedOrigin(where) {
  sdk ??= import("openclaw/plugin-sdk/memory-core-host-runtime-core").catch(() => ({}));
  return await (await sdk).readMemoryArtifactProvenance?.(where);
}

let sdk;
