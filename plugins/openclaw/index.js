/**
 * LibraVDB Memory for OpenClaw: memory and context engine in one, thin, over the daemon `libravdbd`.
 *
 * The host registers a plugin several times in a process, in different modes, so registering opens nothing. What lasts
 * is made when it is first used, once for each set of settings.
 */
import path from "node:path";

import { DESCRIPTOR, registerCommands } from "./cli.js";
import { ABOUT, ID, NAME, readSettings } from "./config.js";
import { ourSettings } from "./earlier.js";
import { Engine } from "./engine.js";
import { registerHooks } from "./hooks.js";
import { Identities } from "./identity.js";
import { Link } from "./link.js";
import { makeCapability } from "./memory.js";
import { COMMAND, hasSharedNames, OWN_TOOLS, renamedSection, renamedTool } from "./names.js";
import { Notes } from "./notes.js";
import { Policy } from "./policy.js";
import { makeTools, TOOL_NAMES } from "./tools.js";
import { Windows } from "./windows.js";

/**
 * The plugin as the host takes it. A test gives an SDK, a clock and a patience of its own.
 *
 * @param {{loadSdk?: () => Promise<any>, clock?: () => number, offerMs?: number}} seams
 */
export function makePlugin({ loadSdk = () => import("openclaw/plugin-sdk/core"), clock = Date.now, offerMs } = {}) {
  /** @type {Map<string, import("./engine.js").Office>} */
  const offices = new Map();

  /** One office for the same settings, however often the host registers us. */
  function officeFor(api) {
    const settings = readSettings(api.pluginConfig);
    const name = JSON.stringify(settings);
    if (!offices.has(name)) {
      offices.set(name, makeOffice(api, settings, { loadSdk, clock, offerMs }));
      for (const note of ourSettings(api.pluginConfig).notes) api.logger.info(`libravdb: ${note}`);
    }
    return offices.get(name);
  }

  return {
    id: ID,
    name: NAME,
    description: ABOUT,
    register(api) {
      const office = () => officeFor(api);
      api.registerContextEngine(ID, () => new Engine(office()));
      const isShared = hasSharedNames(api);
      registerMemory(api, office, isShared);
      for (const name of isShared ? [COMMAND, DESCRIPTOR.name] : [COMMAND]) {
        const descriptors = [{ ...DESCRIPTOR, name }];
        api.registerCli(({ program }) => registerCommands(program, office, { root: name }), { descriptors });
      }
      registerHooks(api, office);
      api.on("gateway_start", () => office().notes.tellAll());
    },
  };
}

/** The memory capability and the tools, under the names that are ours here. */
function registerMemory(api, office, isShared) {
  const capability = makeCapability(office);
  const toolsFor = (ctx) => (office().policy.hasMemory(ctx) ? makeTools(office(), ctx) : null);
  if (isShared) {
    api.registerMemoryCapability(capability);
    api.registerTool(toolsFor, { names: TOOL_NAMES });
    return;
  }
  api.registerMemoryCapability({ ...capability, promptBuilder: renamedSection(capability.promptBuilder) });
  api.registerTool((ctx) => toolsFor(ctx)?.map(renamedTool) ?? null, {
    names: TOOL_NAMES.map((name) => OWN_TOOLS[name] ?? name),
  });
}

function makeOffice(api, settings, { loadSdk, clock, offerMs }) {
  const logFile = path.join(api.runtime.state.resolveStateDir(), "libravdb", "libravdbd.log");
  const hostConfig = () => api.runtime.config?.current?.() ?? api.config ?? {};
  const link = new Link(settings, { logger: api.logger, logFile, clock, offerMs });
  const policy = new Policy(settings, hostConfig);
  const { agent } = api.runtime;
  return {
    settings,
    link,
    identities: new Identities(settings, () => hostConfig().session?.identityLinks),
    policy,
    notes: new Notes({
      settings,
      link,
      policy,
      logger: api.logger,
      hostConfig,
      resolveWorkspace: agent?.resolveAgentWorkspaceDir,
    }),
    /** The id under which a session is stored now, by its key. */
    sessionIdOf: (sessionKey) => agent?.session?.getSessionEntry?.({ sessionKey })?.sessionId ?? "",
    windows: new Windows(settings.contextShare),
    inStep: new Set(),
    resets: new Map(),
    logger: api.logger,
    loadSdk,
  };
}

export default makePlugin();
