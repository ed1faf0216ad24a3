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

const GAP = "[… earlier steps of this task are left out …]";
const CUT = "\n[… the middle of this message is left out …]\n";

/**
 * The newest whole turns that fit, for a time without the daemon: cut only before what a person said, so that no tool's
 * result stands without its call. When the last turn alone is too much, its task and its last whole steps. What the
 * host has summarised stands first, if it fits.
 *
 * @param {Record<string, any>[]} messages
 * @param {number} budget tokens
 * @param {(messages: object[]) => number} price
 */
export function newestTurns(messages, budget, price) {
  const prices = messages.map((message) => price([message]));
  const from = earliest(messages, prices, { role: "user", budget });
  if (from === 0 || sum(prices) <= budget) return messages;
  const shown = messages.slice(from);
  if (shown.length === 0) {
    return lastSteps(messages.slice(messages.findLastIndex(({ role }) => role === "user")), budget, price);
  }
  const isSummed = messages[0].role === "compactionSummary" && prices[0] + sum(prices.slice(from)) <= budget;
  return isSummed ? [messages[0], ...shown] : shown;
}

/** The earliest message of a role from which on everything fits; the number of messages when there is none. */
function earliest(messages, prices, { role, budget }) {
  let [from, total] = [messages.length, 0];
  for (let place = messages.length - 1; place >= 0; place -= 1) {
    total += prices[place];
    if (total > budget) break;
    if (messages[place].role === role) from = place;
  }
  return from;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The task of a turn that is too long, and as many of its last steps as fit beside it. */
function lastSteps([task, ...rest], budget, price) {
  if (task?.role !== "user") return [];
  const head = price([task]) <= budget ? task : cut(task, budget, price);
  if (!head) return [];
  const gap = { role: "assistant", content: [{ type: "text", text: GAP }] };
  const left = budget - price([head, gap]);
  const prices = rest.map((message) => price([message]));
  const shown = rest.slice(earliest(rest, prices, { role: "assistant", budget: left }));
  return shown.length ? [head, gap, ...shown] : [head];
}

/** A message with the middle of its text left out; nothing when not even that fits. */
function cut(message, budget, price) {
  const parts = typeof message.content === "string" ? [{ text: message.content }] : (message.content ?? []);
  const text = parts.map((part) => (typeof part?.text === "string" ? part.text : "")).join("\n");
  for (let half = Math.floor(text.length / 2); half > 0; half = Math.floor(half / 2)) {
    const content = text.slice(0, half).toWellFormed() + CUT + text.slice(text.length - half).toWellFormed();
    const shorter = { ...message, content };
    if (half * 2 < text.length && price([shorter]) <= budget) return shorter;
  }
  return null;
}
