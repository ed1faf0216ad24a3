/**
 * The plugin's line to the daemon: shared by every engine object of the process, opened when it is first needed.
 *
 * When the daemon is away, the user is told once, callers get `DaemonAway` at once, and what only tells the daemon
 * something waits here until it is back.
 */
import { Client, DaemonAway, DaemonRefused } from "./client.js";
import { startDaemon } from "./daemon.js";

/**
 * Replies of a connection come in order, so what takes longer has a connection of its own: keeping a turn embeds all that
 * tools have said, an import or a compaction may take minutes.
 */
const LANES = ["quick", "keep", "long"];
const KEEP_MS = 60_000;
const LONG_MS = 600_000;
const MOST_WAITING = 200;

/** @typedef {{info(text: string): void, warn(text: string): void, error(text: string): void}} Logger */

export class Link {
  #settings;
  #logger;
  #logFile;
  #clients;
  #patience;
  #starting = null;
  #isAway = false;
  /** @type {object[]} */
  #hints = [];
  #delivering = null;

  /**
   * @param {import("./config.js").Settings} settings
   * @param {{logger: Logger, logFile: string, clock?: () => number}} host
   */
  constructor(settings, { logger, logFile, clock }) {
    this.#settings = settings;
    this.#logger = logger;
    this.#logFile = logFile;
    this.#clients = Object.fromEntries(LANES.map((lane) => [lane, new Client({ ...settings, clock })]));
    this.#patience = { quick: settings.timeoutMs, keep: Math.max(KEEP_MS, settings.timeoutMs), long: LONG_MS };
  }

  /**
   * Call a method. What waits to be told is told first, on whatever lane the call goes: nothing may enter a session
   * before the reset that came ahead of it.
   *
   * @param {string} method
   * @param {object} params
   * @param {{lane?: "quick" | "keep" | "long", signal?: AbortSignal}} options
   * @returns {Promise<any>}
   */
  async call(method, params, { lane = "quick", signal } = {}) {
    return await this.#reach(async () => {
      await this.#deliver();
      return await this.#clients[lane].call(method, params, { ms: this.#patience[lane], signal });
    });
  }

  /** Tell the daemon something, in order; what it cannot hear now it hears before the next call. */
  async hint(params) {
    this.#hints.push(params);
    if (this.#hints.length > MOST_WAITING) this.#hints.shift();
    try {
      await this.#reach(() => this.#deliver());
    } catch (error) {
      if (!(error instanceof DaemonAway || error instanceof DaemonRefused)) throw error;
    }
  }

  close() {
    for (const client of Object.values(this.#clients)) client.close();
  }

  /** One after the other, whoever asks. */
  async #deliver() {
    this.#delivering ??= this.#deliverAll().finally(() => (this.#delivering = null));
    await this.#delivering;
  }

  /**
   * A hint that the daemon will not have is dropped: it must not stand in the way of all that comes behind it. When it
   * is we whom the daemon will not have, nothing else would be heard either, and the hint waits.
   */
  async #deliverAll() {
    while (this.#hints.length) {
      const [next] = this.#hints;
      try {
        await this.#clients.quick.call("session_lifecycle_hint", next, { ms: this.#patience.quick });
      } catch (error) {
        if (!(error instanceof DaemonRefused) || error.isUnauthenticated) throw error;
        this.#logger.warn(`libravdb: the daemon takes no note of ${next.hook}: ${error.message}`);
      }
      if (this.#hints[0] === next) this.#hints.shift();
    }
  }

  async #reach(ask) {
    try {
      const answer = await this.#asked(ask);
      if (this.#isAway) this.#logger.info("libravdb: memory is back; turns that wait in OpenClaw are stored now.");
      this.#isAway = false;
      return answer;
    } catch (error) {
      if (error instanceof DaemonAway) this.#tellAway(error);
      throw error;
    }
  }

  async #asked(ask) {
    try {
      return await ask();
    } catch (error) {
      if (!this.#settings.startDaemon || !isNobodyThere(error)) throw error;
      const problem = await this.#started();
      for (const client of Object.values(this.#clients)) client.forgive();
      return await ask().catch((still) => {
        throw problem ?? still;
      });
    }
  }

  /** Start a daemon; gives what went wrong. Another process may have been quicker, so it is asked again anyway. */
  async #started() {
    const { daemonCommand: command, environment } = this.#settings;
    this.#starting ??= startDaemon({ command, environment, logFile: this.#logFile }).finally(
      () => (this.#starting = null),
    );
    return await this.#starting.then(
      () => null,
      (error) => error,
    );
  }

  #tellAway(error) {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#logger.warn(
      `libravdb: memory is away (${error.message}). The conversation goes on without it; OpenClaw keeps the turns and ` +
        "they are stored when it is back. Start it with 'libravdbd', or see 'libravdb doctor --openclaw'.",
    );
  }
}

function isNobodyThere(error) {
  return ["ENOENT", "ECONNREFUSED"].includes(error.cause?.code);
}
