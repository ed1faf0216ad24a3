/** The host's messages on their way to the daemon, and the daemon's frames on their way into the host's messages. */

import { TOOL_NAMES } from "./tools.js";

const KEPT = [
  "role",
  "id",
  "timestamp",
  "content",
  "summary",
  "toolCallId",
  "toolName",
  "isError",
  "command",
  "output",
];
const PERSON = "external_user";
const BINARY = ["image", "audio", "video", "file", "document"];

/**
 * A message as the daemon needs it: what was said, by whom and when. Usage, details and pictures stay here.
 *
 * @param {Record<string, any>} message
 */
export function slim(message) {
  const slimmed = {};
  for (const field of KEPT) if (message[field] !== undefined) slimmed[field] = message[field];
  if (Array.isArray(message.content)) slimmed.content = message.content.map(slimPart);
  return slimmed;
}

function slimPart(part) {
  if (!BINARY.includes(part?.type)) return part;
  const { type, mimeType, filename, fileName } = part;
  return { type, mimeType, filename: filename ?? fileName };
}

/**
 * What a message adds to memory. Looking something up in memory adds nothing: what was found would be remembered again.
 *
 * @param {Record<string, any>} message
 */
export function withoutLookups(message) {
  if (TOOL_NAMES.includes(message.toolName)) return { ...message, content: "" };
  if (!Array.isArray(message.content)) return message;
  return {
    ...message,
    content: message.content.filter((part) => part?.type !== "toolCall" || !TOOL_NAMES.includes(part.name)),
  };
}

/**
 * What another session, the host itself or an agent that started a subagent wrote is in the user's role, but no person's
 * word: memory must not take it for one.
 *
 * @param {Record<string, any>} message
 * @param {{isSubagent: boolean}} session
 */
export function inTrueRole(message, { isSubagent }) {
  if (message.role !== "user") return message;
  const kind = message.provenance?.kind ?? PERSON;
  return isSubagent || kind !== PERSON ? { ...message, role: "assistant" } : message;
}

/**
 * The messages of a prompt: those of the host that stay, the very same objects, with ours among them.
 *
 * @param {object[]} messages what the host gave
 * @param {{opening: string, closing: string, closingAt: number, kept: number[]}} prompt
 */
export function placed(messages, { opening, closing, closingAt, kept }) {
  const shown = kept.map((place) => messages[place]);
  if (closing) shown.splice(closingAt, 0, framed(closing));
  if (opening) shown.unshift(framed(opening));
  return shown;
}

/** A message of ours. It has no time: the host writes a message's time before its text. */
function framed(text) {
  return { role: "user", content: text };
}

/** A rough price of messages, for the host, when the daemon gives none. */
export function estimate(messages) {
  return messages.reduce((sum, message) => sum + Math.ceil(JSON.stringify(slim(message)).length / 4), 0);
}
