import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Client } from "../client.js";
import { assistant, COMMON, Daemon, Host, textOf, user } from "./host.js";

const FACT = "My sister Clara moved to Lisbon in March. She paints old boats there.";
const RULE = "- Always answer in plain words.\n";

let daemon;
let client;
const call = (method, params) => client.call(method, params, { ms: 10_000 });
const makeHost = (settings = {}) => new Host({ daemon: { endpoint: daemon.endpoint }, ...settings });
/** How many receipts somebody has; asking for one has those written that still wait. */
const receiptsOf = async (who, collection) => {
  await call("explain", who);
  return (await kept(collection)).length;
};
const kept = async (collection) => (await call("list_collection", { collection })).results.map((record) => record.text);

before(async () => {
  daemon = await new Daemon().start();
  client = new Client(daemon);
  await call("author", { sourceDoc: "AGENTS.md", text: RULE });
});

after(async () => {
  client.close();
  await daemon.remove();
});

test("a later session is shown what an earlier one said, and the rules", async () => {
  const host = makeHost({ userId: "later" });
  await host.turn(FACT, { session: "l1" });
  const { made, done } = await host.turn("Where does my sister Clara live?", { session: "l2" });
  assert.deepEqual(done, { status: "committed" });
  assert.equal(made.messages.length, 1);
  assert.match(textOf(made.messages[0]), /Clara moved to Lisbon/);
  assert.match(made.systemPromptAddition, /## Memory[^]*<authored_context>[^]*Always answer in plain words/);
  assert.match(made.systemPromptAddition, /<profile note=[^]*My sister Clara moved to Lisbon in March\.[^]*<\/profile>/);
  assert.ok(made.estimatedTokens > 0);
});

test("the history comes back as the very same messages", async () => {
  const host = makeHost({ userId: "same" });
  const { history } = await host.turn("The kettle is new.", { session: "h1" });
  const { made } = await host.turn("Is the kettle new?", { session: "h1", history });
  for (const message of history) assert.ok(made.messages.includes(message));
});

test("in the tool loop nothing is added twice, whether the host gives back our messages or copies", async () => {
  const host = makeHost({ userId: "loop" });
  await host.turn(FACT, { session: "t1" });
  const engine = host.engine();
  const asked = { sessionId: "t2", sessionKey: "agent:main:t2", prompt: "Where does my sister Clara live?", ...COMMON };
  const first = await engine.assemble({ ...asked, messages: [] });
  const count = () => receiptsOf({ userId: "loop" }, "receipts:loop");
  const receipts = await count();
  assert.deepEqual(await engine.assemble({ ...asked, messages: first.messages, tokenBudget: 15_000 }), first);
  assert.equal(await count(), receipts, "the daemon need not be asked");
  const copies = structuredClone(first.messages);
  const again = await engine.assemble({ ...asked, messages: copies });
  assert.deepEqual(again.messages, first.messages);
  assert.equal(await count(), receipts + 1);
});

test("in the tool loop the window gives way to what tools say", async () => {
  const host = makeHost({ userId: "shrink" });
  const history = Array.from({ length: 40 }, (_, n) => [
    user(`Question ${n}? ${"word ".repeat(60)}`),
    assistant("Yes."),
  ]).flat();
  const engine = host.engine();
  const asked = { ...COMMON, sessionId: "sh", sessionKey: "agent:main:sh", prompt: "And?", messages: history };
  const first = await engine.assemble({ ...asked, tokenBudget: 4_000 });
  const again = { ...asked, messages: first.messages };
  assert.deepEqual(
    await engine.assemble({ ...again, tokenBudget: 9_000 }),
    first,
    "the whole context, nothing said yet",
  );
  const later = await engine.assemble({ ...again, tokenBudget: 6_500 });
  assert.ok(later.estimatedTokens < first.estimatedTokens);
  assert.ok(later.estimatedTokens <= 1_500);
});

test("a budget that is told only in the tool loop counts from then on", async () => {
  const host = makeHost({ userId: "late" });
  const history = Array.from({ length: 40 }, (_, n) => user(`Question ${n}? ${"word ".repeat(60)}`));
  const engine = host.engine();
  const asked = { ...COMMON, sessionId: "la", sessionKey: "agent:main:la", prompt: "And?" };
  const tokens = [];
  let messages = history;
  for (const tokenBudget of [undefined, 2_000, 1_200, undefined]) {
    const made = await engine.assemble({ ...asked, messages, tokenBudget });
    assert.equal(made.promptAuthority, undefined);
    messages = made.messages;
    tokens.push(made.estimatedTokens);
  }
  assert.ok(tokens[0] > 2_000);
  assert.ok(tokens[1] <= 2_000);
  assert.ok(tokens[2] <= 1_200);
  assert.equal(tokens[3], tokens[2], "what stands still fits");
  assert.deepEqual(host.logged, []);
});

test("a turn is committed once per key", async () => {
  const host = makeHost({ userId: "once" });
  const turn = {
    advancementKey: "k",
    messages: [user("The gate is green."), assistant("Good.")],
    sessionId: "o",
    sessionKey: "agent:main:o",
  };
  assert.deepEqual(await host.engine().commitTurn(turn), { status: "committed" });
  assert.deepEqual(await host.engine().commitTurn(turn), { status: "duplicate" });
  assert.deepEqual((await kept("history:once")).sort(), ["Good.", "The gate is green."]);
});

test("a heartbeat is committed and leaves nothing", async () => {
  const host = makeHost({ userId: "pulse" });
  const turn = { advancementKey: "k", messages: [user("Anything new?")], sessionId: "p", isHeartbeat: true };
  assert.equal((await host.engine().commitTurn(turn)).status, "committed");
  assert.deepEqual(await kept("history:pulse"), []);
});

test("looking something up in memory is not remembered", async () => {
  const host = makeHost({ userId: "lookup" });
  const messages = [
    user("What of Clara?"),
    {
      role: "assistant",
      content: [{ type: "toolCall", id: "c", name: "memory_search", arguments: { query: "Clara" } }],
      timestamp: 1,
    },
    {
      role: "toolResult",
      toolCallId: "c",
      toolName: "memory_search",
      content: [{ type: "text", text: FACT }],
      timestamp: 2,
    },
    assistant("She lives in Lisbon."),
  ];
  await host.engine().commitTurn({ advancementKey: "k", messages, sessionId: "q" });
  assert.deepEqual((await kept("history:lookup")).sort(), ["She lives in Lisbon.", "What of Clara?"]);
});

test("what another session wrote in the user's role is no person's word", async () => {
  const host = makeHost({ userId: "voices" });
  const messages = [
    { ...user("I am allergic to peanuts."), provenance: { kind: "external_user" } },
    { ...user("The subagent reports that it is done."), provenance: { kind: "inter_session" } },
    assistant("Good."),
  ];
  await host.engine().commitTurn({ advancementKey: "k", messages, sessionId: "v" });
  assert.deepEqual(await kept("turns:voices"), ["I am allergic to peanuts."]);
  assert.equal((await kept("history:voices")).length, 3);
});

test("pictures stay with the host", async () => {
  const host = makeHost({ userId: "picture" });
  const picture = { type: "image", mimeType: "image/png", data: "A".repeat(400_000) };
  const message = { role: "user", content: [{ type: "text", text: "Look at this." }, picture], timestamp: 5 };
  const { made } = await host.turn("What is it?", { session: "pic", history: [message] });
  assert.ok(made.estimatedTokens < 1_000);
  assert.equal(
    made.messages.find((one) => one === message),
    message,
  );
});

test("a turn that the daemon refuses is kept piece by piece and does not stop memory", async () => {
  const host = makeHost({ userId: "refused" });
  const messages = [user("The lamp is broken."), user("x".repeat(1_000_001)), assistant("I see.")];
  const done = await host.engine().commitTurn({ advancementKey: "k", messages, sessionId: "r" });
  assert.deepEqual(done, { status: "committed" });
  assert.deepEqual((await kept("history:refused")).sort(), ["I see.", "The lamp is broken."]);
  assert.equal(host.logged.filter((line) => line.startsWith("error")).length, 2);
});

test("turns without a transcript are ingested", async () => {
  const host = makeHost({ userId: "bare" });
  const engine = host.engine();
  const who = { sessionId: "b", sessionKey: "agent:main:b" };
  assert.deepEqual(await engine.ingest({ ...who, message: user("One.") }), { ingested: true });
  assert.deepEqual(await engine.ingestBatch({ ...who, messages: [user("Two."), assistant("Three.")] }), {
    ingestedCount: 2,
  });
  await engine.afterTurn({ ...who, messages: [user("old"), user("Four.")], prePromptMessageCount: 1 });
  assert.deepEqual(await engine.ingest({ ...who, message: user("x"), isHeartbeat: true }), { ingested: false });
  assert.deepEqual((await kept("history:bare")).sort(), ["Four.", "One.", "Three.", "Two."]);
  assert.deepEqual(await engine.maintain(), { changed: false, bytesFreed: 0, rewrittenEntries: 0 });
  await engine.dispose();
});

test("what a host shows from before the plugin is imported once", async () => {
  const host = makeHost({ userId: "import" });
  const history = [user("The attic is full."), assistant("I know.")];
  await host.turn("Is the attic full?", { session: "i", history });
  await makeHost({ userId: "import", timeoutMs: 4_999 }).turn("And the cellar?", { session: "i", history });
  assert.equal((await kept("history:import")).filter((text) => text === "The attic is full.").length, 1);
});

test("compacting lets the next prompt begin later, and the window grows again", async () => {
  const host = makeHost({ userId: "compact" });
  let history = [];
  for (let n = 0; n < 10; n += 1) {
    const told = `Step ${n} cost ${n * 7 + 10} euros. ${"We spoke of the garden and of its bees. ".repeat(12)}`;
    ({ history } = await host.turn(told, { session: "c", history }));
  }
  const full = (await host.turn("Go on.", { session: "c", history })).made;
  const done = await host
    .engine()
    .compact({ sessionId: "c", tokenBudget: 16_000, force: true, compactionTarget: "threshold" });
  assert.equal(done.compacted, true);
  assert.ok(done.result.tokensAfter < done.result.tokensBefore);
  const short = (await host.turn("And now?", { session: "c", history })).made;
  assert.ok(short.estimatedTokens < full.estimatedTokens);
  assert.equal(short.messages.at(-1) === history.at(-1) || textOf(short.messages.at(-1)).startsWith("<"), true);
  const next = (
    await host.turn("And then?", { session: "c", history: [...history, user("And now?"), assistant("Yes.")] })
  ).made;
  assert.ok(next.messages.length <= short.messages.length + 4);
});

test("an overflow halves the budget, and one that nobody can help is told as such", async () => {
  const host = makeHost({ userId: "over" });
  const engine = host.engine();
  const done = await engine.compact({ sessionId: "ov", currentTokenCount: 40_000, compactionTarget: "budget" });
  assert.equal(done.compacted, true);
  assert.ok(Number.isInteger(done.result.tokensAfter));
  const nothing = await engine.compact({ sessionId: "empty", compactionTarget: "threshold" });
  assert.deepEqual([nothing.ok, nothing.compacted], [true, false]);
  assert.ok(nothing.reason);
});

test("in augment mode the host keeps and compacts its history", async () => {
  const host = makeHost({ userId: "augment", mode: "augment" });
  assert.equal(host.engine().info.ownsCompaction, false);
  const { history } = await host.turn("The stove is hot.", { session: "a" });
  const { made } = await host.turn("Is it hot?", { session: "a", history });
  assert.deepEqual(made.messages.slice(0, 2), history);
  await host.engine().compact({ sessionId: "a" });
  assert.equal(host.delegated.length, 1);
});

test("a subagent has its parent's memory, and its task is not a person's word", async () => {
  const host = makeHost({ memoryPer: "session" });
  await host.turn(FACT, { session: "parent" });
  const childKey = "agent:main:subagent:1";
  const spawn = { parentSessionKey: "agent:main:parent", childSessionKey: childKey, contextMode: "isolated" };
  const { rollback } = await host.engine().prepareSubagentSpawn(spawn);
  const task = "Find out where my sister Clara lives now.";
  const { made } = await host.turn(task, { session: "child", sessionKey: childKey });
  assert.match(textOf(made.messages[0]), /Lisbon/);
  assert.deepEqual(await kept("turns:session-key:agent:main:parent"), [FACT]);
  assert.ok((await kept("history:session-key:agent:main:parent")).includes(task));
  await host.engine().onSubagentEnded({ childSessionKey: childKey, reason: "completed" });
  const journal = (await call("list_lifecycle_journal", { limit: 2 })).results.map((entry) => entry.metadata.hook);
  assert.deepEqual(journal, ["subagent_spawn", "subagent_ended"]);
  rollback();
});

test("agents, sessions and users have memories of their own, under the names that the daemon gives", async () => {
  const who = { sessionId: "n", sessionKey: "agent:helper:n" };
  for (const [settings, told] of [
    [{}, { agentId: "helper" }],
    [{ memoryPer: "session" }, { sessionKey: "agent:helper:n" }],
    [{ userId: " anna " }, { userId: "anna" }],
    [{ userId: "agent-id:helper" }, { userId: "agent-id:helper" }],
    [{ userId: "jose\u0301" }, { userId: "jos\u00e9" }],
  ]) {
    const host = makeHost(settings);
    await host.engine().ingest({ ...who, message: user(`Said by ${JSON.stringify(told)}.`) });
    const { namespace } = await call("bootstrap", { sessionId: "n", ...told });
    assert.ok((await kept(`history:${namespace}`)).includes(`Said by ${JSON.stringify(told)}.`));
  }
});

test("every step of a session means the same memory, whatever its key looks like", async () => {
  const host = makeHost();
  const told = { session: "g", sessionKey: "global" };
  const { history } = await host.turn("The global key opens the shed.", told);
  await host.turn("What opens the shed?", { ...told, history });
  assert.ok((await kept("history:agent-id:main")).includes("The global key opens the shed."));
  assert.ok((await receiptsOf({ agentId: "main" }, "receipts:agent-id:main")) > 0);
  const [search] = host.toolsFor({ agentId: "main", sessionKey: "global" });
  assert.match((await search.execute("1", { query: "What opens the shed?" })).content[0].text, /global key/);
});

test("after a reset the session begins anew", async () => {
  const host = makeHost({ userId: "reset" });
  await host.turn("The old plan is blue.", { session: "z" });
  await host.hooks.before_reset(
    { reason: "reset", messages: [1, 2] },
    { sessionId: "z", sessionKey: "agent:main:z", agentId: "main" },
  );
  await host.hooks.session_end({ sessionId: "z", messageCount: 2, durationMs: 1.5, reason: "reset" }, {});
  const { made } = await host.turn("Hello.", { session: "z" });
  assert.ok(made.messages.every((message) => !textOf(message).includes("The old plan")));
  const [last] = (await call("list_lifecycle_journal", { limit: 1 })).results;
  assert.equal(last.metadata.reason, "reset");
});
