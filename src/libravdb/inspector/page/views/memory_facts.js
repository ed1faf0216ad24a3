// What filters mean, and what stands beside a memory's text. No element is touched here, so that it can be tried without a browser.

/** Where a namespace keeps what lasts. */
export const durable = (namespace) => `user:${namespace}`;

/* ── filters ── */

const FILTERS = ["words", "key", "value", "since", "until", "outdated"];

/** The filters in an address; what is empty counts as not asked. */
export function readFilters(params) {
  return Object.fromEntries(FILTERS.map((name) => [name, (params.get(name) ?? "").trim()]).filter(([, value]) => value));
}

/** The first moment of a day, `days` later, as a person at this machine means it. */
function dayStart(text, days = 0) {
  const moment = new Date(`${text}T00:00`);
  if (Number.isNaN(moment.getTime())) return undefined;
  moment.setDate(moment.getDate() + days);
  return moment.getTime();
}

/** A filter as the daemon takes it; the last day counts whole. Nothing asked gives an empty one. */
export function toWhere({ key, value, since, until, outdated }) {
  const where = {};
  const conditions = [];
  if (key && value) where.metadata = { [key]: alternatives(value) };
  else if (key) conditions.push({ key, operator: "$exists", value: true });
  if (outdated) conditions.push({ key: "superseded_by", operator: "$exists", value: true });
  if (conditions.length) where.conditions = conditions;
  if (since && dayStart(since) !== undefined) where.since = dayStart(since);
  if (until && dayStart(until) !== undefined) where.until = dayStart(until, 1);
  return where;
}

/** Whoever types 3 may mean the number or the word. */
function alternatives(text) {
  const read = readValue(text);
  return ["number", "boolean"].includes(typeof read) ? [read, text] : [typeof read === "string" ? read : text];
}

/* ── what stands beside a text ── */

const NOTED = new Set([
  "userId", "sessionId", "source_turn_id", "type", "role", "speaker", "ts", "provenance_class", "stability_weight", "continuity_bundle_id", "raw_history", "active_view",
  "withdrawn", "supersedes", "superseded_by", "superseded_at", "times_seen", "last_seen_at", "useful", "useful_at", "repeats_memory_id", "is_excerpt", "is_secret_only",
  "secrets", "is_echo", "holds_frames", "is_passing", "memory_expires_at", "source_memory_id", "memory_updated_at", "continuity_lineage",
]);

/** True for what the engine wrote itself: it is shown, and edited by nobody. */
export const isNoted = (key) => NOTED.has(key) || key.startsWith("gating_") || key.startsWith("states_");

/** Metadata in two parts: what people and tools gave, and what the engine noted. */
export function parted(metadata) {
  const entries = Object.entries(metadata);
  return { own: entries.filter(([key]) => !isNoted(key)), noted: entries.filter(([key]) => isNoted(key)) };
}

function isJson(text) {
  try { JSON.parse(text); return true; } catch { return false; }
}

/** A value as it stands in a field: a text as it is, unless that would be read as something else. */
export const shownValue = (value) => (typeof value === "string" && !isJson(value) && value === value.trim() && value !== "" ? value : JSON.stringify(value));

/** What somebody wrote into a field: a number, true, false, a list or an object as JSON writes it, else a text. */
export function readValue(text) {
  const trimmed = text.trim();
  return isJson(trimmed) ? JSON.parse(trimmed) : trimmed;
}

/** What has to be told so that the labels become those of `rows` ([key, text in the field]); null takes one away. */
export function changedFacts(own, rows) {
  const before = new Map(own);
  const after = new Map(rows.filter(([key]) => key.trim()).map(([key, text]) => [key.trim(), readValue(text)]));
  const changes = {};
  for (const [key, value] of after) if (!before.has(key) || JSON.stringify(before.get(key)) !== JSON.stringify(value)) changes[key] = value;
  for (const key of before.keys()) if (!after.has(key)) changes[key] = null;
  return changes;
}

/** Why labels cannot be saved as they are; empty when they can. */
export function wrongRows(rows) {
  const keys = rows.map(([key]) => key.trim());
  const taken = keys.find((key) => key && isNoted(key));
  if (taken) return `The engine itself uses the name ${taken}. Choose another one.`;
  const twice = keys.find((key, place) => key && keys.indexOf(key) !== place);
  if (twice) return `The label ${twice} is there twice.`;
  return rows.some(([key, text]) => !key.trim() && text.trim()) ? "A value has no name beside it." : "";
}

/** A moment as a field of date and time holds it, in the time of this machine. */
export function localMoment(at) {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/* ── the words of other things ── */

/** Lines of a profile by kind, kinds and lines in the order in which a prompt shows them. */
export function byKind(lines) {
  const kinds = new Map();
  for (const line of lines) kinds.set(line.kind, [...(kinds.get(line.kind) ?? []), line]);
  return [...kinds];
}

/** Wishes that count, and those that count no more. */
export function partWishes(wishes) {
  const isCurrent = (wish) => !wish.replacedBy && (wish.removedAt === undefined || wish.removedAt === null);
  return { current: wishes.filter(isCurrent), former: wishes.filter((wish) => !isCurrent(wish)) };
}

/** The beginning of a text, whole characters only. */
export function brief(text, most = 300) {
  const letters = Array.from(text);
  return letters.length > most ? `${letters.slice(0, most).join("").trimEnd()} …` : text;
}

const line = (text) => text.replaceAll("\n", "\n  ");
export const memoriesMarkdown = (records) => records.map((each) => `- ${line(each.text)} (${new Date(each.at).toISOString().slice(0, 10)}${each.metadata.superseded_by ? ", outdated" : ""})`).join("\n");
export const profileMarkdown = (lines) => byKind(lines).map(([kind, some]) => `## ${kind}\n\n${some.map((each) => `- ${line(each.text)}`).join("\n")}`).join("\n\n");
export const wishesMarkdown = (wishes) => wishes.map((wish) => `- ${line(wish.text)}${wish.replacedBy ? " (replaced)" : wish.removedAt ? " (removed)" : ""}`).join("\n");
