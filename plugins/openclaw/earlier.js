/**
 * Settings of the earlier implementation, which had the same plugin id: what each became, or why it has no meaning now.
 *
 * The host refuses a configuration with a key that the schema does not know, so all of them are in the schema too; both
 * are made from `earlier.json`.
 */
import fs from "node:fs";

const EARLIER = JSON.parse(fs.readFileSync(new URL("./earlier.json", import.meta.url), "utf8"));
const MANIFEST = JSON.parse(fs.readFileSync(new URL("./openclaw.plugin.json", import.meta.url), "utf8"));

export const EARLIER_NAMES = new Set(Object.keys(EARLIER));

/**
 * A configuration in today's words, and a note for each word of the earlier implementation. Today's word wins.
 *
 * @param {Record<string, any>} given the plugin's part of the host's configuration
 * @returns {{config: Record<string, any>, notes: string[]}}
 */
export function ourSettings(given = {}) {
  const config = Object.fromEntries(Object.entries(given).filter(([name]) => !(name in EARLIER)));
  const notes = [];
  const taken = new Set();
  for (const [name, value] of Object.entries(given)) {
    if (!(name in EARLIER)) continue;
    const row = EARLIER[name];
    const { became, why } = row;
    const problem = why ?? place(config, row, meaning(row, value, given), taken);
    const shown = row.secret ? "" : ` (${JSON.stringify(get(config, became))})`;
    notes.push(problem ? `setting ${name} is ignored: ${problem}.` : `setting ${name} is now ${became}${shown}.`);
  }
  return { config, notes };
}

/** What an earlier value means today; undefined when it means nothing. */
function meaning({ became, values, pattern, when, each }, value, given) {
  for (const [other, wanted] of Object.entries(when ?? {})) if (!wanted.includes(given[other])) return undefined;
  if (pattern && !(typeof value === "string" && new RegExp(pattern).test(value))) return undefined;
  const fit = fitting(schemaOf(became), values ? values[String(value)] : value);
  return each ? fit?.map((one) => each.replace("{}", () => one)) : fit;
}

/** A value that the schema of its new place takes; numbers are moved into their bounds. */
function fitting(schema, value) {
  if (schema.type === "array") {
    return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;
  }
  if (schema.type === "number" || schema.type === "integer") {
    if (!Number.isFinite(value)) return undefined;
    const number = schema.type === "integer" ? Math.round(value) : value;
    return Math.min(Math.max(number, schema.minimum ?? number), schema.maximum ?? number);
  }
  return typeof value === schema.type ? value : undefined;
}

/** Put a value where it belongs now; tells why not. What adds to a list leaves what stands there, defaults too. */
function place(config, { became: key, adds }, value, taken) {
  const present = get(config, key) ?? (adds ? schemaOf(key).default : undefined);
  if (value === undefined) return `its value has no counterpart in ${key}`;
  if (Array.isArray(present) && (adds || taken.has(key))) value = [...present, ...value];
  else if (present !== undefined) return `${key} is set already`;
  taken.add(key);
  const [section, name] = key.split(".");
  config[section] = name ? { ...config[section], [name]: value } : value;
  return "";
}

function get(config, key) {
  return key?.split(".").reduce((found, part) => found?.[part], config);
}

function schemaOf(key) {
  const [section, name] = key.split(".");
  const schema = MANIFEST.configSchema.properties[section];
  return name ? schema.properties[name] : schema;
}
