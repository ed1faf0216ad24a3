/** What the model can do with memory beyond searching, and what happens when it asks wrongly. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { wrongIn } from "../arguments.js";
import { Client } from "../client.js";
import { openCommandLine } from "./command_line.js";
import { Daemon, Host } from "./host.js";

let daemon;
let host;

before(async () => {
  daemon = await new Daemon().start();
  host = new Host({ daemon: { endpoint: daemon.endpoint } });
});

after(async () => {
  host.hooks.gateway_stop();
  await daemon.remove();
});

const toolsOf = (sessionKey, sessionId = sessionKey) =>
  Object.fromEntries(
    host.toolsFor({ agentId: "main", sessionKey, sessionId }).map((tool) => [
      tool.name,
      async (params) => (await tool.execute("1", params)).details,
    ]),
  );
const commandLine = (host = {}) => openCommandLine({ daemon: { endpoint: daemon.endpoint } }, host);

test("what is to be remembered is kept, once, for whom it was said, and found in the next session", async () => {
  const anna = toolsOf("agent:main:telegram:direct:anna");
  const text = "The cottage key of Anna hangs behind the blue door.";
  const kept = await anna.memory_remember({ text });
  assert.deepEqual([kept.status, kept.text], ["remembered", text]);
  assert.equal((await anna.memory_remember({ text })).status, "known already");
  assert.equal((await anna.memory_get({ path: kept.path })).text, text);
  const asked = { query: "Where does the cottage key hang?" };
  assert.equal((await toolsOf("agent:main:telegram:direct:anna", "later").memory_search(asked)).results[0].path, kept.path);
  assert.deepEqual((await toolsOf("agent:main:telegram:direct:bela").memory_search(asked)).results, []);
  assert.equal((await toolsOf("agent:main:telegram:direct:bela").memory_get({ path: kept.path })).status, "not_found");
});

test("a query forgets nothing and returns candidates; their paths do", async () => {
  const tools = toolsOf("agent:main:telegram:direct:clara");
  const { path } = await tools.memory_remember({ text: "Clara keeps her savings under the oak." });
  await tools.memory_remember({ text: "Clara has a grey cat." });
  const offered = await tools.memory_forget({ query: "savings of Clara" });
  assert.equal(offered.status, "nothing was deleted");
  assert.ok(offered.candidates.some((one) => one.path === path));
  assert.match(offered.next, /Ask the user/);
  assert.equal((await tools.memory_get({ path })).status, "ok");
  const stranger = await toolsOf("agent:main:telegram:direct:dora").memory_forget({ paths: [path] });
  assert.deepEqual(stranger, { forgotten: [], notFound: [path] });
  const gone = await tools.memory_forget({ paths: [path, path, "durable/none"] });
  assert.deepEqual(gone.forgotten.map((one) => one.path), [path]);
  assert.deepEqual(gone.notFound, ["durable/none"]);
  assert.equal((await tools.memory_get({ path })).status, "not_found");
  for (const wrong of [{}, { query: "x", paths: [path] }]) assert.match((await tools.memory_forget(wrong)).error, /either/);
  const note = await tools.memory_forget({ paths: ["memory/a.md"] });
  assert.match(note.remedy, /edit the file/);
  assert.match((await tools.memory_forget({ paths: ["lore/x"] })).remedy, /durable/);
});

test("a summary is opened by its path, in its session only", async () => {
  const [session, sessionKey] = ["long", "agent:main:telegram:direct:emil"];
  let history = [];
  for (let n = 0; n < 14; n += 1) {
    const text = `Step ${n}: the bridge over the river Mur got plank number ${n * 7 + 3}, and Emil paid ${n + 40} euros for it.`;
    ({ history } = await host.turn(text, { session, sessionKey, history }));
  }
  const client = new Client({ endpoint: daemon.endpoint });
  const folded = { sessionId: session, targetTurns: 4, minimumTurns: 2, tailTokens: 0 };
  await client.call("compact", folded, { ms: 60_000 });
  client.close();
  const tools = toolsOf(sessionKey, session);
  const { results } = await tools.memory_search({ query: "planks of the bridge over the river Mur", maxResults: 50 });
  const summary = results.find(({ path }) => path.startsWith("summary/"));
  assert.ok(summary, JSON.stringify(results.map(({ path }) => path)));
  const opened = await tools.memory_expand({ path: summary.path });
  assert.ok(opened.turns.some(({ text }) => text.startsWith("Step ")));
  assert.equal((await toolsOf("agent:main:telegram:direct:fred", session).memory_expand({ path: summary.path })).status, "not_found");
  assert.match((await tools.memory_expand({ path: "durable/x" })).error, /no summary/);
});

test("the profile tells what is known of the person", async () => {
  const sessionKey = "agent:main:telegram:direct:gina";
  await host.turn("My name is Gina and I live in Graz.", { session: "gina", sessionKey });
  const { lines } = await toolsOf(sessionKey).memory_profile({});
  assert.match(JSON.stringify(lines), /Graz/);
  assert.deepEqual((await toolsOf("agent:main:telegram:direct:nobody").memory_profile({})).lines, []);
});

test("wrong arguments are answered with what to do", async () => {
  const tools = toolsOf("agent:main:main");
  for (const [name, given, problem] of [
    ["memory_search", {}, /query is missing/],
    ["memory_search", { query: "x", namespace: "bob" }, /unknown argument "namespace"/],
    ["memory_search", { query: 7 }, /query is no text/],
    ["memory_search", { query: "  " }, /query is empty/],
    ["memory_search", { query: "x", maxResults: 5000 }, /more than 50/],
    ["memory_search", { query: "x", maxResults: 1.5 }, /no whole number/],
    ["memory_get", { path: "a", from: 0 }, /less than 1/],
    ["memory_remember", { text: "a".repeat(5000) }, /more than 4000/],
    ["memory_forget", { paths: [] }, /less than 1 items/],
    ["memory_forget", { paths: ["a", 7] }, /holds something/],
    ["memory_forget", { paths: "durable/x" }, /no list/],
    ["memory_profile", { user: "bob" }, /unknown argument/],
    ["memory_search", "text", /no object/],
  ]) {
    const told = await tools[name](given);
    assert.match(told.error, problem, name);
    assert.ok(told.remedy, name);
    assert.equal(told.disabled, undefined);
  }
  assert.equal(wrongIn({}, { properties: {}, required: [] }), null);
});

test("openclaw libravdb forget shows, asks, and takes paths, sessions and people", async () => {
  const key = "agent:main:telegram:direct:hugo";
  const text = "Hugo keeps bees behind the school.";
  await host.turn(text, { session: "hugo-1", sessionKey: key });
  const { commands, printed, failed, questions } = commandLine({ sessions: { [key]: "hugo-1" } });
  await commands.forget.run([[]]);
  assert.match(failed.at(-1), /one of them/);
  await commands.forget.run([[]], { session: key, dryRun: true });
  assert.match(printed.at(-1), /^Would forget \d+ turns of person:.*\n.*Hugo keeps bees/s);
  await commands.forget.run([[]], { session: key });
  assert.match(questions.at(-1), /Go on\?/);
  assert.match(failed.at(-1), /--yes/);
  await commands.forget.run([[]], { session: key, yes: true });
  assert.match(printed.at(-1), /^Forgot \d+ turns/);
  assert.deepEqual((await toolsOf(key).memory_search({ query: "Hugo bees school" })).results, []);
  await commands.forget.run([[]], { session: "agent:main:telegram:direct:nobody", yes: true });
  assert.match(failed.at(-1), /no session/);
  const { path } = await toolsOf(key).memory_remember({ text: "Hugo owns a red tractor." });
  await commands.forget.run([[path]], { sessionKey: key, dryRun: true });
  assert.match(printed.at(-1), /Would forget: durable\/.*red tractor/);
  await commands.forget.run([[path]], { sessionKey: key, yes: true });
  assert.match(printed.at(-1), /^Forgot: durable/);
  await toolsOf(key).memory_remember({ text: "Hugo owns a blue tractor." });
  await commands.forget.run([[]], { participant: "telegram:hugo", dryRun: true, json: true });
  assert.ok(JSON.parse(printed.at(-1)).records > 0);
  await commands.forget.run([[]], { participant: "telegram:hugo", yes: true });
  assert.match(printed.at(-1), /^Forgot person:.*records\)$/);
  assert.deepEqual((await toolsOf(key).memory_search({ query: "tractor of Hugo" })).results, []);
  await commands.forget.run([[]], { participant: "hugo", yes: true });
  assert.match(failed.at(-1), /CHANNEL:PEER/);
});

test("openclaw libravdb profile, guidance and adopt answer", async () => {
  const sessionKey = "agent:main:telegram:direct:iris";
  await host.turn("My name is Iris and I live in Linz. Please always answer in short sentences.", { session: "iris", sessionKey });
  const { commands, printed, failed } = commandLine({ says: true });
  await commands.profile.run([], { sessionKey });
  assert.match(printed.at(-1), /Linz/);
  await commands.profile.run([], { sessionKey: "agent:main:telegram:direct:noone" });
  assert.match(printed.at(-1), /Nothing is known/);
  await commands.guidance.words.list.run([], { sessionKey, json: true });
  const { wishes } = JSON.parse(printed.at(-1));
  assert.equal(wishes.length, 1);
  await commands.guidance.words.remove.run([wishes[0].id], { sessionKey });
  assert.match(printed.at(-1), /^Removed: /);
  await commands.guidance.words.list.run([], { sessionKey });
  assert.equal(printed.at(-1), "There are none.");
  await commands.adopt.run([], { from: "agent-id:main" });
  assert.match(failed.at(-1), /--from and --to/);
  const moved = { from: "person:telegram:iris", to: "person:telegram:iris-too" };
  await commands.adopt.run([], { ...moved, dryRun: true });
  assert.match(printed.at(-1), /^Would move [1-9]\d* records from person:telegram:iris to person:telegram:iris-too\.$/);
  await commands.adopt.run([], moved);
  assert.match(printed.at(-1), /^Moved [1-9]/);
  await commands.profile.run([], { sessionKey: "agent:main:telegram:direct:iris-too" });
  assert.match(printed.at(-1), /Linz/);
  await commands.search.run([["x"]], { limit: "many" });
  assert.match(failed.at(-1), /--limit/);
});
