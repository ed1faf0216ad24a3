/** What the tests share: a real daemon, and a host that takes the plugin's registrations as OpenClaw does. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { makePlugin } from "../index.js";

/** A Python in which libravdb is installed. */
export const PYTHON = process.env.PYTHON ?? "python3";

const FOLDER = path.dirname(import.meta.dirname);

/** A daemon with a folder of its own; it can be killed and started again. */
export class Daemon {
  #process = null;

  constructor(environment = {}) {
    this.home = fs.mkdtempSync(path.join(os.tmpdir(), "lv-"));
    this.endpoint = `unix:${path.join(this.home, "d.sock")}`;
    this.environment = environment;
  }

  async start() {
    this.#process = spawn(PYTHON, ["-m", "libravdb.daemon"], {
      env: {
        PATH: process.env.PATH,
        HOME: this.home,
        LIBRAVDB_STORE_PATH: path.join(this.home, "m.libravdb"),
        LIBRAVDB_DAEMON_ENDPOINT: this.endpoint,
        ...this.environment,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => this.#process.stdout.once("data", resolve));
    return this;
  }

  async kill() {
    if (!this.#process) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGKILL");
    await ended;
    this.#process = null;
  }

  async remove() {
    await this.kill();
    fs.rmSync(this.home, { recursive: true, force: true });
  }
}

/** The host: keeps what a plugin registers, and what it logs. */
export class Host {
  /**
   * @param {object} settings the plugin's
   * @param {object} config the host's, with `isLinked`: whether the plugin's folder is linked, or comes after memory-core,
   *   and `offerMs`: how often what waits is offered again
   */
  constructor(settings, { isLinked = true, offerMs = 3_600_000, ...config } = {}) {
    this.now = 0;
    this.config = config;
    this.stateDir = fs.mkdtempSync(path.join(os.tmpdir(), "lv-state-"));
    process.once("exit", () => fs.rmSync(this.stateDir, { recursive: true, force: true }));
    this.registrars = {};
    this.logged = [];
    this.hooks = {};
    this.delegated = [];
    const log = (level) => (text) => this.logged.push(`${level}: ${text}`);
    const sdk = {
      buildMemorySystemPromptAddition: ({ availableTools }) =>
        this.capability.promptBuilder({ availableTools }).join("\n"),
      delegateCompactionToRuntime: async (params) => {
        this.delegated.push(params);
        return { ok: true, compacted: true, result: { tokensBefore: 2, tokensAfter: 1 } };
      },
    };
    makePlugin({ loadSdk: async () => sdk, clock: () => this.now, offerMs }).register({
      pluginConfig: { startDaemon: false, ...settings },
      rootDir: FOLDER,
      config: { plugins: { load: { paths: isLinked ? [FOLDER] : ["/elsewhere"] } } },
      logger: { info: log("info"), warn: log("warn"), error: log("error") },
      runtime: {
        state: { resolveStateDir: () => this.stateDir },
        config: { current: () => this.config },
        agent: { resolveAgentWorkspaceDir: (config, agentId) => config.agents?.entries?.[agentId]?.workspace ?? "" },
      },
      registerContextEngine: (id, factory) => Object.assign(this, { engineId: id, engine: factory }),
      registerMemoryCapability: (capability) => Object.assign(this, { capability }),
      registerTool: (factory, { names }) => Object.assign(this, { toolsFor: factory, toolNames: names }),
      registerCli: (registrar, { descriptors: [{ name }] }) => Object.assign(this.registrars, { [name]: registrar }),
      on: (name, handler) => Object.assign(this.hooks, { [name]: handler }),
    });
  }

  get warnings() {
    return this.logged.filter((line) => line.startsWith("warn"));
  }

  /** A whole turn, as the host plays it: a new engine, a prompt, an answer, a commit or why there is none. */
  async turn(text, { session = "s1", sessionKey = `agent:main:${session}`, history = [], answer = "Noted." } = {}) {
    const engine = this.engine();
    const made = await engine.assemble({ sessionId: session, sessionKey, messages: history, prompt: text, ...COMMON });
    const messages = [user(text), assistant(answer)];
    const key = `${session}-${history.length}-${text}`;
    const commit = { advancementKey: key, messages, sessionId: session, sessionKey, sessionTarget: {} };
    const done = await engine.commitTurn(commit).catch((error) => error);
    return { made, done, history: [...history, ...messages] };
  }
}

/** The host hands over its whole configuration and functions: they must never be sent. */
const context = { config: {}, llm: { complete() {} } };
context.config.self = context;

export const COMMON = { tokenBudget: 16_000, availableTools: new Set(["memory_search"]), runtimeContext: context };

let now = 1_790_000_000_000;

export function user(text) {
  return { role: "user", content: text, timestamp: (now += 60_000) };
}

export function assistant(text) {
  return { role: "assistant", content: [{ type: "text", text }], timestamp: (now += 1_000), usage: { input: 1 } };
}

export function textOf(message) {
  return typeof message.content === "string" ? message.content : message.content.map((part) => part.text).join("");
}
