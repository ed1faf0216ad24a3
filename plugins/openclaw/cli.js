/** `openclaw libravdb …`, and `openclaw memory …` where that name is ours: what memory holds, from the host's own command. */
import { DaemonAway, DaemonRefused } from "./client.js";
import { search } from "./recall.js";

export const DESCRIPTOR = {
  name: "memory",
  description: "Search, explain and look after LibraVDB Memory",
  hasSubcommands: true,
};

/**
 * @param {any} program the command line of the host (commander)
 * @param {() => import("./engine.js").Office} office
 * @param {{root?: string, write?: (text: string) => void, fail?: (text: string) => void}} terminal
 */
export function registerCommands(program, office, { root = DESCRIPTOR.name, write = print, fail = complain } = {}) {
  const memory = program.command(root).description(DESCRIPTOR.description);

  /** A command that asks the daemon: `act` gives the answer, `tell` its lines; with --json the answer itself. */
  const add = (name, about, act, tell) =>
    memory
      .command(name)
      .description(about)
      .option("--agent <id>", "the agent whose memory is meant", "main")
      .option("--session-key <key>", "the session whose memory is meant, where each has its own (memoryPer)")
      .option("--json", "print JSON")
      .action(async (...given) => {
        const command = given.at(-1);
        const options = command.opts();
        const { link, identities } = office();
        const namespace = identities.namespaceOf({ agentId: options.agent, sessionKey: options.sessionKey });
        const call = { link, options, namespace };
        try {
          const answer = await act(call, ...given.slice(0, -2));
          write(options.json ? JSON.stringify(answer, null, 2) : tell(answer, call).join("\n"));
        } catch (error) {
          if (!(error instanceof DaemonAway || error instanceof DaemonRefused || error instanceof Unwanted))
            throw error;
          fail(`error: ${error.message}${error.remedy ? `\n  ${error.remedy}` : ""}`);
        } finally {
          link.close();
        }
      });

  add("status", "show how memory is and what it holds", ({ link }) => link.call("status", {}), tellStatus);

  add(
    "search <question...>",
    "search the memory of an agent or a session",
    ({ link, namespace, options }, words) =>
      search(link, namespace, words.join(" "), { maxResults: Number(options.limit) }),
    ({ hits, degraded }) => [
      ...(hits.length ? hits.map(tellHit) : ["Nothing relevant was found."]),
      ...(degraded ? [`note: ${degraded}`] : []),
    ],
  ).option("-n, --limit <count>", "most results", "8");

  add(
    "journal",
    "show what happened to sessions: resets, ends, subagents",
    ({ link, options }) => link.call("list_lifecycle_journal", { limit: Number(options.limit) }),
    ({ results }) => (results.length ? results.map(tellEvent) : ["The journal is empty."]),
  ).option("-n, --limit <count>", "newest entries", "20");

  add(
    "export",
    "print the durable memory of an agent or a session",
    ({ link, namespace }) => link.call("export_memory", { namespace }, { lane: "long" }),
    ({ records }) => records.map((record) => record.text),
  );

  add(
    "flush",
    "delete the memory of an agent or a session, all of it",
    async ({ link, namespace, options }) => {
      if (!options.yes) throw new Unwanted(`This deletes all that ${namespace} remembers. Add --yes if you mean it.`);
      return await link.call("drop_collections", { namespace }, { lane: "long" });
    },
    ({ records }, { namespace }) => [
      records ? `Deleted: ${namespace} (${records} records)` : `Nothing to delete: ${namespace} holds nothing.`,
    ],
  ).option("--yes", "delete without asking");

  add(
    "explain [receipt]",
    "tell what stood in a prompt and why (default: the newest)",
    ({ link, namespace }, receipt) => link.call("explain", { namespace, receipt: receipt ?? "" }),
    (told) => [`receipt ${told.id}, session ${told.session}`, `prompt: ${told.prompt}`, ...told.words, ...told.bar],
  );
}

/** The user did not say that it is meant. */
class Unwanted extends Error {}

function tellStatus(known) {
  return [
    `version   ${known.version}`,
    `state     ${known.message}`,
    `search    ${known.mode}`,
    `model     ${known.embeddingProfile}`,
    `store     ${known.storePath} (${Math.ceil(known.storeBytes / 1024)} KiB)`,
    `turns     ${known.turnCount}`,
    `memories  ${known.memoryCount}`,
  ];
}

function tellHit({ score, at, role, snippet, path }) {
  return `${score.toFixed(3)}  ${at.slice(0, 16).replace("T", " ")}  ${role || "note"}  ${oneLine(snippet)}\n       ${path}`;
}

function tellEvent({ metadata }) {
  const at = new Date(Number(metadata.ts)).toISOString().slice(0, 19).replace("T", " ");
  return [at, metadata.hook, metadata.reason, metadata.sessionKey || metadata.sessionId].filter(Boolean).join("  ");
}

/** Remembered text must not steer the terminal. */
function oneLine(text) {
  // eslint-disable-next-line no-control-regex
  return text.replace(/\s+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f]/g, "");
}

function print(text) {
  process.stdout.write(`${text}\n`);
}

function complain(text) {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
