/**
 * How many tokens history and memory may take in a session's prompts.
 *
 * The host's budget is that of the whole request, its system prompt, its tools and the answer included, and its count
 * is another than ours. So a share of it is used, and when the provider says that a prompt was too long, less.
 */

const UNKNOWN_BUDGET = 32_000;
const LEAST_FIT = 1 / 8;

export class Windows {
  #share;
  #fits = new Map();
  #squeezed = new Map();

  /** @param {number} share of the host's budget */
  constructor(share) {
    this.#share = share;
  }

  /**
   * The budget of the next prompt of a session.
   *
   * @param {string} session
   * @param {number | undefined} hostBudget
   */
  budgetOf(session, hostBudget) {
    const whole = (hostBudget ?? UNKNOWN_BUDGET) * this.#share * (this.#fits.get(session) ?? 1);
    return Math.max(1, Math.floor(Math.min(whole, this.#squeezed.get(session) ?? Infinity)));
  }

  /** The provider found a prompt too long: from now on half as much. */
  tighten(session) {
    this.#fits.set(session, Math.max(LEAST_FIT, (this.#fits.get(session) ?? 1) / 2));
  }

  /** The next prompt takes at most so much; the daemon lets the window begin later, and it stays there. */
  squeeze(session, tokens) {
    this.#squeezed.set(session, tokens);
  }

  /** The next prompt was made. */
  release(session) {
    this.#squeezed.delete(session);
  }

  /** The session is over, or begins anew. */
  forget(session) {
    this.#fits.delete(session);
    this.#squeezed.delete(session);
  }
}
