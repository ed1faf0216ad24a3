/** What the host tells about its sessions; the daemon keeps it in its journal and begins a session anew on a reset. */
import { Engine } from "./engine.js";
import { agentOf } from "./identity.js";

const BEGINS_ANEW = ["new", "reset", "idle", "daily", "deleted"];

/**
 * @param {any} api
 * @param {() => import("./engine.js").Office} office
 */
export function registerHooks(api, office) {
  api.on("before_reset", async (event, ctx) => {
    await tell(office(), { hook: "before_reset", event, ctx, isReset: true });
  });
  api.on("session_end", async (event, ctx) => {
    await tell(office(), { hook: "session_end", event, ctx, isReset: BEGINS_ANEW.includes(event.reason) });
  });
  api.on("gateway_stop", () => office().link.close());
}

async function tell(office, { hook, event, ctx, isReset }) {
  const sessionId = text(event.sessionId ?? ctx?.sessionId);
  const sessionKey = text(event.sessionKey ?? ctx?.sessionKey);
  if (!office.policy.isRemembered({ sessionKey, agentId: ctx?.agentId })) return;
  if (!isReset) return await told(office, { hook, event, ctx, sessionId, sessionKey });
  const { resets } = office;
  const before = resets.get(sessionId) ?? Promise.resolve();
  const reset = before.then(() => begunAnew(office, { hook, event, ctx, sessionId, sessionKey }));
  resets.set(sessionId, reset);
  await reset.finally(() => resets.get(sessionId) === reset && resets.delete(sessionId));
}

/** What the session holds is kept before it begins anew: part of it may have been said while the daemon was away. */
async function begunAnew(office, session) {
  const { windows, inStep, logger } = office;
  const { event, sessionId, sessionKey } = session;
  const messages = Array.isArray(event.messages) ? event.messages.filter((one) => one && typeof one === "object") : [];
  try {
    await new Engine(office).keepTranscript({ messages, sessionId, sessionKey });
  } catch (error) {
    logger.error(`libravdb: what was said before the reset of ${sessionKey} may be missing: ${error.message}`);
  }
  windows.forget(sessionId);
  inStep.delete(sessionId);
  await told(office, session);
}

async function told({ link }, { hook, event, ctx, sessionId, sessionKey }) {
  await link.hint({
    hook,
    reason: event.reason ?? "",
    sessionId,
    sessionKey,
    agentId: ctx?.agentId ?? agentOf(sessionKey),
    workspaceDir: ctx?.workspaceDir ?? "",
    messageCount: event.messageCount ?? event.messages?.length ?? 0,
    durationMs: Math.round(event.durationMs ?? 0),
    transcriptArchived: event.transcriptArchived === true,
    nextSessionId: event.nextSessionId ?? "",
    nextSessionKey: event.nextSessionKey ?? "",
  });
}

function text(value) {
  return typeof value === "string" ? value : "";
}
