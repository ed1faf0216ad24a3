/** A session's messages from the host's own store, through its SDK. */

const PAGE = { maxMessages: 10_000, maxBytes: 64 * 1024 * 1024 };

/**
 * @param {{agentId: string, sessionKey: string, sessionId: string, storePath?: string}} target
 * @returns {Promise<object[]>} oldest first
 */
export async function readTranscript({ agentId, sessionKey, sessionId, storePath }) {
  const { readSessionTranscriptVisibleMessageDelta } = await import("openclaw/plugin-sdk/session-transcript-runtime");
  const messages = [];
  let cursor;
  for (;;) {
    const page = await readSessionTranscriptVisibleMessageDelta({
      agentId,
      sessionKey,
      sessionId,
      ...(storePath ? { storePath } : {}),
      ...(cursor ? { cursor } : {}),
      ...PAGE,
    });
    if (page.kind === "unavailable") throw new Error(page.reason);
    if (page.kind !== "page") return messages;
    messages.push(...page.entries.map((entry) => entry.message));
    if (!page.hasMore || page.requiredBytes) return messages;
    cursor = page.cursor;
  }
}
