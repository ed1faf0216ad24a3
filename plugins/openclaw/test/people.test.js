import assert from "node:assert/strict";
import { test } from "node:test";

import { DERIVED, Identities, isGroup, isSubagent, peerOf } from "../identity.js";
import { matches, Policy } from "../policy.js";

const LINKS = { Anna: ["telegram:4711", "discord:99"], bare: ["777"] };
const people = (links = LINKS, settings = {}) => {
  const identities = new Identities({ userId: "", memoryPer: "person", ...settings }, () => links);
  return (sessionKey) => identities.namespaceOf({ sessionKey });
};

/** The same numbers each time: a property that fails can be looked at. */
function* numbers(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

test("a direct peer is a person, on the channel that its key tells", () => {
  const of = people();
  for (const [key, namespace] of [
    ["agent:main:telegram:direct:5", "person:telegram:5"],
    ["agent:other:telegram:direct:5", "person:telegram:5"],
    ["agent:main:telegram:dm:5", "person:telegram:5"],
    ["agent:main:telegram:slash:5", "person:telegram:5"],
    ["agent:main:telegram:direct:5:thread:17", "person:telegram:5"],
    ["agent:main:whatsapp:direct:5", "person:whatsapp:5"],
    ["agent:main:irc:libera:direct:bob", "person:irc:libera:bob"],
    ["agent:main:direct:bob", "person::bob"],
    ["agent:main:matrix:direct:@bob:example.org", "person:matrix:@bob%3a;example.org"],
  ]) {
    assert.equal(of(key), namespace, key);
  }
});

test("a linked person is one on all linked channels, and a stranger of the same name is another", () => {
  const of = people();
  for (const key of [
    "agent:main:telegram:direct:4711",
    "agent:main:discord:direct:99",
    "agent:main:telegram:direct:anna",
    "agent:main:telegram:bot2:direct:anna",
    "agent:main:direct:anna",
  ]) {
    assert.equal(of(key), "person:anna", key);
  }
  assert.equal(of("agent:main:irc:direct:anna"), "person:irc:anna");
  assert.equal(of("agent:main:irc:direct:4711"), "person:irc:4711");
  assert.equal(of("agent:main:irc:direct:bare"), "person:irc:bare");
  assert.equal(of("agent:main:irc:direct:777"), "person:bare");
});

test("links are read anew each time, and broken ones link nobody", () => {
  let links = {};
  const identities = new Identities({ userId: "", memoryPer: "person" }, () => links);
  const of = () => identities.namespaceOf({ sessionKey: "agent:main:telegram:direct:4711" });
  assert.equal(of(), "person:telegram:4711");
  links = LINKS;
  assert.equal(of(), "person:anna");
  for (links of [null, "x", 7, [], { anna: "telegram:4711" }, { anna: [null, 7, {}] }, { " ": ["telegram:4711"] }]) {
    assert.equal(of(), "person:telegram:4711");
  }
});

test("a group is a namespace of its own, with its threads and topics", () => {
  const of = people();
  for (const [key, namespace] of [
    ["agent:main:slack:channel:C1", "group:slack:channel:C1"],
    ["agent:main:slack:channel:C1:thread:17.3", "group:slack:channel:C1"],
    ["agent:main:telegram:group:-100", "group:telegram:group:-100"],
    ["agent:main:telegram:group:-100:topic:4", "group:telegram:group:-100"],
    ["agent:main:signal:group:AbC=", "group:signal:group:AbC="],
    ["agent:main:irc:libera:channel:#ham", "group:irc:libera:channel:#ham"],
    ["agent:main:telegram:group:direct:5", "group:telegram:group:direct%3a;5"],
  ]) {
    assert.equal(of(key), namespace, key);
    assert.ok(isGroup(key));
  }
  assert.equal(isGroup("agent:main:telegram:direct:5"), false);
});

test("what has no peer is the owner's, and what nobody knows keeps to itself", () => {
  const of = people();
  for (const key of ["main", "main:thread:5", "anything", "dashboard:abc", "explicit:abc", "cron:job:run:1"]) {
    assert.equal(of(`agent:main:${key}`), "agent-id:main", key);
  }
  assert.equal(of("global"), "agent-id:main");
  assert.equal(new Identities({ userId: "", memoryPer: "person" }).namespaceOf({ agentId: "x" }), "agent-id:x");
  for (const key of ["openai-user:bob", "slack:mpim:G1", "telegram:direct:", "agent:main:direct:5", "x:group:"]) {
    assert.equal(of(`agent:main:${key}`), `session-key:agent:main:${key}`, key);
  }
});

test("a subagent has the memory of who started it, and one of nobody keeps to itself", () => {
  const identities = new Identities({ userId: "", memoryPer: "person" }, () => LINKS);
  const child = "agent:main:subagent:1";
  const of = (sessionKey) => identities.namespaceOf({ sessionKey });
  assert.equal(of(child), `session-key:${child}`);
  identities.adopt(child, "agent:main:telegram:direct:4711");
  identities.adopt("agent:main:subagent:2", child);
  assert.equal(of("agent:main:subagent:2"), "person:anna");
  identities.release(child);
  assert.equal(of(child), `session-key:${child}`);
  assert.ok(isSubagent(child) && !isSubagent("agent:main:main"));
});

test("the other policies, and a user of the owner's choice, come before", () => {
  const key = "agent:main:telegram:direct:5";
  assert.equal(people(LINKS, { memoryPer: "agent" })(key), "agent-id:main");
  assert.equal(people(LINKS, { memoryPer: "session" })(key), `session-key:${key}`);
  assert.equal(people(LINKS, { userId: " anna " })(key), "anna");
  for (const prefix of DERIVED) {
    assert.equal(people(LINKS, { userId: `${prefix}telegram:5` })(key), `user-id:${prefix}telegram:5`);
  }
});

test("two peers never share a memory, whatever their names are made of", () => {
  const pieces = ["a", "A", "é", "e\u0301", ":", "::", "%", "%3a;", " ", "\u200b", "日本", "🙂", "\ud800", "\udc00"];
  pieces.push("\u0000", "direct", "group", "channel", "x".repeat(300), "x".repeat(301), "person", "main", "/", "..", "\n");
  const draw = numbers(19);
  const piece = () => pieces[draw.next().value % pieces.length];
  const word = () => Array.from({ length: 1 + (draw.next().value % 4) }, piece);
  const of = people({});
  const seen = new Map();
  for (let n = 0; n < 20_000; n += 1) {
    const peer = word().join("");
    const kind = ["direct", "group", "channel"][n % 3];
    const key = `agent:main:telegram:${kind}:${peer}`;
    const whose = JSON.stringify([kind, peer.normalize("NFC")]);
    const namespace = of(key);
    assert.ok(namespace.startsWith(kind === "direct" ? "person:telegram:" : `group:telegram:${kind}:`), namespace);
    assert.ok(namespace.isWellFormed() && namespace.length < 300 && namespace.trim() === namespace);
    assert.equal(namespace, namespace.normalize("NFC"));
    assert.equal(seen.get(namespace) ?? whose, whose, namespace);
    seen.set(namespace, whose);
  }
  assert.ok(seen.size > 5_000);
});

test("an account, a channel and a peer never run into one another", () => {
  const names = ["a", "b", "a:b", "%", "a%3a;b", "b:c"];
  const of = people({});
  const seen = new Map();
  for (const channel of ["irc", "xmpp"]) {
    for (const account of ["", "net", "net2"]) {
      for (const peer of names) {
        const key = `agent:main:${channel}:${account ? `${account}:` : ""}direct:${peer}`;
        const namespace = of(key);
        assert.equal(seen.has(namespace), false, `${key} and ${seen.get(namespace)}`);
        seen.set(namespace, key);
      }
    }
  }
});

test("any key has a namespace, and none takes long", () => {
  const long = [":".repeat(10_000), `agent:main:${"direct:".repeat(5_000)}`];
  for (const key of ["", ":", "agent:", "agent::", "agent:main:", ...long]) {
    assert.ok(people()(key));
    assert.ok(peerOf(key).kind);
  }
});

test("the host's opt-out is respected, for one agent and for all", () => {
  const config = { agents: { entries: { quiet: { memory: { search: { enabled: false } } } } } };
  const policy = new Policy({ ignoreSessions: [] }, () => config);
  assert.equal(policy.hasMemory({ sessionKey: "agent:quiet:main" }), false);
  assert.equal(policy.hasMemory({ agentId: "Quiet" }), false);
  assert.equal(policy.hasMemory({ sessionKey: "agent:main:main" }), true);
  config.memory = { search: { enabled: false } };
  assert.equal(policy.hasMemory({ sessionKey: "agent:main:main" }), false);
  config.agents.entries.main = { memory: { search: { enabled: true } } };
  assert.equal(policy.hasMemory({ sessionKey: "agent:main:main" }), true);
  for (const broken of [null, undefined, {}, { agents: null }, { agents: { entries: [] } }, { memory: 7 }]) {
    assert.equal(new Policy({}, () => broken).hasMemory({ sessionKey: "agent:main:main" }), true);
  }
});

test("sessions are ignored by patterns", () => {
  const policy = new Policy({ ignoreSessions: ["agent:*:cron:*", "*:heartbeat", "agent:*:incognito-*"] });
  for (const key of ["agent:main:cron:j:run:1", "agent:main:main:heartbeat", "agent:main:dashboard:incognito-7"]) {
    assert.ok(policy.isIgnored(key), key);
  }
  for (const key of ["agent:main:main", "agent:main:telegram:direct:5", "agent:main:subagent:1", ""]) {
    assert.equal(policy.isIgnored(key), false, key);
  }
  assert.ok(matches("a?c*", "abcdef") && !matches("a?c", "abbc") && matches("*", "") && !matches("", "x"));
  const began = performance.now();
  assert.equal(matches("*a".repeat(200) + "b", "a".repeat(4_000)), false);
  assert.ok(performance.now() - began < 2_000);
});

test("heartbeats are known by the host's words, and by the user's own", () => {
  const config = { agents: { defaults: { heartbeat: { prompt: "Look around." } } } };
  const policy = new Policy({}, () => config);
  const told = ["[OpenClaw heartbeat poll]", "Read HEARTBEAT.md if it exists. Go on.", "Look around.\nNow."];
  for (const text of ["Look around.", ...told]) {
    assert.ok(policy.isHeartbeat(text, "agent:main:main"), text);
  }
  for (const text of ["Look around. It is late.", "What is a heartbeat?", "", undefined, 7]) {
    assert.equal(policy.isHeartbeat(text, "agent:main:main"), false);
  }
});
