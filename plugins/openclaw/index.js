/**
 * LibraVDB Memory for OpenClaw: memory and context engine in one, thin, over the daemon `libravdbd`.
 *
 * The host registers a plugin several times in a process, in different modes, so registering opens nothing. What lasts
 * is made when it is first used, once for each set of settings.
 */
import path from "node:path";

import { DESCRIPTOR, registerCommands } from "./cli.js";
import { ID, readSettings } from "./config.js";
import { Engine } from "./engine.js";
import { registerHooks } from "./hooks.js";
import { Identities } from "./identity.js";
import { Link } from "./link.js";
import { makeCapability } from "./memory.js";
import { makeTools } from "./tools.js";
import { Windows } from "./windows.js";

/** @type {Map<string, import("./engine.js").Office>} */
const offices = new Map();

/** The office for an API object of the host: one for the same settings, however often the host registers us. */
function officeFor(api) {
  const settings = readSettings(api.pluginConfig);
  const name = JSON.stringify(settings);
  if (!offices.has(name)) offices.set(name, makeOffice(api, settings));
  return offices.get(name);
}

function makeOffice(api, settings) {
  const logFile = path.join(api.runtime.state.resolveStateDir(), "libravdb", "libravdbd.log");
  return {
    settings,
    link: new Link(settings, { logger: api.logger, logFile }),
    identities: new Identities(settings),
    windows: new Windows(settings.contextShare),
    inStep: new Set(),
    logger: api.logger,
    loadSdk: () => import("openclaw/plugin-sdk/core"),
  };
}

export default {
  id: ID,
  name: "LibraVDB Memory",
  description: "Local memory and context engine: remembers across sessions, explains itself, sends nothing anywhere.",
  register(api) {
    const office = () => officeFor(api);
    api.registerContextEngine(ID, () => new Engine(office()));
    api.registerMemoryCapability(makeCapability(office));
    api.registerTool((ctx) => makeTools(office(), ctx), { names: ["memory_search", "memory_get"] });
    api.registerCli(({ program }) => registerCommands(program, office), { descriptors: [DESCRIPTOR] });
    registerHooks(api, office);
  },
};
