import assert from "node:assert/strict";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { Client, DaemonAway, DaemonRefused } from "../client.js";
import { TOOL_NAMES } from "../tools.js";
import { COMMON, Daemon, Host, PYTHON, textOf, user } from "./host.js";

let daemon;
const settings = (more = {}) => ({ daemon: { endpoint: daemon.endpoint }, ...more });

before(() => {
  daemon = new Daemon();
});

async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

after(async () => {
  await daemon.remove();
});

test("registering opens nothing", () => {
  const host = new Host({ daemon: { endpoint: "unix:/nowhere/at/all.sock" } });
  assert.equal(host.engineId, "libravdb-memory");
  assert.deepEqual(host.toolNames, TOOL_NAMES);
  assert.deepEqual(Object.keys(host.hooks).sort(), ["before_reset", "gateway_start", "gateway_stop", "session_end"]);
  const { info } = host.engine();
  assert.equal(info.ownsCompaction, true);
  assert.equal(info.transcriptSemantics.turnAdvancementIdempotency, "atomic-idempotent-v1");
  assert.deepEqual(host.logged, []);
});

test("without the daemon the conversation goes on, is told once, and nothing is lost", async () => {
  const host = new Host(settings({ userId: "away" }));
  let history = [];
  for (const text of ["The code is 4711.", "Our cat is called Minka."]) {
    const turn = await host.turn(text, { session: "a", history });
    assert.deepEqual(turn.done, { status: "committed" }, "it waits in the spool");
    assert.equal(turn.made.messages, history);
    ({ history } = turn);
  }
  await host.hooks.before_reset({ reason: "reset" }, { sessionId: "other" });
  assert.deepEqual(await host.engine().ingest({ sessionId: "a", message: user("x") }), { ingested: false });
  const compacted = await host.engine().compact({ sessionId: "a", compactionTarget: "budget" });
  assert.equal(compacted.compacted, true, "the host compacts by itself");
  assert.equal(host.delegated.length, 1);
  const [tool] = host.toolsFor({ agentId: "main" });
  assert.equal((await tool.execute("1", { query: "cat" })).details.disabled, true);
  assert.equal((await host.capability.runtime.getMemorySearchManager({ agentId: "main" })).manager, null);
  assert.equal(host.warnings.length, 1);
  assert.match(host.warnings[0], /goes on without it[^]*libravdb doctor --openclaw/);

  await daemon.start();
  host.now += 10_000;
  const { made, done } = await host.turn("What is our cat called?", { session: "a", history });
  assert.deepEqual(done, { status: "committed" });
  assert.equal(made.messages.length >= history.length, true);
  assert.ok(host.logged.some((line) => line.startsWith("info") && line.includes("back")));
  const client = new Client(daemon);
  const { results } = await client.call("list_collection", { collection: "history:away" }, { ms: 5_000 });
  for (const text of ["The code is 4711.", "Our cat is called Minka.", "x"]) {
    assert.equal(results.filter((record) => record.text === text).length, 1, text);
  }
  const journal = await client.call("list_lifecycle_journal", { sessionId: "other" }, { ms: 5_000 });
  assert.equal(journal.results.length, 1, "the hint waited");
  client.close();
});

for (const [lane, speak] of [
  ["import", (host, told) => host.turn("Hello.", { session: told.sessionId, history: told.messages })],
  ["commit", (host, told) => host.engine().commitTurn({ ...told, advancementKey: "k" })],
]) {
  test(`a reset that waited is heard before the ${lane} of what was said after it`, async () => {
    const host = new Host(settings({ userId: lane }));
    const told = { sessionId: lane, sessionKey: `agent:main:${lane}`, messages: [user("The new plan is red.")] };
    await host.engine().ingest({ ...told, message: user("The old plan is blue.") });
    await daemon.kill();
    await host.hooks.before_reset({ reason: "reset" }, { sessionId: lane, sessionKey: told.sessionKey });
    await daemon.start();
    host.now += 10_000;
    await speak(host, told);
    const client = new Client(daemon);
    const listed = await client.call("list_collection", { collection: `session:${lane}` }, { ms: 5_000 });
    assert.deepEqual(
      listed.results.map((record) => record.text),
      ["The old plan is blue."],
    );
    client.close();
  });
}

test("a daemon that is killed and restarted between two calls is not noticed", async () => {
  const host = new Host(settings({ userId: "killed" }));
  await host.turn("The bicycle belongs to Ivo.", { session: "k1" });
  await daemon.kill();
  await daemon.start();
  const { made } = await host.turn("To whom does the bicycle belong?", { session: "k2" });
  assert.match(textOf(made.messages[0]), /belongs to Ivo/);
  assert.deepEqual(host.warnings, []);
});

test("a call that takes too long is given up, and the next one is served", async () => {
  const client = new Client(daemon);
  await assert.rejects(
    client.call("author", { sourceDoc: "big.md", text: "- A rule of many.\n".repeat(3_000) }, { ms: 1 }),
    /took longer than/,
  );
  assert.equal((await client.call("health", {}, { ms: 10_000 })).ok, true);
  client.close();
});

test("what the daemon refuses comes with its remedy, and the connection stays", async () => {
  const client = new Client(daemon);
  const refusal = await client
    .call("assemble", { sessionId: "s", tokenBudget: -1 }, { ms: 5_000 })
    .catch((error) => error);
  assert.ok(refusal instanceof DaemonRefused);
  assert.equal(refusal.isFinal, true);
  assert.match(refusal.remedy, /budget/);
  const signal = AbortSignal.abort(new Error("the user left"));
  await assert.rejects(client.call("health", {}, { ms: 5_000, signal }), /the user left/);
  assert.equal((await client.call("health", {}, { ms: 5_000 })).ok, true);
  client.close();
});

test("large and foreign texts arrive whole, and many calls at once each get their own answer", async () => {
  const client = new Client(daemon);
  const notes = Array.from({ length: 20 }, (_, n) => `${n} ${"日本語 🙂 \u2028 ".repeat(20_000)}`);
  const told = notes.map((note, n) => ({ collection: "notes", id: `n${n}`, text: `Note ${n}`, metadata: { note } }));
  await Promise.all(told.map((params) => client.call("insert_text", params, { ms: 60_000 })));
  const { results } = await client.call("list_collection", { collection: "notes" }, { ms: 60_000 });
  assert.deepEqual(results.map((record) => record.metadata.note).sort(), [...notes].sort());
  client.close();
});

test("after a failure the next try waits, and a success forgets it", async () => {
  let now = 0;
  const lonely = new Daemon();
  const client = new Client({ endpoint: lonely.endpoint, clock: () => now });
  const ask = () => client.call("health", {}, { ms: 5_000 });
  await assert.rejects(ask, /ENOENT/);
  await lonely.start();
  await assert.rejects(ask, /a moment ago/);
  now = 300;
  assert.equal((await ask()).ok, true);
  await lonely.kill();
  await assert.rejects(ask, DaemonAway);
  await lonely.start();
  now = 600;
  assert.equal((await ask()).ok, true, "the pause is as short as the first");
  client.close();
  await lonely.remove();
});

test("a token that is refused is told as such by every call", async () => {
  const guarded = new Daemon({ LIBRAVDB_DAEMON_TOKEN: "open sesame" });
  guarded.endpoint = `tcp:127.0.0.1:${await freePort()}`;
  await guarded.start();
  const stranger = new Client({ endpoint: guarded.endpoint, token: "let me in" });
  const ask = () => stranger.call("health", {}, { ms: 5_000 });
  const isTold = (error) => error instanceof DaemonRefused && /token is not the right one/.test(error.message);
  await Promise.all([assert.rejects(ask, isTold), assert.rejects(ask, isTold)]);
  await assert.rejects(ask, isTold);
  const friend = new Client({ endpoint: guarded.endpoint, token: "open sesame" });
  assert.equal((await friend.call("health", {}, { ms: 5_000 })).ok, true);
  friend.close();
  await guarded.remove();
});

test("a hint waits while the token is refused", async () => {
  const guarded = new Daemon({ LIBRAVDB_DAEMON_TOKEN: "first" });
  guarded.endpoint = `tcp:127.0.0.1:${await freePort()}`;
  await guarded.start();
  const host = new Host({ userId: "token", daemon: { endpoint: guarded.endpoint, token: "second" } });
  await host.hooks.before_reset({ reason: "reset" }, { sessionId: "t" });
  await guarded.kill();
  guarded.environment.LIBRAVDB_DAEMON_TOKEN = "second";
  await guarded.start();
  await host.turn("Hello.", { session: "t" });
  const client = new Client({ endpoint: guarded.endpoint, token: "second" });
  const journal = await client.call("list_lifecycle_journal", { sessionId: "t" }, { ms: 5_000 });
  assert.equal(journal.results.length, 1);
  assert.deepEqual(host.warnings, []);
  client.close();
  host.hooks.gateway_stop();
  await guarded.remove();
});

test("an endpoint that is none is told as such", async () => {
  for (const endpoint of ["http://x", "tcp:host", "tcp:host:0", "unix:"]) {
    const asked = new Client({ endpoint }).call("health", {}, { ms: 1_000 });
    await assert.rejects(
      asked,
      (error) => error instanceof DaemonAway && /neither unix:\/path nor tcp:host:port/.test(error.message),
    );
  }
});

test("the daemon is started when nobody answers, with the engine's settings", async (t) => {
  const { home } = new Daemon();
  t.after(() => fs.rmSync(home, { recursive: true, force: true }));
  const command = path.join(home, "libravdbd");
  fs.writeFileSync(command, `#!/bin/sh\necho $$ > ${home}/pid\nexec ${PYTHON} -m libravdb.daemon "$@"\n`, {
    mode: 0o700,
  });
  const endpoint = `unix:${path.join(home, "s.sock")}`;
  const host = new Host({
    startDaemon: true,
    daemonCommand: command,
    daemon: { endpoint },
    store: { path: path.join(home, "own.libravdb") },
  });
  host.stateDir = home;
  const { done } = await host.turn("The harp is old.", { session: "h" });
  assert.deepEqual(done, { status: "committed" });
  assert.ok(fs.existsSync(path.join(home, "own.libravdb")));
  assert.deepEqual(host.warnings, []);
  process.kill(Number(fs.readFileSync(path.join(home, "pid"), "utf8")), "SIGTERM");
  host.hooks.gateway_stop();
});

test("what waited is told when the daemon is back, though nobody speaks", async () => {
  const back = new Daemon();
  const host = new Host({ daemon: { endpoint: back.endpoint }, userId: "silent" }, { offerMs: 20 });
  await host.turn("The lamp is green.", { session: "q" });
  await host.turn("The door is blue.", { session: "q" });
  await back.start();
  host.now += 60_000;
  const client = new Client(back);
  const kept = async () => (await client.call("list_collection", { collection: "history:silent" }, { ms: 5_000 })).results;
  for (let tries = 0; (await kept()).length < 4 && tries < 600; tries++) await sleep(50);
  const texts = (await kept()).map((record) => record.text).filter((text) => text !== "Noted.");
  assert.deepEqual(texts.sort(), ["The door is blue.", "The lamp is green."]);
  assert.ok(host.logged.some((line) => line.startsWith("info") && line.includes("back")));
  client.close();
  host.hooks.gateway_stop();
  await back.remove();
});

test("a daemon that cannot be started is told once, with what to do", async () => {
  const host = new Host({
    startDaemon: true,
    daemonCommand: "no-such-daemon",
    daemon: { endpoint: "unix:/nowhere/d.sock" },
  });
  host.stateDir = daemon.home;
  const { made } = await host.turn("Hello?", { session: "x" });
  assert.deepEqual(made.messages, []);
  assert.equal(host.warnings.length, 1);
  assert.match(host.warnings[0], /install libravdb-memory or set daemonCommand/);
});

test("a hint that the daemon refuses holds nobody up", async () => {
  const host = new Host(settings({ userId: "hints" }));
  await host.hooks.session_end({ sessionId: "h", messageCount: "many", reason: 7 }, {});
  const { done } = await host.turn("The ferry is late.", { session: "h" });
  assert.deepEqual(done, { status: "committed" });
  assert.equal(host.warnings.length, 1);
  assert.match(host.warnings[0], /takes no note of session_end/);
});

test("a host that tells no budget is served too", async () => {
  const host = new Host(settings({ userId: "budget" }));
  const made = await host
    .engine()
    .assemble({ ...COMMON, sessionId: "b", messages: [user("Hi.")], tokenBudget: undefined });
  assert.equal(made.messages.length, 1);
});
