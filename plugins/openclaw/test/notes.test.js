/** The agent's notes: who sees them, how they are read, what the host is told of their origin. */
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

import { classifyPaths, isNote } from "../notes.js";
import { openCommandLine } from "./command_line.js";
import { Daemon, Host, textOf } from "./host.js";

const BOAT = "The green boat of Ottokar lies in the harbour of Trieste.";
const CURATED = "The harbour master of Trieste is called Zeno.";
const DREAM = "The old router stands in the cellar";

let daemon;
let host;
let workspace;

before(async () => {
  workspace = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "lv-work-")));
  fs.mkdirSync(path.join(workspace, "memory", "deep"), { recursive: true });
  fs.writeFileSync(path.join(workspace, "MEMORY.md"), `# Memory\n\n${CURATED}\n`);
  fs.writeFileSync(path.join(workspace, "memory", "2026-01-05.md"), `# Monday\n\n- Fed the cat.\n\n## Boat\n\n${BOAT}\n`);
  fs.writeFileSync(path.join(workspace, "DREAMS.md"), `## Deep Sleep\n\n- ${DREAM} {score=0.9 recall=3 unique=2}\n`);
  daemon = await new Daemon().start();
  host = new Host(
    { daemon: { endpoint: daemon.endpoint } },
    { agents: { entries: { main: { workspace }, off: { workspace, memory: { search: { enabled: false } } } } } },
  );
});

after(async () => {
  host.hooks.gateway_stop();
  await daemon.remove();
  fs.rmSync(workspace, { recursive: true });
});

const toolsOf = (sessionKey, which = host) =>
  Object.fromEntries(
    (which.toolsFor({ agentId: "main", sessionKey, sessionId: sessionKey }) ?? []).map((tool) => [
      tool.name,
      async (params) => (await tool.execute("1", params)).details,
    ]),
  );

test("a note is found with its real path and lines, and read there", async () => {
  const { memory_search, memory_get } = toolsOf("agent:main:main");
  const { results } = await memory_search({ query: "Where does the green boat of Ottokar lie?" });
  const [hit] = results;
  assert.deepEqual([hit.path, hit.startLine, hit.endLine], ["memory/2026-01-05.md", 5, 7]);
  assert.match(hit.text, /Trieste/);
  const part = await memory_get({ path: hit.path, from: hit.startLine, lines: 3 });
  assert.equal(part.text, `## Boat\n\n${BOAT}`);
  assert.equal(part.nextFrom, 8);
  const curated = await memory_search({ query: "Who is the harbour master of Trieste?" });
  assert.equal(curated.results[0].path, "MEMORY.md");
});

test("notes are seen in the owner's sessions and direct chats, never in groups or where nobody knows", async () => {
  const asked = { query: "Where does the green boat of Ottokar lie?" };
  for (const key of ["agent:main:main", "agent:main:telegram:direct:7", "agent:main:cron:nightly"])
    assert.equal((await toolsOf(key).memory_search(asked)).results[0]?.path, "memory/2026-01-05.md", key);
  for (const key of ["agent:main:telegram:group:-7", "agent:main:discord:channel:1", "agent:main:subagent:9", "agent:main:odd:kind:x"]) {
    assert.deepEqual((await toolsOf(key).memory_search(asked)).results, [], key);
    assert.equal((await toolsOf(key).memory_get({ path: "memory/2026-01-05.md" })).status, "not_found", key);
  }
});

test("recall brings a note, and not what the host shows itself", async () => {
  await toolsOf("agent:main:main").memory_search({ query: "boat" }); // by now the daemon knows the workspace
  const told = async (text, sessionKey) =>
    (await host.turn(text, { session: sessionKey, sessionKey })).made.messages.map(textOf).join("\n");
  assert.match(await told("Where does the green boat of Ottokar lie?", "agent:main:main"), /harbour of Trieste/);
  assert.doesNotMatch(await told("Who is the harbour master of Trieste?", "agent:main:second"), /Zeno/);
  assert.doesNotMatch(await told("Where does the green boat of Ottokar lie?", "agent:main:x:group:1"), /Trieste/);
});

test("the host's own doors see notes as the tools do", async () => {
  const { runtime } = host.capability;
  const { manager } = await runtime.getMemorySearchManager({ agentId: "main" });
  const [hit] = await manager.search("green boat of Ottokar", { sessionKey: "agent:main:main" });
  assert.deepEqual([hit.path, hit.startLine, hit.citation], ["memory/2026-01-05.md", 5, "memory/2026-01-05.md#L5-L7"]);
  assert.match((await manager.readFile({ relPath: hit.path, from: 1, lines: 1 })).text, /^# Monday$/);
  const seen = (requesterSessionKey) => runtime.authorizeSearchHits({ hits: [hit], agentId: "main", requesterSessionKey });
  assert.deepEqual(await seen("agent:main:main"), [hit]);
  assert.deepEqual(await seen("agent:main:telegram:group:-7"), []);
});

test("an edit is followed, and a deletion", async () => {
  const { memory_search } = toolsOf("agent:main:main");
  const file = path.join(workspace, "memory", "deep", "bread.md");
  const asked = { query: "How long does the rye bread of Ilse need?" };
  const until = async (holds) => {
    for (let tries = 0; tries < 600; tries += 1) {
      if (holds((await memory_search(asked)).results.map(({ text }) => text).join())) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.fail("it never came to be");
  };
  fs.writeFileSync(file, "The rye bread of Ilse needs nine hours.");
  await until((text) => text.includes("nine hours"));
  fs.writeFileSync(file, "The rye bread of Ilse needs twelve hours.");
  await until((text) => text.includes("twelve hours") && !text.includes("nine hours"));
  fs.rmSync(file);
  await until((text) => !text.includes("rye bread"));
});

test("only notes are read, and through no link", async () => {
  const outside = path.join(path.dirname(workspace), `${path.basename(workspace)}.md`);
  fs.writeFileSync(outside, "not for you");
  fs.symlinkSync(outside, path.join(workspace, "memory", "link.md"));
  fs.symlinkSync(os.tmpdir(), path.join(workspace, "memory", "tmp"));
  const { memory_get } = toolsOf("agent:main:main");
  const wanted = ["memory/link.md", `memory/tmp/${path.basename(outside)}`, "AGENTS.md", "memory/../AGENTS.md", "/etc/passwd"];
  for (const one of [...wanted, "memory/.hidden.md", "memory\\x.md", "memory/a\0.md", "memory//x.md", "MEMORY.md/x", "DREAMS.md"])
    assert.equal((await memory_get({ path: one })).status, "not_found", one);
  fs.rmSync(outside);
  fs.rmSync(path.join(workspace, "memory", "link.md"));
  fs.rmSync(path.join(workspace, "memory", "tmp"));
  assert.ok(isNote("memory/ä b/ü.md") && !isNote("memory/x.txt") && !isNote(7) && !isNote("memory/" + "a".repeat(2000)));
});

test("an agent without a memory has no notes, and the setting switches all of them off", async () => {
  assert.equal(host.toolsFor({ agentId: "off", sessionKey: "agent:off:main" }), null);
  const { manager } = await host.capability.runtime.getMemorySearchManager({ agentId: "off" });
  assert.equal(manager, null);
  const without = new Host({ daemon: { endpoint: daemon.endpoint }, notes: false }, { agents: { entries: { main: { workspace } } } });
  const { memory_search, memory_get } = toolsOf("agent:main:main", without);
  const { results } = await memory_search({ query: "Where does the green boat of Ottokar lie?" });
  assert.ok(results.every((one) => !isNote(one.path)));
  assert.equal((await memory_get({ path: "MEMORY.md" })).status, "not_found");
  without.hooks.gateway_stop();
});

test("the origin of workspace files is told as memory-core tells it", async () => {
  fs.writeFileSync(path.join(workspace, "USER.md"), "x");
  fs.writeFileSync(path.join(workspace, "other.md"), "x");
  const relativePaths = ["MEMORY.md", "USER.md", "memory/2026-01-05.md", "DREAMS.md", "other.md", "missing.md", "../x.md"];
  const origins = async (more = {}, recorded = undefined) =>
    (await classifyPaths({ workspaceDir: workspace, relativePaths, ...more }, recorded)).map((one) => one.originClass);
  assert.deepEqual(await origins(), ["agent", "agent", "agent", "system", "untrusted", "untrusted", "untrusted"]);
  const tainted = async ({ relativePath }) => (relativePath === "MEMORY.md" ? { originClass: "untrusted" } : undefined);
  assert.equal((await origins({}, tainted))[0], "untrusted");
  const readSources = [{ relativePath: "MEMORY.md", canonicalRelativePath: "MEMORY.md" }, { relativePath: "USER.md" }];
  assert.deepEqual((await origins({ readSources })).slice(0, 3), ["agent", "untrusted", "untrusted"]);
  const runtime = host.capability.runtime;
  assert.equal(runtime.supportsWorkspaceMemoryReadSources, true);
  const [told] = await runtime.classifyWorkspaceMemoryPaths({ workspaceDir: workspace, relativePaths: ["MEMORY.md"] });
  assert.deepEqual(told, { relativePath: "MEMORY.md", originClass: "agent" });
});

test("openclaw libravdb search, status and dream-promote know the workspace", async () => {
  const { commands, printed, failed } = openCommandLine({ daemon: { endpoint: daemon.endpoint } }, { workspace });
  await commands.search.run([["Where", "does", "the", "green", "boat", "of", "Ottokar", "lie?"]]);
  assert.match(printed.at(-1), /memory\/2026-01-05\.md#L5-L7/);
  await commands.status.run();
  assert.match(printed.at(-1), /notes {5}agent-id:main: \d+ in /);
  await commands["dream-promote"].run([], { dryRun: true });
  assert.match(printed.at(-1), /yes {2}The old router.*\nWould promote 1, rejected 0\./);
  await commands["dream-promote"].run([], { json: true });
  assert.equal(JSON.parse(printed.at(-1)).promoted, 1);
  await commands["dream-promote"].run([], { file: path.join(workspace, "none.md") });
  assert.match(failed.at(-1), /cannot be read/);
  const elsewhere = openCommandLine({ daemon: { endpoint: daemon.endpoint }, notes: false }, { workspace: "" });
  await elsewhere.commands["dream-promote"].run();
  assert.match(elsewhere.failed.at(-1), /no diary/);
  const { results } = await toolsOf("agent:main:main").memory_search({ query: "What did you dream about the router?" });
  assert.equal(results[0].text, DREAM);
});
