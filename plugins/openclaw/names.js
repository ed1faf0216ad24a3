/**
 * Which of the names that memory-core uses too are ours: `openclaw memory`, and the tools memory_search and memory_get.
 *
 * The host gives a name to the plugin that it loads first, and logs an error for the other on every turn. A folder that
 * is linked (`plugins.load.paths`) comes before the plugins that OpenClaw brings, a copy (npm, a tarball) after them. So
 * a copy never asks for those names: its tools have names of their own, and every way has `openclaw libravdb`.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const STOCK = "memory-core";

/** What our tools are called where memory-core has the usual names. */
export const OWN_TOOLS = { memory_search: "libravdb_search", memory_get: "libravdb_get" };

/** The command that is ours wherever we come. */
export const COMMAND = "libravdb";

/**
 * @param {{config?: any, rootDir?: string, source?: string}} api what the host tells a plugin of itself
 * @returns {boolean} whether the names that memory-core uses too are ours
 */
export function hasSharedNames({ config, rootDir, source }) {
  const plugins = config?.plugins;
  const isStockOff =
    plugins?.entries?.[STOCK]?.enabled === false || (Array.isArray(plugins?.deny) && plugins.deny.includes(STOCK));
  return isStockOff || isLinked(rootDir ?? (source ? path.dirname(source) : undefined), plugins?.load?.paths);
}

function isLinked(folder, loadPaths) {
  if (typeof folder !== "string" || !Array.isArray(loadPaths)) return false;
  const ours = real(folder);
  return loadPaths
    .filter((one) => typeof one === "string" && one !== "")
    .map((one) => real(one.replace(/^~(?=$|[/\\])/, os.homedir())))
    .some((one) => ours === one || ours.startsWith(one + path.sep) || path.dirname(one) === ours);
}

function real(place) {
  try {
    return fs.realpathSync(place);
  } catch {
    return path.resolve(place);
  }
}

/** A tool under the name that it has here; what it says of other tools is said with their names here too. */
export function renamedTool(tool) {
  const { execute, ...told } = tool;
  return { ...renamed(told), execute };
}

/**
 * The section of the prompt with the names that our tools have here. The others of these names are memory-core's.
 *
 * @param {(params: any) => string[]} build
 */
export function renamedSection(build) {
  return ({ availableTools, ...others }) => {
    const ours = new Set([...availableTools].filter((name) => !(name in OWN_TOOLS)));
    for (const [usual, own] of Object.entries(OWN_TOOLS)) if (availableTools.has(own)) ours.add(usual);
    return renamed(build({ ...others, availableTools: ours }));
  };
}

function renamed(value) {
  if (typeof value === "string") return value.replace(/\bmemory_(?:search|get)\b/g, (usual) => OWN_TOOLS[usual]);
  if (Array.isArray(value)) return value.map(renamed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamed(one)]));
}
