/** The host's messages on their way to the daemon, and the daemon's frames on their way into the host's messages. */

import { TOOL_NAMES } from "./tools.js";

const KEPT = [
  "role",
  "speaker",
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
/** Marks the blocks in which the host tells the model of a message's sender, chat and time. */
const CONTEXT = "⟦openclaw:ctx⟧";
const BLOCK = new RegExp(`^[^\\n]{1,120} ${CONTEXT}\\n\`\`\`json\\n([^]*?)\\n\`\`\`(?:\\n+|$)`);
const LONGEST_NAME = 80;
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
 * What somebody said, without the blocks that the host writes before it.
 *
 * @param {unknown} text
 */
export function spoken(text) {
  return opened(typeof text === "string" ? text : "").body;
}

/** A text without its leading blocks, and what they tell. */
function opened(text) {
  let body = text;
  const blocks = [];
  for (let found = BLOCK.exec(body); found; found = BLOCK.exec(body)) {
    blocks.push(found[1]);
    body = body.slice(found[0].length);
  }
  return { body, blocks };
}

/**
 * A person's message without the host's blocks, and in a group with the name of who said it: as the transcript tells
 * it, else as a block does.
 *
 * @param {Record<string, any>} message
 * @param {{isGroup: boolean}} session
 */
export function withSpeaker(message, { isGroup }) {
  if (message.role !== "user") return message;
  const at = firstText(message.content);
  const { body, blocks } = opened(at === null ? "" : at < 0 ? message.content : message.content[at].text);
  const bare = blocks.length ? { ...message, content: replaced(message.content, at, body) } : message;
  const speaker = isGroup ? senderOf(message.__openclaw) || blocks.map(senderIn).find(Boolean) : "";
  return speaker ? { ...bare, speaker } : bare;
}

/** Where a message's first text is: -1 when all of it is text, null when there is none. */
function firstText(content) {
  if (typeof content === "string") return -1;
  const at = Array.isArray(content) ? content.findIndex((part) => typeof part?.text === "string") : -1;
  return at < 0 ? null : at;
}

function replaced(content, at, text) {
  return at < 0 ? text : content.with(at, { ...content[at], text });
}

function senderIn(block) {
  try {
    const { sender, label, name } = JSON.parse(block);
    const { id, username } = sender ?? {};
    return senderOf({ senderName: sender?.name ?? label ?? name, senderUsername: username, senderId: id });
  } catch {
    return "";
  }
}

function senderOf(told) {
  const names = [told?.senderName, told?.senderUsername, told?.senderId];
  const name = names.find((one) => typeof one === "string" && one.trim()) ?? "";
  // eslint-disable-next-line no-control-regex
  return name.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim().slice(0, LONGEST_NAME).toWellFormed();
}

/**
 * Messages without the host's heartbeats and what answers them.
 *
 * @param {Record<string, any>[]} messages
 * @param {(text: string) => boolean} isHeartbeat
 */
export function withoutHeartbeats(messages, isHeartbeat) {
  let isOurs = true;
  return messages.filter((message) => {
    if (message.role === "user") isOurs = !isHeartbeat(spoken(textOf(message)));
    return isOurs;
  });
}

function textOf({ content }) {
  const at = firstText(content);
  return at === null ? "" : at < 0 ? content : content[at].text;
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

/** A price of messages that is rather too high than too low, when the daemon gives none. */
export function estimate(messages) {
  return messages.reduce((sum, message) => sum + tokensOf(JSON.stringify(slim(message))), 0);
}

const DENSE = /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/g;
const HALF_DENSE = /[\u0370-\u10ff\u1200-\u1fff\ud800-\udfff]/g;

/** Tokens of a text by its scripts, as the daemon counts them. */
function tokensOf(text) {
  const dense = text.match(DENSE)?.length ?? 0;
  const half = text.match(HALF_DENSE)?.length ?? 0;
  return Math.ceil(dense / 1.6 + half / 2.5 + (text.length - dense - half) / 4);
}
