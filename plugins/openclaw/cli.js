/** `openclaw libravdb …`, and `openclaw memory …` where that name is ours: memory from the host's own command. */
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline/promises";

import { DaemonAway, DaemonRefused } from "./client.js";
import { recordAt, search } from "./recall.js";
import { forgottenAt } from "./tools.js";

export const DESCRIPTOR = {
  name: "memory",
  description: "Search, explain and look after LibraVDB Memory",
  hasSubcommands: true,
};

const MOST_DIARY_BYTES = 1_048_576;
/** How the names of collections begin that are a namespace's own. */
const OWNED = /^(?:user|turns|history|elevated:user|dream|receipts|profile|agent_notes|curated_notes):/;

/**
 * @typedef {object} Call what a command is carried out with
 * @property {import("./engine.js").Office} office
 * @property {import("./link.js").Link} link
 * @property {any} options
 * @property {string} namespace whose memory is meant
 * @property {{agentId: string, sessionKey?: string}} who
 * @property {(question: string) => Promise<boolean>} ask
 */

/**
 * @param {any} program the command line of the host (commander)
 * @param {() => import("./engine.js").Office} office
 * @param {{root?: string, write?: (text: string) => void, fail?: (text: string) => void,
 *   ask?: (question: string) => Promise<boolean>}} terminal
 */
export function registerCommands(program, office, terminal = {}) {
  const { root = DESCRIPTOR.name, write = print, fail = complain, ask = asked } = terminal;
  const memory = program.command(root).description(DESCRIPTOR.description);

  /** A command that asks the daemon: `act` gives the answer, `tell` its lines; with --json the answer itself. */
  const add = (parent, name, about, act, tell) =>
    parent
      .command(name)
      .description(about)
      .option("--agent <id>", "the agent whose memory is meant", "main")
      .option("--session-key <key>", "the session whose memory is meant: a person's, a group's")
      .option("--json", "print JSON")
      .action(async (...given) => {
        const options = given.at(-1).opts();
        const known = office();
        const who = { agentId: options.agent, sessionKey: options.sessionKey };
        const call = { office: known, link: known.link, options, who, ask };
        try {
          call.namespace = known.identities.namespaceOf(who);
          const answer = await act(call, ...given.slice(0, -2));
          write(options.json ? JSON.stringify(answer, null, 2) : tell(answer, call).join("\n"));
        } catch (error) {
          const isTold = error instanceof DaemonAway || error instanceof DaemonRefused || error instanceof Unwanted;
          if (!isTold && !error.remedy) throw error;
          fail(`error: ${error.message}${error.remedy ? `\n  ${error.remedy}` : ""}`);
        } finally {
          known.link.close();
        }
      });

  addReading((...command) => add(memory, ...command));
  addDeleting((...command) => add(memory, ...command));
  addGuidance(memory.command("guidance").description("standing wishes to the agent"), add);
  addMoving((...command) => add(memory, ...command));
}

// ── looking ─────────────────────────────────────────────────────────────────────────────────────────────────

function addReading(add) {
  add("status", "show how memory is and what it holds", status, tellStatus);
  add("search <question...>", "search the memory of an agent, a person or a group", searched, ({ hits, degraded }) => [
    ...(hits.length ? hits.map(tellHit) : ["Nothing relevant was found."]),
    ...(degraded ? [`note: ${degraded}`] : []),
  ]).option("-n, --limit <count>", "most results", "8");
  add(
    "explain [receipt]",
    "tell what stood in a prompt and why (default: the newest)",
    ({ link, namespace }, receipt) => link.call("explain", { namespace, receipt: receipt ?? "" }),
    (told) => [
      `receipt ${told.id}, session ${told.session}`,
      `prompt: ${oneLine(told.prompt)}`,
      ...told.words,
      ...told.bar,
    ],
  );
  add(
    "journal",
    "show what happened to sessions: resets, ends, subagents",
    ({ link, options }) => link.call("list_lifecycle_journal", { limit: count(options.limit) }),
    ({ results }) => (results.length ? results.map(tellEvent) : ["The journal is empty."]),
  ).option("-n, --limit <count>", "newest entries", "20");
  add(
    "export",
    "print the durable memory",
    ({ link, namespace }) => link.call("export_memory", { namespace }, { lane: "long" }),
    ({ records }) => records.map((record) => record.text),
  );
  add(
    "profile",
    "show what is known of the person",
    ({ link, namespace }) => link.call("profile_show", { namespace }),
    ({ lines }) => (lines.length ? lines.map(tellLine) : ["Nothing is known yet."]),
  );
}

/** @param {Call} call */
async function status({ link }) {
  const known = await link.call("status", {});
  const { folders } = await link.call("list_notes", {}).catch((error) => {
    if (error instanceof DaemonRefused) return { folders: [] }; // an older daemon, or no right to see them
    throw error;
  });
  return { ...known, noteFolders: folders };
}

/** @param {Call} call */
async function searched({ office, link, namespace, options, who }, words) {
  const notesOf = await office.notes.searchedIn(who);
  return await search(link, namespace, words.join(" "), { maxResults: count(options.limit), notesOf });
}

// ── deleting ────────────────────────────────────────────────────────────────────────────────────────────────

function addDeleting(add) {
  add(
    "flush",
    "delete the memory of an agent, a person or a group, all of it",
    flushed,
    ({ records }, { namespace }) => [
      records ? `Deleted: ${namespace} (${records} records)` : `Nothing to delete: ${namespace} holds nothing.`,
    ],
  ).option("--yes", "delete without asking");
  add(
    "forget [paths...]",
    "forget memories by their paths (durable/…, history/…), a session, or all that a participant said",
    forgotten,
    tellForgotten,
  )
    .option("--session <key>", "what was said in this session, by its key or id")
    .option("--participant <peer>", "a person, CHANNEL:PEER of direct chats; with a group's --session-key, a speaker")
    .option("--dry-run", "only show what would go")
    .option("--yes", "forget without asking");
}

/** @param {Call} call */
async function flushed({ link, namespace, options, ask }) {
  await confirmed(options, ask, `This deletes all that ${namespace} remembers.`);
  return await link.call("drop_collections", { namespace }, { lane: "long" });
}

/** @param {Call} call */
async function forgotten(call, paths = []) {
  const { session, participant } = call.options;
  const ways = [paths.length > 0, session !== undefined, participant !== undefined].filter(Boolean);
  if (ways.length !== 1) throw new Unwanted("Name paths, --session or --participant: one of them.");
  if (paths.length) return await forgottenPaths(call, paths);
  if (session !== undefined) return await forgottenTurns(call, sessionCall(call, session));
  if (call.who.sessionKey) return await forgottenTurns(call, { namespace: call.namespace, speaker: participant });
  return await forgottenPerson(call, participant);
}

/** @param {Call} call */
async function forgottenPaths(call, paths) {
  if (call.options.dryRun) {
    const records = await Promise.all(paths.map((one) => recordAt(call.link, call.namespace, one)));
    const found = paths.map((one, place) => ({ path: one, text: records[place]?.text }));
    return { isDry: true, forgotten: found.filter(({ text }) => text !== undefined) };
  }
  await confirmed(call.options, call.ask, `This forgets ${paths.length} memories of ${call.namespace}.`);
  return await forgottenAt(call, paths);
}

/** A session by its key: the host knows its id; by its id: as it is. */
function sessionCall({ office, options, who, namespace }, session) {
  const isKey = session.includes(":");
  const sessionId = isKey ? office.sessionIdOf?.(session) : session;
  if (!sessionId) throw new Unwanted(`OpenClaw knows no session ${session}. Name it by its id.`);
  const isOwn = isKey && !who.sessionKey;
  const whose = isOwn ? office.identities.namespaceOf({ agentId: options.agent, sessionKey: session }) : namespace;
  return { namespace: whose, sessionId };
}

/** @param {Call} call */
async function forgottenTurns({ link, options, ask }, wanted) {
  const dry = await link.call("forget_turns", { ...wanted, isDry: true }, { lane: "long" });
  if (options.dryRun || dry.turns === 0) return { ...dry, ...wanted };
  await confirmed(options, ask, `This forgets ${dry.turns} turns of ${wanted.namespace}.`);
  return { ...(await link.call("forget_turns", wanted, { lane: "long" })), ...wanted };
}

/** Whoever a direct chat is with: all of his memory. */
async function forgottenPerson({ office, link, options, who, ask }, participant) {
  const colon = participant.indexOf(":");
  if (colon < 1 || colon === participant.length - 1)
    throw new Unwanted("Name the participant as CHANNEL:PEER, for example telegram:12345.");
  const [channel, peer] = [participant.slice(0, colon), participant.slice(colon + 1)];
  const sessionKey = `agent:${who.agentId}:${channel}:direct:${peer}`;
  const namespace = office.identities.namespaceOf({ sessionKey });
  if (namespace === office.identities.namespaceOf({ agentId: who.agentId }))
    throw new Unwanted(`${participant} has no memory apart from ${namespace} (memoryPer, userId). Use flush.`);
  const { collections } = await link.call("list_collections", {});
  const held = collections.filter(({ name }) => name.replace(OWNED, "") === namespace);
  const records = held.reduce((sum, one) => sum + one.records, 0);
  if (options.dryRun || records === 0) return { isDry: true, namespace, records };
  await confirmed(options, ask, `This deletes all that ${namespace} remembers (${records} records).`);
  const done = await link.call("drop_collections", { namespace }, { lane: "long" });
  return { namespace, records: done.records };
}

function tellForgotten(answer) {
  const verb = answer.isDry ? "Would forget" : "Forgot";
  if (answer.forgotten)
    return [
      ...answer.forgotten.map((one) => `${verb}: ${one.path}  ${oneLine(one.text)}`),
      ...(answer.notFound ?? []).map((one) => `Not found: ${one}`),
      ...(answer.forgotten.length || answer.notFound?.length ? [] : ["Nothing was found."]),
    ];
  const whose = answer.namespace;
  if (answer.turns !== undefined)
    return [
      answer.turns ? `${verb} ${answer.turns} turns of ${whose}:` : `Nothing was said there to ${whose}.`,
      ...answer.latest.map((record) => `  ${when(record.at)}  ${oneLine(record.text)}`),
    ];
  return [answer.records ? `${verb} ${whose} (${answer.records} records)` : `${whose} holds nothing.`];
}

// ── wishes ──────────────────────────────────────────────────────────────────────────────────────────────────

function addGuidance(parent, add) {
  add(
    parent,
    "list",
    "show the standing wishes, the newest first",
    ({ link, namespace, options }) => link.call("list_guidance", { namespace, everything: options.all === true }),
    ({ wishes }) => (wishes.length ? wishes.map((wish) => `${wish.id}  ${oneLine(wish.text)}`) : ["There are none."]),
  ).option("--all", "replaced and removed ones too");
  add(
    parent,
    "remove <id>",
    "let a wish count no more",
    ({ link, namespace }, id) => link.call("remove_guidance", { namespace, id }),
    (wish) => [`Removed: ${oneLine(wish.text)}`],
  );
}

// ── dreams, and whose memory ────────────────────────────────────────────────────────────────────────────────

function addMoving(add) {
  add("dream-promote", "promote what the diary of dreams asks for, through the gate", promoted, (done) => [
    ...done.entries.map(({ entry, reason }) =>
      reason ? `no   ${oneLine(entry.text)}  (${reason})` : `yes  ${oneLine(entry.text)}`,
    ),
    `${done.isDry ? "Would promote" : "Promoted"} ${done.promoted}, rejected ${done.rejected}.`,
  ])
    .option("--file <path>", "a diary (default: DREAMS.md of the agent's workspace)")
    .option("--dry-run", "only show what would be promoted");
  add("adopt", "move the memory of one namespace to another", adopted, (done, { options }) => [
    `${options.dryRun ? "Would move" : "Moved"} ${done.records ?? 0} records from ${options.from} to ${options.to}.`,
  ])
    .option("--from <namespace>", "whose memory it was, for example agent-id:main")
    .option("--to <namespace>", "whose it is to be")
    .option("--dry-run", "only show what would be moved")
    .option("--yes", "move without asking");
}

/** @param {Call} call */
async function promoted({ office, link, options, who }) {
  const given = options.file === undefined ? null : path.resolve(options.file);
  const text = given === null ? await office.notes.diary(who) : diaryAt(given);
  if (text === null) {
    const folder = office.notes.workspaceOf(who) || "the agent's workspace";
    throw new Unwanted(`There is no diary in ${folder}. Name one with --file.`);
  }
  const namespace = office.notes.ownerOf(who);
  const asked = { namespace, sourceDoc: given ?? "DREAMS.md", text, isDry: options.dryRun === true };
  return await link.call("promote_diary", asked, { lane: "long" });
}

function diaryAt(file) {
  try {
    if (fs.statSync(file).size > MOST_DIARY_BYTES) throw new Error(`it is larger than ${MOST_DIARY_BYTES} bytes`);
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw new Unwanted(`${file} cannot be read: ${error.message}`);
  }
}

/** @param {Call} call */
async function adopted({ link, options, ask }) {
  const { from, to } = options;
  if (!from || !to) throw new Unwanted("Name --from and --to.");
  if (!options.dryRun) await confirmed(options, ask, `This moves all that ${from} remembers to ${to}.`);
  try {
    return await link.call("move_namespace", { from, to, dryRun: options.dryRun === true }, { lane: "long" });
  } catch (error) {
    if (error.code !== -32601) throw error;
    throw new Unwanted("This daemon cannot move memories. Update libravdb-memory.");
  }
}

// ── asking and telling ──────────────────────────────────────────────────────────────────────────────────────

/** The user did not say that it is meant, or said it in a way that cannot be carried out. */
class Unwanted extends Error {}

async function confirmed({ yes, json }, ask, warning) {
  if (yes || (!json && (await ask(`${warning} Go on? [y/N] `)))) return;
  throw new Unwanted(`${warning} Add --yes if you mean it.`);
}

/** Asks a person; nobody is there to answer a script. */
async function asked(question) {
  if (!process.stdin.isTTY) return false;
  const terminal = readline.createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^\s*y(es)?\s*$/i.test(await terminal.question(question));
  } finally {
    terminal.close();
  }
}

function count(given) {
  const wanted = Number(given);
  if (!Number.isInteger(wanted) || wanted < 1) throw new Unwanted(`--limit is ${given}, not a number from 1 on.`);
  return wanted;
}

function tellStatus(known) {
  return [
    `version   ${known.version}`,
    `state     ${known.message}`,
    `search    ${known.mode}`,
    `model     ${known.embeddingProfile}`,
    `store     ${known.storePath} (${Math.ceil(known.storeBytes / 1024)} KiB)`,
    `turns     ${known.turnCount}`,
    `memories  ${known.memoryCount}`,
    ...known.noteFolders.map(tellFolder),
  ];
}

function tellFolder({ namespace, notes, folder, problem }) {
  return `notes     ${namespace}: ${notes} in ${oneLine(folder)}${problem ? ` (${oneLine(problem)})` : ""}`;
}

function tellHit({ score, at, role, snippet, citation }) {
  const day = at.slice(0, 16).replace("T", " ");
  return `${score.toFixed(3)}  ${day}  ${role || "note"}  ${oneLine(snippet)}\n       ${oneLine(citation)}`;
}

function tellLine({ id, kind, subject, text }) {
  return `${id}  ${kind}${subject ? ` of ${oneLine(subject)}` : ""}: ${oneLine(text)}`;
}

function tellEvent({ metadata }) {
  const words = [metadata.hook, metadata.reason, metadata.sessionKey || metadata.sessionId];
  return [when(Number(metadata.ts)), ...words.filter(Boolean).map((word) => oneLine(String(word)))].join("  ");
}

function when(at) {
  return new Date(at).toISOString().slice(0, 19).replace("T", " ");
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
