import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { readSettings } from "../config.js";
import { openCommandLine } from "./command_line.js";
import { Daemon, Host } from "./host.js";

const FACT = "My sister Clara moved to Lisbon in March.\nShe works there as a nurse.";

let daemon;
let host;

before(async () => {
  daemon = await new Daemon().start();
  host = new Host({ daemon: { endpoint: daemon.endpoint } });
  await host.turn(FACT, { session: "m" });
});

after(async () => {
  host.hooks.gateway_stop();
  await daemon.remove();
});

function toolsOf(agentId) {
  const tools = host.toolsFor({ agentId, sessionKey: `agent:${agentId}:m` });
  return Object.fromEntries(tools.map((tool) => [tool.name, (params) => tool.execute("1", params)]));
}

test("the tools find a memory and read it", async () => {
  const { memory_search, memory_get } = toolsOf("main");
  const { details, content } = await memory_search({ query: "Where does Clara live?" });
  assert.equal(details.results[0].text, FACT);
  assert.deepEqual(JSON.parse(content[0].text), details);
  const { path } = details.results[0];
  assert.equal((await memory_get({ path })).details.text, FACT);
  const part = (await memory_get({ path, from: 1, lines: 1 })).details;
  assert.deepEqual([part.text, part.truncated, part.nextFrom], [FACT.split("\n")[0], true, 2]);
  const rest = (await memory_get({ path, from: 2 })).details;
  assert.equal(rest.text, FACT.split("\n")[1]);
});

test("a path of another agent's memory leads nowhere", async () => {
  const [hit] = (await toolsOf("main").memory_search({ query: "Clara" })).details.results;
  const { memory_search, memory_get } = toolsOf("other");
  assert.deepEqual((await memory_search({ query: "Clara" })).details.results, []);
  for (const path of [hit.path, "durable", "session/m", "../history/x", "user:agent-id:main/x"]) {
    assert.equal((await memory_get({ path })).details.status, "not_found");
  }
});

test("the search manager serves the host's own doors", async () => {
  const { manager } = await host.capability.runtime.getMemorySearchManager({ agentId: "main" });
  const [hit] = await manager.search("sister", { maxResults: 3 });
  assert.equal((await manager.readFile({ relPath: hit.path })).text, FACT);
  assert.deepEqual(await manager.search("sister", { minScore: 2 }), []);
  const status = manager.status();
  assert.deepEqual([status.backend, status.provider, status.vector.available], ["builtin", "libravdb", true]);
  assert.deepEqual(await manager.probeEmbeddingAvailability(), { ok: true });
  assert.equal(await manager.probeVectorAvailability(), true);
  await manager.close();
  assert.deepEqual(host.capability.runtime.resolveMemoryBackendConfig(), { backend: "builtin" });
  assert.deepEqual(await host.capability.runtime.authorizeSearchHits({ hits: [hit] }), [hit]);
  assert.equal(host.capability.flushPlanResolver(), null);
  await host.capability.runtime.closeAllMemorySearchManagers();
});

test("what a session of its own memory found can be read", async () => {
  const lone = new Host({ daemon: { endpoint: daemon.endpoint }, memoryPer: "session" });
  await lone.turn(FACT, { session: "lone" });
  const { manager } = await lone.capability.runtime.getMemorySearchManager({ agentId: "main" });
  const [hit] = await manager.search("Where does Clara live?", { sessionKey: "agent:main:lone" });
  assert.equal((await manager.readFile({ relPath: hit.path })).text, FACT);
  assert.deepEqual(await manager.search("Where does Clara live?", { sessionKey: "agent:main:other" }), []);
  assert.equal((await manager.readFile({ relPath: hit.path })).status, "not_found");
  lone.hooks.gateway_stop();
});

test("the prompt's section speaks only of tools that are there", () => {
  const section = (...tools) => host.capability.promptBuilder({ availableTools: new Set(tools) }).join("\n");
  assert.doesNotMatch(section(), /memory_search/);
  assert.match(section("memory_search"), /memory_search\./);
  assert.match(section("memory_search", "memory_get"), /memory_get/);
});

const commandLine = (more = {}) => openCommandLine({ daemon: { endpoint: daemon.endpoint }, ...more });

test("openclaw memory … answers in lines and in JSON", async () => {
  const { commands, printed, failed } = commandLine();
  assert.deepEqual(Object.keys(commands), [
    "status", "search", "explain", "journal", "export", "profile", "flush", "forget", "guidance", "dream-promote", "adopt",
  ]);
  await commands.status.run();
  assert.match(printed.at(-1), /version/);
  await commands.search.run([["where", "is", "Clara?"]]);
  assert.match(printed.at(-1), /Clara moved to Lisbon in March\. She works/);
  await commands.search.run([["Clara"]], { json: true });
  assert.equal(JSON.parse(printed.at(-1)).hits[0].snippet, FACT);
  await commands.journal.run();
  assert.match(printed.at(-1), /journal is empty/);
  await commands.export.run();
  assert.match(printed.at(-1), /nurse/);
  await commands.explain.run([undefined]);
  assert.match(printed.at(-1), /receipt/);
  await commands.flush.run();
  assert.match(failed.at(-1), /--yes/);
  await commands.flush.run([], { yes: true });
  assert.match(printed.at(-1), /^Deleted: agent-id:main \(\d+ records\)$/);
  await commands.flush.run([], { yes: true });
  assert.equal(printed.at(-1), "Nothing to delete: agent-id:main holds nothing.");
  await commands.export.run();
  assert.equal(printed.at(-1), "");
  await commands.explain.run([undefined]);
  assert.match(failed.at(-1), /receipt/);
});

test("openclaw memory … can mean the memory of a session", async () => {
  const lone = new Host({ daemon: { endpoint: daemon.endpoint }, memoryPer: "session" });
  await lone.turn("The boat is called Petrel.", { session: "boat" });
  lone.hooks.gateway_stop();
  const { commands, printed } = commandLine({ memoryPer: "session" });
  const named = { sessionKey: "agent:main:boat" };
  await commands.search.run([["What is the boat called?"]], named);
  assert.match(printed.at(-1), /Petrel/);
  await commands.search.run([["What is the boat called?"]], { sessionKey: "agent:main:other" });
  assert.match(printed.at(-1), /Nothing relevant/);
  await commands.flush.run([], { ...named, yes: true });
  assert.match(printed.at(-1), /^Deleted: session-key:agent:main:boat /);
});

test("settings reach a started daemon as its environment, defaults do not", () => {
  const given = {
    userId: "anna",
    search: { k: 10, lengthNormShort: 0.3 },
    ingest: { maskSecrets: false, secretAllow: ["a", "b"] },
    watch: { folders: ["/a b", "/c"] },
    daemon: { endpoint: "unix:/d.sock" },
  };
  const settings = readSettings(given, {});
  assert.deepEqual([settings.userId, settings.memoryPer, settings.endpoint], ["anna", "person", "unix:/d.sock"]);
  assert.deepEqual(settings.environment, {
    LIBRAVDB_SEARCH_LENGTH_NORM_SHORT: "0.3",
    LIBRAVDB_INGEST_MASK_SECRETS: "false",
    LIBRAVDB_INGEST_SECRET_ALLOW: "a,b",
    LIBRAVDB_WATCH_FOLDERS: "/a b:/c",
    LIBRAVDB_DAEMON_ENDPOINT: "unix:/d.sock",
  });
});

test("without an endpoint the daemon's own is meant", () => {
  assert.match(readSettings({}, {}).endpoint, /^unix:.*libravdb\.sock$/);
  assert.equal(readSettings({}, { LIBRAVDB_RPC_ENDPOINT: "tcp:127.0.0.1:9" }).endpoint, "tcp:127.0.0.1:9");
});
