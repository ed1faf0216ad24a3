/**
 * What the daemon has to be told and could not hear: calls in their order, each a file of its own in the host's state
 * folder.
 *
 * Files outlive the gateway. Only the user can read them, they are deleted once the daemon has them, and together they
 * stay below a limit: beyond it the caller is told, and has to keep what it has.
 */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 5_000;
/** How long nothing is taken to be nothing: another process of the host may have left something. */
const LOOK_AGAIN_MS = 30_000;
const NAME = /^\d{15}-\d{6}-[0-9a-f]{8}\.json$/;

/** @typedef {{method: string, params: object}} Call */

export class Spool {
  #folder;
  #limit;
  #count = 0;
  #process = randomBytes(4).toString("hex");
  #emptyUntil = 0;

  /**
   * @param {string} folder made when it is first needed
   * @param {{limit?: number}} options
   */
  constructor(folder, { limit = MOST_BYTES } = {}) {
    this.#folder = folder;
    this.#limit = limit;
  }

  /**
   * Keep a call until the daemon is back.
   *
   * @param {Call} call
   * @returns {boolean} false when there is no room, or the folder cannot be written
   */
  add(call) {
    try {
      const text = JSON.stringify(call);
      fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const names = this.names();
      const held = names.reduce((sum, name) => sum + sizeOf(path.join(this.#folder, name)), 0);
      if (names.length >= MOST_FILES || held + Buffer.byteLength(text) > this.#limit) return false;
      this.#emptyUntil = 0;
      write(path.join(this.#folder, this.#nextName(names.at(-1))), text);
      return true;
    } catch {
      return false;
    }
  }

  /** The names of all that waits, oldest first. */
  names() {
    if (Date.now() < this.#emptyUntil) return [];
    const found = listed(this.#folder).filter((name) => NAME.test(name));
    this.#emptyUntil = found.length ? 0 : Date.now() + LOOK_AGAIN_MS;
    return found.sort();
  }

  /**
   * What waits under a name; null when somebody else was quicker, or it is damaged.
   *
   * @returns {Call | null}
   */
  read(name) {
    try {
      const call = JSON.parse(fs.readFileSync(path.join(this.#folder, name), "utf8"));
      return typeof call?.method === "string" && call.params && typeof call.params === "object" ? call : null;
    } catch {
      return null;
    }
  }

  /** The daemon has it. */
  remove(name) {
    fs.rmSync(path.join(this.#folder, name), { force: true });
  }

  /** Behind all that is there, also when a clock was set back. */
  #nextName(last) {
    this.#count += 1;
    const now = Math.max(Date.now(), last ? Number(last.slice(0, 15)) + 1 : 0);
    return `${String(now).padStart(15, "0")}-${String(this.#count % 1_000_000).padStart(6, "0")}-${this.#process}.json`;
  }
}

/** All of a file or none, on the disk before we say so, for the user's eyes only. */
function write(file, text) {
  const draft = `${file}.part`;
  const handle = fs.openSync(draft, "wx", 0o600);
  try {
    fs.writeFileSync(handle, text);
    fs.fsyncSync(handle);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  } finally {
    fs.closeSync(handle);
  }
  fs.renameSync(draft, file);
}

/** What is in a folder; nothing when there is none, or it cannot be read. */
function listed(folder) {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function sizeOf(file) {
  try {
    return fs.statSync(file).size;
  } catch {
    return 0;
  }
}
