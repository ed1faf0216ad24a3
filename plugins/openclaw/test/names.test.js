/** Whose names: linked we have memory-core's, as a copy we have names of our own; and the settings of before. */
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";

import { readSettings } from "../config.js";
import { ourSettings } from "../earlier.js";
import { hasSharedNames } from "../names.js";
import { Host } from "./host.js";

const toolsOf = (host) => host.toolsFor({ agentId: "main", sessionKey: "agent:main:x" });

test("linked, the plugin has the usual names and a command of its own", () => {
  const host = new Host({});
  assert.deepEqual(Object.keys(host.registrars), ["libravdb", "memory"]);
  assert.ok(host.toolNames.includes("memory_search") && host.toolNames.includes("memory_get"));
  assert.deepEqual(toolsOf(host).map(({ name }) => name), host.toolNames);
});

test("as a copy it asks for no name of memory-core, and names its own tools wherever it speaks of them", () => {
  const host = new Host({}, { isLinked: false });
  assert.deepEqual(Object.keys(host.registrars), ["libravdb"]);
  const tools = toolsOf(host);
  assert.deepEqual(tools.map(({ name }) => name), host.toolNames);
  assert.ok(host.toolNames.includes("libravdb_search") && host.toolNames.includes("libravdb_get"));
  assert.doesNotMatch(JSON.stringify([host.toolNames, tools]), /memory_(search|get)\b/);
  assert.ok(tools.every(({ execute }) => typeof execute === "function"));
});

test("as a copy the prompt names our tools, not those of memory-core", () => {
  const host = new Host({}, { isLinked: false });
  const section = (...tools) => host.capability.promptBuilder({ availableTools: new Set(tools) }).join("\n");
  assert.doesNotMatch(section("memory_search", "memory_get"), /_search|_get/);
  const told = section("memory_search", "libravdb_search", "libravdb_get");
  assert.match(told, /libravdb_search/);
  assert.match(told, /libravdb_get/);
  assert.doesNotMatch(told, /memory_search/);
});

test("linked is what a load path leads to, through links and from the home folder", (t) => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "lv-")));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const plugin = path.join(folder, "plugins", "ours");
  fs.mkdirSync(plugin, { recursive: true });
  fs.symlinkSync(plugin, path.join(folder, "link"));
  const isShared = (paths, rootDir = plugin) => hasSharedNames({ rootDir, config: { plugins: { load: { paths } } } });
  for (const place of [plugin, path.join(folder, "link"), path.join(folder, "plugins"), path.join(plugin, "index.js")])
    assert.equal(isShared([place]), true, place);
  for (const paths of [[], ["/nowhere"], undefined, "text", [7, ""], [path.join(folder, "plug")]])
    assert.equal(isShared(paths), false, JSON.stringify(paths));
  assert.equal(isShared(["~/x"], path.join(os.homedir(), "x")), true);
  assert.equal(hasSharedNames({}), false);
  assert.equal(hasSharedNames({ source: path.join(plugin, "index.js"), config: { plugins: { load: { paths: [plugin] } } } }), true);
});

test("with memory-core switched off the usual names are free", () => {
  assert.equal(hasSharedNames({ config: { plugins: { entries: { "memory-core": { enabled: false } } } } }), true);
  assert.equal(hasSharedNames({ config: { plugins: { deny: ["memory-core"] } } }), true);
  assert.equal(hasSharedNames({ config: { plugins: { entries: { "memory-core": {} }, deny: "memory-core" } } }), false);
});

test("a setting of the earlier implementation becomes ours, with a note; one without a meaning has a note too", () => {
  const { config, notes } = ourSettings({
    userId: "anna",
    sidecarPath: "unix:/old.sock",
    dbPath: "/old.libravdb",
    topK: 12.4,
    rpcTimeoutMs: 9_000_000,
    crossSessionRecall: false,
    logLevel: "warn",
    embeddingBackend: "remote",
    embeddingAPIKey: "sk-very-secret",
    sessionTTL: 3600,
  });
  assert.deepEqual(config, {
    userId: "anna",
    daemon: { endpoint: "unix:/old.sock", logLevel: "warning" },
    store: { path: "/old.libravdb" },
    search: { k: 12 },
    timeoutMs: 600_000,
    memoryPer: "session",
    embedding: { backend: "openai", apiKey: "sk-very-secret" },
  });
  assert.equal(notes.length, 9);
  assert.ok(notes.includes('setting sidecarPath is now daemon.endpoint ("unix:/old.sock").'));
  assert.ok(notes.some((note) => note.startsWith("setting sessionTTL is ignored: ")));
  assert.doesNotMatch(notes.join("\n"), /very-secret/);
});

test("today's setting wins over the earlier one, and a value that cannot be is not taken", () => {
  const { config, notes } = ourSettings({
    sidecarPath: "/usr/bin/libravdbd",
    topK: 3,
    search: { k: 5 },
    dbPath: 7,
    embeddingModelPath: "/model",
    embeddingBackend: "gguf",
  });
  assert.deepEqual(config, { search: { k: 5 } });
  assert.equal(notes.length, 5);
  assert.ok(notes.every((note) => note.includes("is ignored: ")));
});

test("folders of two earlier settings are watched together, where they were switched on", () => {
  const given = {
    markdownIngestionEnabled: true,
    markdownIngestionRoots: ["/a"],
    markdownIngestionObsidianEnabled: true,
    markdownIngestionObsidianRoots: ["/b"],
  };
  assert.deepEqual(ourSettings(given).config, { watch: { folders: ["/a", "/b"] } });
  assert.deepEqual(ourSettings({ ...given, markdownIngestionEnabled: false }).config, { watch: { folders: ["/b"] } });
  assert.equal(readSettings(given, {}).environment.LIBRAVDB_WATCH_FOLDERS, "/a:/b");
});

test("agents that were left out are left out still, beside the sessions that always are", () => {
  const { ignoreSessions: always } = readSettings({}, {});
  const given = { excludeAgents: ["work", "a$&b"], excludeSubagents: true };
  assert.deepEqual(readSettings(given, {}).ignoreSessions, [
    ...always,
    "agent:work:*",
    "agent:a$&b:*",
    "agent:*:subagent:*",
  ]);
  assert.deepEqual(readSettings({ ...given, ignoreSessions: ["x"] }, {}).ignoreSessions.slice(0, 2), ["x", "agent:work:*"]);
  assert.deepEqual(readSettings({ excludeSubagents: false }, {}).ignoreSessions, always);
});

test("the notes stand in the log once, however often the host registers the plugin", async () => {
  const host = new Host({ sidecarPath: "unix:/nowhere.sock" });
  const noted = () => host.logged.filter((line) => line.includes("sidecarPath"));
  assert.deepEqual(noted(), []);
  toolsOf(host);
  toolsOf(host);
  assert.equal(noted().length, 1);
});
