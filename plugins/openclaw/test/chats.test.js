import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";

import { Client } from "../client.js";
import { estimate, spoken, withSpeaker } from "../messages.js";
import { Spool } from "../spool.js";
import { newestTurns } from "../windows.js";
import { assistant, COMMON, Daemon, Host, textOf, user } from "./host.js";

const SECRET = "The vault in the lighthouse opens with the word heliotrope.";
const ASKED = "Which word opens the vault in the lighthouse?";

let daemon;
let client;
const call = (method, params) => client.call(method, params, { ms: 20_000 });
const makeHost = (settings, config) => new Host({ daemon: { endpoint: daemon.endpoint }, ...settings }, config);
const kept = async (collection) => (await call("list_collection", { collection })).results;
const texts = async (collection) => (await kept(collection)).map((record) => record.text);
const whole = (made) => [made.systemPromptAddition ?? "", ...made.messages.map(textOf)].join("\n");
const at = (sessionKey) => ({ session: `s-${sessionKey}`, sessionKey });

before(async () => {
  daemon = await new Daemon().start();
  client = new Client(daemon);
});

after(async () => {
  client.close();
  await daemon.remove();
});

test("what one person says reaches no other chat, by recall or by tools", async () => {
  const host = makeHost({}, { session: { identityLinks: { carol: ["telegram:1", "discord:2"] } } });
  await host.turn(SECRET, at("agent:main:telegram:direct:1"));
  const strangers = ["telegram:direct:5", "telegram:group:-7", "discord:channel:2", "main", "irc:direct:carol"];
  for (const key of strangers.map((rest) => `agent:main:${rest}`)) {
    const { made } = await host.turn(ASKED, at(key));
    assert.doesNotMatch(whole(made), /heliotrope/, key);
    const [search] = host.toolsFor({ sessionKey: key, agentId: "main" });
    assert.doesNotMatch((await search.execute("1", { query: ASKED })).content[0].text, /heliotrope/, key);
  }
  const { made } = await host.turn(ASKED, at("agent:other:discord:direct:2"));
  assert.match(whole(made), /heliotrope/, "the same person on another channel");
});

test("what a group says stays there, and names who said it", async () => {
  const host = makeHost();
  const key = "agent:main:slack:channel:c1";
  const sender = { senderName: "Mira\n Voss", senderId: "U1" };
  const said = { ...user("The regatta begins at nine on the old pier."), __openclaw: sender };
  const messages = [said, assistant("Good.")];
  await host.engine().commitTurn({ advancementKey: "g1", messages, sessionId: "g", sessionKey: key });
  const records = await kept("history:group:slack:channel:c1");
  assert.equal(records.find((one) => one.text === said.content).metadata.speaker, "Mira Voss");
  const { made } = await host.turn("When does the regatta begin?", { ...at(key), session: "g2" });
  assert.match(whole(made), /Mira Voss/);
  const alone = (await host.turn("When does the regatta begin?", at("agent:main:slack:direct:u1"))).made;
  assert.doesNotMatch(whole(alone), /old pier/);
});

test("a group's history that the host shows again is not kept twice", async () => {
  const host = makeHost();
  const key = "agent:main:slack:channel:c2";
  const said = { ...user("The barge is sold."), __openclaw: { senderUsername: "ivo" } };
  const history = [said, assistant("I see.")];
  await host.engine().commitTurn({ advancementKey: "g2", messages: history, sessionId: "g3", sessionKey: key });
  await makeHost({ timeoutMs: 4_998 }).turn("And the ferry?", { session: "g3", sessionKey: key, history });
  assert.equal((await texts("history:group:slack:channel:c2")).filter((text) => text === said.content).length, 1);
});

test("the host's blocks before a message are nobody's words, and tell the sender", () => {
  const block = (label, facts) => `${label} ⟦openclaw:ctx⟧\n\`\`\`json\n${JSON.stringify(facts, null, 2)}\n\`\`\`\n\n`;
  const before = block("Conversation info:", { sender: { name: "Ada" } }) + block("Location:", { city: "Graz" });
  const text = `${before}Hello all.`;
  assert.equal(spoken(text), "Hello all.");
  for (const content of [text, [{ type: "image" }, { type: "text", text }]]) {
    const told = withSpeaker({ role: "user", content }, { isGroup: true });
    assert.equal(told.speaker, "Ada");
    assert.equal([told.content].flat().at(-1).text ?? told.content, "Hello all.");
    assert.equal(withSpeaker({ role: "user", content }, { isGroup: false }).speaker, undefined);
  }
  for (const message of [
    { role: "user", content: null },
    { role: "user", content: [null, 7, {}] },
    { role: "user", content: "x", __openclaw: { senderName: 7, senderId: {} } },
    { role: "user", content: block("Sender:", 7) + "x" },
    { role: "assistant", content: text },
  ]) {
    assert.equal(withSpeaker(message, { isGroup: true }).speaker, undefined);
  }
  const named = { role: "user", content: "x", __openclaw: { senderName: `\ud800${"n".repeat(500)}` } };
  const odd = withSpeaker(named, { isGroup: true });
  assert.ok(odd.speaker.isWellFormed() && odd.speaker.length <= 80);
  assert.equal(spoken(undefined), "");
});

test("an agent whose memory is switched off has no tools, no recall, and leaves nothing", async () => {
  const config = { agents: { entries: { quiet: { memory: { search: { enabled: false } } } } } };
  const host = makeHost({}, config);
  const key = "agent:quiet:main";
  const before = (await call("status", {})).turnCount;
  assert.equal(host.toolsFor({ agentId: "quiet", sessionKey: key }), null);
  assert.equal((await host.capability.runtime.getMemorySearchManager({ agentId: "quiet" })).manager, null);
  const { made, done, history } = await host.turn(SECRET, at(key));
  assert.deepEqual([made.messages, made.systemPromptAddition, done.status], [[], undefined, "committed"]);
  const engine = host.engine();
  const who = { sessionId: "q", sessionKey: key };
  assert.deepEqual(await engine.ingest({ ...who, message: user("x") }), { ingested: false });
  assert.deepEqual(await engine.ingestBatch({ ...who, messages: [user("x")] }), { ingestedCount: 0 });
  await engine.compact({ ...who, compactionTarget: "budget" });
  assert.equal(host.delegated.length, 1, "the host compacts by itself");
  await host.hooks.before_reset({ reason: "reset", messages: history }, { sessionId: "q", sessionKey: key });
  assert.equal((await call("status", {})).turnCount, before);
  assert.equal((await call("list_lifecycle_journal", { sessionId: "q" })).results.length, 0);
});

test("an ignored session gets no recall and leaves nothing, and its tools stay", async () => {
  const host = makeHost();
  await host.turn(SECRET, at("agent:clock:main"));
  const key = "agent:clock:cron:daily:run:1";
  const { made, done } = await host.turn(ASKED, at(key));
  assert.deepEqual([made.messages, done.status], [[], "committed"]);
  assert.equal((await texts("history:agent-id:clock")).includes(ASKED), false);
  const [search] = host.toolsFor({ agentId: "clock", sessionKey: key });
  assert.match((await search.execute("1", { query: ASKED })).content[0].text, /heliotrope/);
  const all = makeHost({ ignoreSessions: [] });
  assert.match(whole((await all.turn(ASKED, at(key))).made), /heliotrope/);
});

test("a heartbeat gets no recall, leaves nothing, and its prompt shadows nobody's", async () => {
  const host = makeHost({ userId: "pulses" });
  await host.turn(SECRET, { session: "p1" });
  const { history } = await host.turn(ASKED, { session: "p2" });
  const engine = host.engine();
  const prompt = "Read HEARTBEAT.md if it exists. The vault in the lighthouse?";
  const asked = { ...COMMON, sessionId: "p2", sessionKey: "agent:main:p2", prompt };
  const made = await engine.assemble({ ...asked, messages: history });
  assert.ok(made.messages.every((message) => history.includes(message)), "no frames");
  const turn = { advancementKey: "hb", messages: [user(prompt), assistant("HEARTBEAT_OK")], sessionId: "p2" };
  assert.equal((await engine.commitTurn({ ...turn, isHeartbeat: true })).status, "committed");
  assert.equal((await engine.commitTurn(turn)).status, "committed", "by its words alone");
  const shown = [...history, ...turn.messages, user("The moss is green."), assistant("Yes.")];
  await makeHost({ userId: "pulses", timeoutMs: 4_997 }).turn("Hm?", { session: "p2", history: shown });
  const held = await texts("history:pulses");
  assert.ok(!held.includes(prompt) && !held.includes("HEARTBEAT_OK") && held.includes("The moss is green."));
  assert.notEqual((await call("explain", { userId: "pulses" })).prompt, prompt);
});

test("a greeting costs no recall", async () => {
  const host = makeHost({ userId: "hi" });
  await host.turn(SECRET, { session: "hi1" });
  const { made } = await host.turn("Hi there", { session: "hi2" });
  assert.deepEqual(made.messages, []);
});

test("an outage that ends with a reset loses nothing, also when the daemon is away at that moment", async (t) => {
  const home = await new Daemon().start();
  t.after(() => home.remove());
  const host = new Host({ userId: "outage", daemon: { endpoint: home.endpoint } });
  const told = { session: "o", sessionKey: "agent:main:o" };
  let { history } = await host.turn("The first plan is blue.", told);
  await home.kill();
  ({ history } = await host.turn("The second plan is green.", { ...told, history }));
  const unseen = [user("The third plan is yellow."), assistant("Fine.")]; // a turn that the host's own engine had
  const ctx = { sessionId: "o", sessionKey: told.sessionKey, agentId: "main" };
  await host.hooks.before_reset({ reason: "reset", messages: [...history, ...unseen, null, 7] }, ctx);
  ({ history } = await host.turn("The new plan is red.", told));
  const beside = path.join(host.stateDir, "libravdb");
  const [folder] = fs.readdirSync(beside).map((name) => path.join(beside, name));
  assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
  const waiting = fs.readdirSync(folder);
  assert.ok(waiting.length >= 3);
  for (const name of waiting) assert.equal(fs.statSync(path.join(folder, name)).mode & 0o777, 0o600);

  const again = new Host({ userId: "outage", daemon: { endpoint: home.endpoint } }); // the gateway was restarted too
  fs.cpSync(host.stateDir, again.stateDir, { recursive: true });
  await home.start();
  await again.turn("And now?", { ...told, history });
  const ask = new Client(home);
  t.after(() => ask.close());
  const listed = async (collection) =>
    (await ask.call("list_collection", { collection }, { ms: 20_000 })).results.map((record) => record.text);
  const held = await listed("history:outage");
  for (const plan of ["first plan is blue", "second plan is green", "third plan is yellow", "new plan is red"]) {
    assert.equal(held.filter((text) => text.includes(plan)).length, 1, plan);
  }
  const view = await listed("session:o");
  assert.ok(view.every((text) => !text.includes("new plan")), "what was said after the reset is another session's");
  const left = fs.readdirSync(path.join(again.stateDir, "libravdb"), { recursive: true });
  assert.equal(left.filter((name) => name.endsWith(".json")).length, 0);
});

test("what waits is bounded, in order, and whatever lies there does no harm", () => {
  const host = new Host({});
  const folder = path.join(host.stateDir, "waiting");
  const spool = new Spool(folder, { limit: 400 });
  assert.deepEqual(spool.names(), []);
  const calls = [1, 2, 3].map((n) => ({ method: "m", params: { n, odd: "\ud800 日本" } }));
  assert.deepEqual(calls.map((one) => spool.add(one)), [true, true, true]);
  assert.deepEqual(spool.names().map((name) => spool.read(name)), calls);
  assert.equal(spool.add({ method: "m", params: { text: "x".repeat(400) } }), false);
  fs.writeFileSync(path.join(folder, "000000000000001-000001-00000000.json"), "{broken");
  fs.writeFileSync(path.join(folder, "notes.txt"), "somebody else's");
  assert.equal(spool.names().length, 4);
  assert.equal(spool.read(spool.names()[0]), null);
  for (const name of spool.names()) spool.remove(name);
  assert.deepEqual(spool.names(), []);
  fs.writeFileSync(path.join(host.stateDir, "file"), "");
  assert.equal(new Spool(path.join(host.stateDir, "file", "x")).add(calls[0]), false);
});

test("when nothing more can wait, the host is asked to keep the turn", async () => {
  const host = new Host({ daemon: { endpoint: "unix:/nowhere/at/all.sock" } });
  fs.writeFileSync(path.join(host.stateDir, "libravdb"), "in the way");
  const { done, made } = await host.turn("Hello?", { session: "n" });
  assert.equal(done.name, "DaemonAway");
  assert.deepEqual(made.messages, []);
});

test("a daemon that stumbles over what waits does not stop the rest", async () => {
  const lonely = new Host({ userId: "stumble", daemon: { endpoint: daemon.endpoint } });
  await daemon.kill();
  await lonely.engine().commitTurn({ advancementKey: "", messages: [user("The raft floats.")], sessionId: "st" });
  await lonely.turn("The mast is tall.", { session: "st2" });
  await daemon.start();
  lonely.now += 10_000;
  const { done } = await lonely.turn("And?", { session: "st3" });
  assert.equal(done.status, "committed");
  const held = await texts("history:stumble");
  assert.ok(held.includes("The raft floats."), "message by message");
  assert.ok(held.includes("The mast is tall."));
});

test("without the daemon a long session stays within its budget: whole turns, the newest", async () => {
  const host = new Host({ daemon: { endpoint: "unix:/nowhere/at/all.sock" } });
  const history = Array.from({ length: 60 }, (_, n) => [
    user(`Question ${n}? ${"word ".repeat(150)}`),
    { role: "assistant", content: [{ type: "toolCall", id: `c${n}`, name: "look", arguments: {} }], timestamp: n },
    { role: "toolResult", toolCallId: `c${n}`, toolName: "look", content: [{ type: "text", text: "Seen." }] },
    assistant("Yes."),
  ]).flat();
  const asked = { ...COMMON, sessionId: "lw", sessionKey: "agent:main:lw", prompt: "And?", messages: history };
  for (const tokenBudget of [8_000, 3_000, 600]) {
    const made = await host.engine().assemble({ ...asked, tokenBudget });
    assert.ok(made.estimatedTokens <= tokenBudget * 0.75);
    assert.equal(made.messages[0].role, "user");
    assert.deepEqual(made.messages, history.slice(-made.messages.length));
  }
  const engine = host.engine();
  const first = await engine.assemble({ ...asked, tokenBudget: 8_000 });
  assert.equal(await engine.assemble({ ...asked, messages: first.messages, tokenBudget: 20_000 }), first);
  const later = await engine.assemble({ ...asked, messages: first.messages, tokenBudget: 16_000 });
  assert.ok(later.estimatedTokens <= 3_000);
});

test("of a turn that alone is too long its task and its last whole steps stay", () => {
  const step = (n) => [
    { role: "assistant", content: [{ type: "toolCall", id: `c${n}`, name: "look", arguments: { n } }] },
    { role: "toolResult", toolCallId: `c${n}`, toolName: "look", content: [{ type: "text", text: "Seen. ".repeat(90) }] },
  ];
  const steps = Array.from({ length: 40 }, (_, n) => step(n)).flat();
  const task = user("Sort the archive.");
  const before = [user("Hello."), assistant("Hi.")];
  const shown = newestTurns([...before, task, ...steps], 1_500, estimate);
  assert.equal(shown[0], task);
  assert.equal(shown[2].role, "assistant");
  assert.deepEqual(shown.slice(2), steps.slice(-shown.length + 2));
  assert.ok(estimate(shown) <= 1_500);
  const long = newestTurns([user("x".repeat(100_000)), ...steps], 500, estimate);
  assert.ok(estimate(long) <= 500 && long.length >= 1);
  assert.match(textOf(long[0]), /left out/);
  assert.deepEqual(newestTurns([user("x".repeat(100))], 1, estimate), []);
  assert.deepEqual(newestTurns([], 10, estimate), []);
  assert.deepEqual(newestTurns([assistant("x".repeat(9_000))], 10, estimate), []);
});

test("whatever the history, the window holds its budget and no result lacks its call", () => {
  let state = 7;
  const draw = (most) => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) % most;
  for (let n = 0; n < 400; n += 1) {
    const messages = draw(3) ? [] : [{ role: "compactionSummary", summary: "s".repeat(draw(400)) }];
    for (let turn = draw(12); turn >= 0; turn -= 1) {
      messages.push(user(["y", "日本語", "мир"][draw(3)].repeat(draw(300))));
      for (let step = draw(5); step > 0; step -= 1) {
        const id = `t${messages.length}`;
        messages.push({ role: "assistant", content: [{ type: "toolCall", id, name: "look", arguments: {} }] });
        const content = [{ type: "text", text: "z".repeat(draw(800)) }];
        messages.push({ role: "toolResult", toolCallId: id, toolName: "look", content });
      }
      if (draw(2)) messages.push(assistant("ok ".repeat(draw(60))));
    }
    const budget = 1 + draw(2_500);
    const shown = newestTurns(messages, budget, estimate);
    assert.ok(estimate(shown) <= budget);
    const calls = new Set();
    for (const message of shown) {
      const parts = Array.isArray(message.content) ? message.content : [];
      for (const part of parts) if (part.type === "toolCall") calls.add(part.id);
      if (message.role === "toolResult") assert.ok(calls.has(message.toolCallId));
    }
  }
});
