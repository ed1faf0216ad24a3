/** What the host tells about its sessions; the daemon keeps it in its journal and begins a session anew on a reset. */
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

async function tell({ link, windows, inStep }, { hook, event, ctx, isReset }) {
  const sessionId = event.sessionId ?? ctx?.sessionId ?? "";
  const sessionKey = event.sessionKey ?? ctx?.sessionKey ?? "";
  if (isReset) {
    windows.forget(sessionId);
    inStep.delete(sessionId);
  }
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
