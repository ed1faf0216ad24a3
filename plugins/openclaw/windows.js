/**
 * How many tokens history and memory may take in a session's prompts.
 *
 * What the host leaves for messages still has to hold its tools, and the provider counts otherwise than we do. So a share
 * of it is used; when the provider finds a prompt too long, half of that from then on.
 */

const UNKNOWN_BUDGET = 32_000;
const LEAST_FIT = 1 / 8;
const LEAST_CEILING = 500;

export class Windows {
  #share;
  #fits = new Map();
  #ceilings = new Map();
  #last = new Map();

  /** @param {number} share of the host's budget */
  constructor(share) {
    this.#share = share;
  }

  /**
   * The most that a prompt of a session may take.
   *
   * @param {string} session
   * @param {number | undefined} hostBudget
   */
  wholeOf(session, hostBudget) {
    return Math.max(1, Math.floor((hostBudget ?? UNKNOWN_BUDGET) * this.#share * (this.#fits.get(session) ?? 1)));
  }

  /** The budget of the next prompt: after a compaction less than the whole. */
  budgetOf(session, hostBudget) {
    return Math.min(this.wholeOf(session, hostBudget), this.#ceilings.get(session) ?? Infinity);
  }

  /** What the last prompt of a session took. */
  lastOf(session) {
    return this.#last.get(session) ?? 0;
  }

  /**
   * A prompt was made. After a compaction the next one may take twice as much: the window grows with the conversation
   * again, and what was compacted away does not come back at once.
   */
  note(session, tokens) {
    this.#last.set(session, tokens);
    if (this.#ceilings.has(session)) this.#ceilings.set(session, Math.max(LEAST_CEILING, 2 * tokens));
  }

  /** The provider found a prompt too long. */
  tighten(session) {
    this.#fits.set(session, Math.max(LEAST_FIT, (this.#fits.get(session) ?? 1) / 2));
  }

  /**
   * The session was compacted: the next prompt takes half of what the last one took, if that was much.
   *
   * @returns {number} what that saves
   */
  squeeze(session) {
    const last = this.lastOf(session);
    const ceiling = Math.max(LEAST_CEILING, Math.floor(last / 2));
    if (last <= ceiling) return 0;
    this.#ceilings.set(session, ceiling);
    return last - ceiling;
  }

  /** The session is over, or begins anew. */
  forget(session) {
    for (const kept of [this.#fits, this.#ceilings, this.#last]) kept.delete(session);
  }
}
