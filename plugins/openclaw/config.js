/**
 * What the user set for this plugin, with defaults, and what of it is meant for a daemon that the plugin starts.
 *
 * The host has checked it against the schema of `openclaw.plugin.json`, which is made from the engine's own settings.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { EARLIER_NAMES, ourSettings } from "./earlier.js";

const MANIFEST = JSON.parse(fs.readFileSync(new URL("./openclaw.plugin.json", import.meta.url), "utf8"));
const PROPERTIES = Object.fromEntries(
  Object.entries(MANIFEST.configSchema.properties).filter(([name]) => !EARLIER_NAMES.has(name)),
);

export const ID = MANIFEST.id;
export const NAME = MANIFEST.name;
export const ABOUT = MANIFEST.description;
export const VERSION = MANIFEST.version;

/**
 * @typedef {object} Settings
 * @property {string} userId whose memory it is; empty: decided by `memoryPer`
 * @property {"person" | "session" | "agent"} memoryPer
 * @property {string[]} ignoreSessions patterns of the keys of sessions that are left alone
 * @property {"window" | "augment"} mode
 * @property {number} contextShare share of the host's token budget that history and memory may take
 * @property {boolean} startDaemon
 * @property {string} daemonCommand
 * @property {number} timeoutMs
 * @property {string} endpoint
 * @property {string} token
 * @property {Record<string, string>} environment of a daemon that we start
 */

/**
 * @param {Record<string, any>} written the plugin's part of the host's configuration
 * @param {Record<string, string | undefined>} environ
 * @returns {Settings}
 */
export function readSettings(written = {}, environ = process.env) {
  const given = ourSettings(written).config;
  const own = Object.fromEntries(
    Object.entries(PROPERTIES)
      .filter(([, property]) => property.type !== "object")
      .map(([name, property]) => [name, given[name] ?? property.default]),
  );
  const endpoint = given.daemon?.endpoint || usualEndpoint(environ);
  return {
    ...own,
    endpoint,
    token: given.daemon?.token ?? "",
    environment: { ...environmentOf(given), LIBRAVDB_DAEMON_ENDPOINT: endpoint },
  };
}

/** Where a daemon listens that was told nothing else. */
function usualEndpoint(environ) {
  const told = environ.LIBRAVDB_DAEMON_ENDPOINT || environ.LIBRAVDB_RPC_ENDPOINT;
  if (told) return told;
  if (process.platform === "win32") return "tcp:127.0.0.1:37421";
  return `unix:${path.join(os.homedir(), ".clawdb", "run", "libravdb.sock")}`;
}

/** The engine's settings as the daemon reads them from its environment; defaults are left to the daemon's own file. */
function environmentOf(given) {
  const found = {};
  for (const [section, schema] of Object.entries(PROPERTIES)) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const value = given[section]?.[name];
      if (value === undefined || JSON.stringify(value) === JSON.stringify(property.default)) continue;
      found[`LIBRAVDB_${section}_${snake(name)}`.toUpperCase()] = written(value, property);
    }
  }
  return found;
}

function written(value, property) {
  if (!Array.isArray(value)) return String(value);
  return value.join(property.items.format === "path" ? (process.platform === "win32" ? ";" : ":") : ",");
}

function snake(name) {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_");
}
