/**
 * The host's context engine: one call to the daemon for each step of a turn, and nothing decided here.
 *
 * The host makes a new engine object for each turn, compaction and subagent, so all that lasts is in the `Office`. A
 * step never fails because the daemon is away: history is cut to its budget here, and turns wait in the spool. Only
 * when that is full `commitTurn` throws, since the host then keeps the turn and offers it again.
 */
import { DaemonAway, DaemonRefused } from "./client.js";
import { ID, NAME, VERSION } from "./config.js";
import { agentOf, isGroup, isSubagent } from "./identity.js";
import { atMost } from "./link.js";
import {
  estimate,
  inTrueRole,
  placed,
  slim,
  spoken,
  withoutHeartbeats,
  withoutLookups,
  withSpeaker,
} from "./messages.js";
import { newestTurns } from "./windows.js";

const AUGMENT_SHARE = 0.25;
const IMPORT_WAIT_MS = 2_000;
/** Characters of a transcript that are taken in at a reset, from its end: the daemon's lines have a limit. */
const MOST_TRANSCRIPT = 8_000_000;
const UNCHANGED = { changed: false, bytesFreed: 0, rewrittenEntries: 0 };

/**
 * @typedef {object} Office what lasts from turn to turn
 * @property {import("./config.js").Settings} settings
 * @property {import("./link.js").Link} link
 * @property {import("./identity.js").Identities} identities
 * @property {import("./policy.js").Policy} policy
 * @property {import("./notes.js").Notes} notes
 * @property {(sessionKey: string) => string} sessionIdOf the id of a session by its key; empty when the host knows none
 * @property {import("./windows.js").Windows} windows
 * @property {Set<string>} inStep sessions of which the daemon holds every turn
 * @property {Map<string, Promise<void>>} resets sessions that begin anew just now
 * @property {import("./link.js").Logger} logger
 * @property {() => Promise<any>} loadSdk the host's SDK
 */

export class Engine {
  #office;
  /** What the last call of this turn returned: in the tool loop the host asks again with it. */
  #last = null;
  /** The host's budgets of this turn. */
  #budgets = {};

  /** @param {Office} office */
  constructor(office) {
    this.#office = office;
    this.info = {
      id: ID,
      name: NAME,
      version: VERSION,
      ownsCompaction: this.#isWindow,
      turnMaintenanceMode: "background",
      transcriptSemantics: {
        currentTurnFence: "before-current-turn-entry-v1",
        turnAdvancementIdempotency: "atomic-idempotent-v1",
      },
    };
  }

  get #isWindow() {
    return this.#office.settings.mode === "window";
  }

  // ── before the model ────────────────────────────────────────────────────────────────────────────────────

  /** The messages and the system prompt's addition for the next model call; without the daemon, the host's own. */
  async assemble(params) {
    const { messages, sessionId } = params;
    if (!this.#office.policy.isRemembered(params)) return this.#ownWindow(params);
    if (this.#stands(params)) return this.#last.result;
    try {
      await atMost(IMPORT_WAIT_MS, this.#office.resets.get(sessionId) ?? Promise.resolve());
      await this.#catchUp(params);
      const prompt = await this.#prompt(params);
      this.#office.windows.note(sessionId, prompt.tokens);
      const result = {
        messages: placed(messages, prompt),
        estimatedTokens: prompt.tokens + prompt.hostTokens,
        systemPromptAddition: await this.#systemAddition(params, prompt.rules),
      };
      this.#last = { prompt: params.prompt, tokens: prompt.tokens, result };
      return result;
    } catch (error) {
      this.#problem("assemble", error);
      return this.#ownWindow(params);
    }
  }

  /** The host's history without memory: where it is ours to choose, its newest turns within the budget. */
  #ownWindow(params) {
    const { messages, sessionId } = params;
    if (!this.#isWindow) {
      return { messages, estimatedTokens: estimate(messages), promptAuthority: "preassembly_may_overflow" };
    }
    if (this.#stands(params)) return this.#last.result;
    const shown = newestTurns(messages, this.#office.windows.wholeOf(sessionId, this.#hostBudget(params)), estimate);
    const result = { messages: shown, estimatedTokens: estimate(shown) };
    this.#last = { prompt: params.prompt, tokens: result.estimatedTokens, result };
    return result;
  }

  /**
   * Give the daemon what the host shows and it may not hold: turns from before this plugin, or from a time when it was
   * away. A long history is taken in behind the scenes. A subagent's may be its parent's, which is kept already.
   */
  async #catchUp({ messages, sessionId, sessionKey }) {
    const { inStep, link } = this.#office;
    if (inStep.has(sessionId)) return;
    inStep.add(sessionId);
    if (messages.length === 0 || isSubagent(sessionKey)) return;
    const call = { ...this.#who({ sessionId, sessionKey }), messages: this.#transcript(messages, sessionKey) };
    const importing = link.call("bootstrap", call, { lane: "long" }).catch((error) => {
      inStep.delete(sessionId);
      this.#problem("bootstrap", error);
    });
    await atMost(IMPORT_WAIT_MS, importing);
  }

  /** What the daemon puts together; a window that was just compacted is widened until the last turns fit. */
  async #prompt(params) {
    const { windows, link, settings } = this.#office;
    const hostBudget = this.#hostBudget(params);
    const isHeartbeat = this.#office.policy.isHeartbeat(params.prompt, params.sessionKey);
    const notesOf = this.#office.notes.recalledIn(params);
    const whole = this.#share(windows.wholeOf(params.sessionId, hostBudget));
    let budget = this.#share(windows.budgetOf(params.sessionId, hostBudget));
    for (;;) {
      const prompt = await link.call("assemble", {
        ...this.#who(params),
        prompt: spoken(params.prompt),
        messages: params.messages.map((message) => slim(this.#named(message, params.sessionKey))),
        mode: settings.mode,
        tokenBudget: budget,
        ...(isHeartbeat ? { isHeartbeat } : {}),
        ...(notesOf ? { notesOf } : {}),
      });
      if (prompt.outcome !== "degraded" || budget >= whole) return prompt;
      budget = Math.min(whole, budget * 2);
    }
  }

  /** True when the host gives back what it got, and that still fits. */
  #stands({ messages, prompt, ...params }) {
    const last = this.#last;
    if (!last || last.prompt !== prompt || last.result.messages.length !== messages.length) return false;
    if (last.tokens > this.#share(this.#office.windows.wholeOf(params.sessionId, this.#hostBudget(params))))
      return false;
    return messages.every((message, place) => message === last.result.messages[place]);
  }

  /**
   * What the host leaves for messages. Its first budget of a turn is without the system prompt and the answer; those of
   * the tool loop are of the whole context, and less by what tools have said meanwhile: only that difference counts.
   * When the first call told none, the first that is told stands in for it; a later call that tells none changes nothing.
   */
  #hostBudget({ tokenBudget, runtimeSettings }) {
    const told = tokenBudget ?? runtimeSettings?.limits?.promptTokenBudget ?? undefined;
    if (!this.#last) this.#budgets = { first: told };
    if (!this.#last || told === undefined) return this.#budgets.first;
    this.#budgets.first ??= told;
    this.#budgets.later ??= told;
    return Math.max(1, this.#budgets.first - Math.max(0, this.#budgets.later - told));
  }

  /** In window mode history is ours to choose and to pay; else memory is added to the host's, and takes a part. */
  #share(tokens) {
    return this.#isWindow ? tokens : Math.max(1, Math.floor(tokens * AUGMENT_SHARE));
  }

  async #systemAddition({ availableTools, citationsMode, sessionKey }, rules) {
    const { buildMemorySystemPromptAddition } = await this.#office.loadSdk();
    const section = buildMemorySystemPromptAddition({
      availableTools: availableTools ?? new Set(),
      citationsMode,
      agentSessionKey: sessionKey,
    });
    return [section, rules].filter(Boolean).join("\n\n") || undefined;
  }

  // ── after the model ─────────────────────────────────────────────────────────────────────────────────────

  /** Keep a turn, once per key; while the daemon is away it waits. Throws when it cannot: the host offers it again. */
  async commitTurn({ advancementKey, messages, sessionId, sessionKey, isHeartbeat }) {
    if (isHeartbeat || !this.#office.policy.isRemembered({ sessionKey })) return { status: "committed" };
    const call = {
      ...this.#who({ sessionId, sessionKey }),
      key: advancementKey,
      messages: this.#transcript(messages, sessionKey),
    };
    if (call.messages.length === 0) return { status: "committed" };
    try {
      await this.#office.resets.get(sessionId);
      const done = await this.#office.link.keep("commit_turn", call);
      if (!done) this.#office.inStep.delete(sessionId); // the host may have had turns without us meanwhile
      return { status: done?.isDuplicate ? "duplicate" : "committed" };
    } catch (error) {
      if (error instanceof DaemonRefused && error.isFinal) return await this.#commitPieces(call, error);
      this.#office.inStep.delete(sessionId);
      throw error;
    }
  }

  /** A turn that is refused would be offered for ever and stop memory: keep what can be kept, and say what cannot. */
  async #commitPieces({ key, messages, ...who }, refusal) {
    const { link, logger } = this.#office;
    logger.error(`libravdb: turn ${key} was refused (${refusal.message}); its messages are kept one by one.`);
    for (const message of messages) {
      try {
        await link.keep("ingest", { ...who, message });
      } catch (error) {
        if (!(error instanceof DaemonRefused && error.isFinal)) throw error;
        logger.error(`libravdb: a message of turn ${key} cannot be kept: ${error.message}`);
      }
    }
    return { status: "committed" };
  }

  /** Turns without a transcript come message by message. */
  async ingest({ sessionId, sessionKey, message, isHeartbeat }) {
    if (isHeartbeat || !this.#office.policy.isRemembered({ sessionKey })) return { ingested: false };
    const [told] = this.#told([message], sessionKey);
    const done = await this.#attempt("ingest", { ...this.#who({ sessionId, sessionKey }), message: told });
    return { ingested: done?.turns.some((turn) => turn.reception === "stored") ?? false };
  }

  async ingestBatch({ sessionId, sessionKey, messages, isHeartbeat }) {
    const isKept = !isHeartbeat && this.#office.policy.isRemembered({ sessionKey });
    if (!isKept || messages.length === 0) return { ingestedCount: 0 };
    const told = this.#told(messages, sessionKey);
    const done = await this.#attempt("ingest_batch", { ...this.#who({ sessionId, sessionKey }), messages: told });
    return { ingestedCount: done?.turns.filter((turn) => turn.reception === "stored").length ?? 0 };
  }

  async afterTurn({ sessionId, sessionKey, messages, prePromptMessageCount, isHeartbeat }) {
    await this.ingestBatch({ sessionId, sessionKey, messages: messages.slice(prePromptMessageCount), isHeartbeat });
  }

  /** Nothing to do: the daemon compacts by itself, off the reply path, and the host's transcript stays as it is. */
  async maintain() {
    return UNCHANGED;
  }

  // ── compaction ──────────────────────────────────────────────────────────────────────────────────────────

  /** Fold what is old into summaries, and let the next prompt begin later. Never throws: the host would drop us. */
  async compact(params) {
    const { sessionId, currentTokenCount, compactionTarget, abortSignal } = params;
    if (!this.#isWindow || !this.#office.policy.isRemembered(params)) return await this.#delegate(params);
    const { link, windows } = this.#office;
    try {
      const done = await link.call("compact", { sessionId }, { lane: "long", signal: abortSignal });
      const isOverflow = compactionTarget === "budget";
      if (isOverflow) windows.tighten(sessionId);
      const saved = windows.squeeze(sessionId);
      if (!saved && !done.didCompact && !isOverflow) {
        return { ok: true, compacted: false, reason: done.reasons[0] ?? "there is nothing old enough to be folded" };
      }
      const before = currentTokenCount ?? Math.max(windows.lastOf(sessionId), done.tokensBefore);
      const summary = `${done.turnsRemoved} turns were folded into ${done.clustersFormed} summaries; raw turns stay in memory.`;
      const tokensAfter = Math.max(0, before - saved);
      return { ok: true, compacted: true, result: { summary, tokensBefore: before, tokensAfter, details: done } };
    } catch (error) {
      const reason = this.#problem("compact", error);
      if (error instanceof DaemonAway) return await this.#delegate(params);
      return { ok: false, compacted: false, reason };
    }
  }

  async #delegate(params) {
    try {
      const { delegateCompactionToRuntime } = await this.#office.loadSdk();
      return await delegateCompactionToRuntime(params);
    } catch (error) {
      return { ok: false, compacted: false, reason: this.#problem("compact", error) };
    }
  }

  // ── subagents ───────────────────────────────────────────────────────────────────────────────────────────

  /** A subagent speaks for who started it. */
  async prepareSubagentSpawn({ parentSessionKey, childSessionKey, childSessionId, contextMode }) {
    const { identities, link } = this.#office;
    identities.adopt(childSessionKey, parentSessionKey);
    await link.hint({
      hook: "subagent_spawn",
      reason: contextMode ?? "",
      sessionId: childSessionId ?? "",
      sessionKey: childSessionKey,
      agentId: agentOf(childSessionKey),
      nextSessionKey: parentSessionKey,
    });
    return { rollback: () => identities.release(childSessionKey) };
  }

  async onSubagentEnded({ childSessionKey, reason }) {
    const { identities, link } = this.#office;
    await link.hint({ hook: "subagent_ended", reason, sessionKey: childSessionKey, agentId: agentOf(childSessionKey) });
    identities.release(childSessionKey);
  }

  /** The line to the daemon is the plugin's, not this object's. */
  async dispose() {}

  // ── shared ──────────────────────────────────────────────────────────────────────────────────────────────

  #who({ sessionId, sessionKey }) {
    return { sessionId, namespace: this.#office.identities.namespaceOf({ sessionId, sessionKey }) };
  }

  /** What was said, without what the host said to itself. */
  #transcript(messages, sessionKey) {
    const { policy } = this.#office;
    return this.#told(
      withoutHeartbeats(messages, (text) => policy.isHeartbeat(text, sessionKey)),
      sessionKey,
    );
  }

  #told(messages, sessionKey) {
    const session = { isSubagent: isSubagent(sessionKey) };
    return messages.map((one) => withoutLookups(slim(inTrueRole(this.#named(one, sessionKey), session))));
  }

  /** In a chat of several people, who of them speaks. */
  #named(message, sessionKey) {
    return withSpeaker(message, { isGroup: isGroup(sessionKey) });
  }

  /** Take in what a session holds that the daemon may not have, before the session begins anew. */
  async keepTranscript({ messages, sessionId, sessionKey }) {
    const { inStep, link, policy } = this.#office;
    if (inStep.has(sessionId) || isSubagent(sessionKey) || !policy.isRemembered({ sessionKey })) return;
    const told = newest(this.#transcript(messages, sessionKey), MOST_TRANSCRIPT);
    if (told.length === 0) return;
    await link.keep("bootstrap", { ...this.#who({ sessionId, sessionKey }), messages: told });
  }

  /** Keep something; the host need not know when it fails. */
  async #attempt(method, params) {
    try {
      return await this.#office.link.keep(method, params);
    } catch (error) {
      this.#problem(method, error);
      return null;
    }
  }

  /** The reason in words; the link has told already that the daemon is away. */
  #problem(step, error) {
    if (!(error instanceof DaemonAway)) {
      const remedy = error.remedy ? ` ${error.remedy}` : "";
      this.#office.logger.error(`libravdb: ${step} failed: ${error.message}${remedy}`);
    }
    return error.message;
  }
}

/** The newest messages that together take so many characters at most. */
function newest(messages, most) {
  let left = most;
  const fitting = messages.toReversed().findIndex((message) => (left -= JSON.stringify(message).length) < 0);
  return fitting < 0 ? messages : messages.slice(messages.length - fitting);
}
