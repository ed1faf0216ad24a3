/**
 * The plugin's line to the daemon: shared by every engine object of the process, opened when it is first needed.
 *
 * When the daemon is away, the user is told once, callers get `DaemonAway` at once, and what the daemon has to keep waits
 * in the spool until it is back.
 */
import { createHash } from "node:crypto";
import path from "node:path";

import { Client, DaemonAway, DaemonRefused } from "./client.js";
import { startDaemon } from "./daemon.js";
import { Spool } from "./spool.js";

/**
 * Replies of a connection come in order, so what takes longer has a connection of its own: keeping a turn embeds all that
 * tools have said, an import or a compaction may take minutes.
 */
const LANES = ["quick", "keep", "long"];
const KEEP_MS = 60_000;
const LONG_MS = 600_000;
/** How long a question waits while what was spooled is delivered; what is to be kept waits for all of it. */
const DELIVERY_WAIT_MS = 2_000;
/** How often what waits is offered again while nobody speaks. */
const OFFER_MS = 5_000;

/** @typedef {{info(text: string): void, warn(text: string): void, error(text: string): void}} Logger */

export class Link {
  #settings;
  #logger;
  #logFile;
  #clients;
  #patience;
  #starting = null;
  #isAway = false;
  #spool;
  #delivering = null;
  #offer = null;
  #offerMs;

  /**
   * @param {import("./config.js").Settings} settings
   * @param {{logger: Logger, logFile: string, clock?: () => number, offerMs?: number}} host what waits lies beside the
   *   log
   */
  constructor(settings, { logger, logFile, clock, offerMs = OFFER_MS }) {
    this.#settings = settings;
    this.#logger = logger;
    this.#logFile = logFile;
    this.#offerMs = offerMs;
    this.#spool = new Spool(path.join(path.dirname(logFile), `waiting-${nameOf(settings.endpoint)}`));
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
      await this.#heardFirst(lane);
      return await this.#clients[lane].call(method, params, { ms: this.#patience[lane], signal });
    });
  }

  /**
   * Let the daemon keep something, in order; what it cannot hear now it hears before the next call.
   *
   * @returns {Promise<any>} the daemon's answer; null when it waits in the spool. Throws what the daemon refuses for
   *   good, and when there is no room to wait.
   */
  async keep(method, params) {
    try {
      return await this.call(method, params, { lane: "keep" });
    } catch (error) {
      if (error instanceof DaemonRefused && error.isFinal) throw error;
      if (!this.#spool.add({ method, params })) throw error;
      this.#offerLater();
      return null;
    }
  }

  /** Tell the daemon something, as `keep` does; nobody need know when it will not hear. */
  async hint(params) {
    try {
      await this.keep("session_lifecycle_hint", params);
    } catch (error) {
      this.#logger.warn(`libravdb: the daemon takes no note of ${params.hook}: ${error.message}`);
    }
  }

  close() {
    clearTimeout(this.#offer);
    this.#offer = null;
    for (const client of Object.values(this.#clients)) client.close();
  }

  /** What waited is told first. A question is answered also by a daemon that cannot keep anything just now. */
  async #heardFirst(lane) {
    if (lane !== "quick") return await this.#deliver();
    await atMost(DELIVERY_WAIT_MS, this.#deliver()).catch((error) => {
      if (!(error instanceof DaemonRefused) || error.isUnauthenticated) throw error;
    });
  }

  /** As long as something waits it is offered again: the daemon may be back, and nobody speak for hours. */
  #offerLater() {
    this.#offer ??= setTimeout(async () => {
      await this.#noted(() => this.#deliver()).catch(() => {}); // what failed waits on
      this.#offer = null;
      if (this.#spool.names().length) this.#offerLater();
    }, this.#offerMs).unref();
  }

  /** One after the other, whoever asks. */
  async #deliver() {
    if (!this.#delivering && this.#spool.names().length === 0) return;
    this.#delivering ??= this.#deliverAll().finally(() => (this.#delivering = null));
    await this.#delivering;
  }

  /**
   * What the daemon will not have is dropped: it must not stand in the way of all that comes behind it. When it is we
   * whom the daemon will not have, nothing else would be heard either, and it waits.
   */
  async #deliverAll() {
    for (let names = this.#spool.names(); names.length; names = this.#spool.names()) {
      for (const name of names) {
        const waiting = this.#spool.read(name);
        if (waiting) await this.#delivered(waiting);
        this.#spool.remove(name);
      }
    }
  }

  async #delivered({ method, params }) {
    const lane = method === "session_lifecycle_hint" ? "quick" : "keep";
    try {
      await this.#clients[lane].call(method, params, { ms: this.#patience[lane] });
    } catch (error) {
      if (!(error instanceof DaemonRefused) || !error.isHopeless) throw error;
      this.#logger.warn(`libravdb: the daemon will not have a ${method} that waited: ${error.message}`);
      for (const message of method === "session_lifecycle_hint" ? [] : (params.messages ?? [])) {
        await this.#pieceDelivered(params, message);
      }
    }
  }

  /** One message of a turn that is refused as a whole. */
  async #pieceDelivered({ sessionId, namespace }, message) {
    const call = { sessionId, namespace, message };
    await this.#clients.keep.call("ingest", call, { ms: this.#patience.keep }).catch((error) => {
      if (!(error instanceof DaemonRefused) || !error.isHopeless) throw error;
      this.#logger.error(`libravdb: a message that waited cannot be kept: ${error.message}`);
    });
  }

  async #reach(ask) {
    return await this.#noted(() => this.#asked(ask));
  }

  /** Whoever is told that memory is away is told when it is back. */
  async #noted(ask) {
    try {
      const answer = await ask();
      if (this.#isAway) this.#logger.info("libravdb: memory is back; turns that waited are stored now.");
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
      `libravdb: memory is away (${error.message}). The conversation goes on without it; turns wait in OpenClaw's ` +
        "state folder and are stored when it is back. Start it with 'libravdbd', or see 'libravdb doctor --openclaw'.",
    );
  }
}

/** Wait for a promise, but not longer than so many milliseconds; what fails in time fails here too. */
export async function atMost(ms, promise) {
  promise.catch(() => {}); // it may fail later, when nobody waits any more
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A short name for a daemon: what waits for one is not for another. */
function nameOf(endpoint) {
  return createHash("sha256").update(endpoint).digest("hex").slice(0, 12);
}

function isNobodyThere(error) {
  return ["ENOENT", "ECONNREFUSED"].includes(error.cause?.code);
}
