// How the store and the daemon are: checks, state, vectors, sizes, and how long answers take.

import { el, fill } from "../dom.js";
import { badge, bar, button, count, empty, failed, head, moment, note, number, pages, plural, save, size, table, work } from "../parts.js";
import { boundWords, duration, methodsOf, milliseconds } from "./latencies.js";
import { collectionKinds, recordsOf } from "./sizes.js";
import { vectorsCard } from "./rebuild.js";

const MODES = { full: "by meaning and by words", "lexical-only": "by words alone" };
const HEALTH = { good: ["good", "good"], notice: ["look at it", "warn"], bad: ["bad", "bad"] };
const WATCH = { scanning: "reading all notes once", notified: "told of every change", polling: "looking for changes now and then", stopped: "stopped", failed: "failed" };
const PAUSE = 5000;

export default { id: "health", title: "Health", open };

async function open(room, ctx) {
  const shown = { state: null, status: null, collections: [], checks: null, namespaces: [] };
  const words = el("div.verdict", { role: "status" });
  const state = card("State");
  const calls = card("How long answers take");
  calls.classList.add("calls");
  const kinds = card("What lies in it");
  const vectors = ctx.isOfAll ? vectorsCard(ctx, renew) : null;
  const names = namespaces(ctx, shown);
  fill(room, el("p.wait", {}, "Loading …"));
  await Promise.all([renew(), loadKinds(), names.ready]);
  if (ctx.isOfAll) drawCalls(calls, shown.status);
  // All of it at once: cards that grow one after another would move those below them.
  fill(room,
    head("Health", "How the store and the daemon are, and what they hold.", ...save("health", { json: () => shown, markdown: () => markdown(shown) })),
    ctx.isOfAll ? words : note("warn", el("b", {}, "This token sees a part of the store only."), " State, vectors and times are about all of it, and need a token for all namespaces (*). Below is what it may see."),
    checkCard(ctx, shown),
    el("div.columns", {}, el("div", {}, ctx.isOfAll ? state : "", names.node), el("div", {}, vectors ? vectors.node : "", kinds)),
    ctx.isOfAll ? calls : "");

  async function renew() {
    if (!ctx.isOfAll) return;
    try {
      [shown.state, shown.status] = await Promise.all([ctx.ask("describe"), ctx.ask("status")]);
      fill(words, verdict(shown.state));
      draw(state, stateLines(shown));
      vectors.show(shown.state);
    } catch (error) {
      fill(words, failed(error));
    }
  }

  async function loadKinds() {
    try {
      shown.collections = (await ctx.ask("list_collections")).collections;
      draw(kinds, kindLines(shown.collections, ctx));
    } catch (error) {
      draw(kinds, [failed(error)]);
    }
  }

  let last = Date.now();
  return {
    changed: () => { if (Date.now() - last > PAUSE) { last = Date.now(); renew(); loadKinds(); } },
    close: () => vectors?.close(),
  };
}

/* ── cards whose content is put there again and again ── */

const card = (title) => el("section.card", { "aria-label": title }, el("h3", {}, title));
const draw = (node, lines) => fill(node, node.firstElementChild, lines);
const facts = (pairs) => el("dl.pairs", {}, pairs.filter(([, value]) => value !== "" && value !== null && value !== undefined).map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));

/* ── is it well ── */

function verdict({ mode, degraded, health }) {
  if (health.problem) return note("bad", el("b", {}, `The store takes no writes: ${health.problem}.`), el("p", {}, health.remedy));
  if (degraded) return note("warn", el("b", {}, `It works, with less: search goes ${MODES[mode] ?? mode}.`), el("p", {}, degraded));
  return note("", badge("well", "good"), el("b", {}, ` The daemon serves, and searches ${MODES[mode] ?? mode}.`));
}

function checkCard(ctx, shown) {
  const found = el("div", { role: "status" });
  const title = el("h3", {}, "Check everything");
  if (!ctx.isAdmin) return el("section.card", { "aria-label": "Checks" }, title, el("p.soft", {}, "Checks read the whole store and need an admin's token. In a terminal: ", el("code", {}, "libravdb doctor"), " and ", el("code", {}, "libravdb fsck"), "."));
  const go = work("Check now", async () => {
    fill(found, el("p.soft", {}, el("progress", { "aria-label": "Checking" }), " Reading the whole store; a large one takes minutes."));
    try {
      shown.checks = await ctx.ask("check_store");
      fill(found, ...checkLines(shown.checks));
    } catch (error) {
      fill(found, failed(error));
    }
  }, { toast: ctx.toast });
  return el("section.card", { "aria-label": "Checks" }, title, el("p.soft", {}, "What 'libravdb doctor' and 'libravdb fsck' look at: the machine, the model, and whether everything in the store holds together."), el("div.row", {}, go), found);
}

function checkLines({ checks, findings }) {
  return [
    el("ul.list.checks", {}, checks.map((check) => { const [word, kind] = HEALTH[check.health] ?? [check.health, ""]; return el("li", {}, badge(word, kind), el("b", {}, ` ${check.name} `), check.detail, check.remedy ? el("p.small.soft", {}, check.remedy) : ""); })),
    findings.length
      ? el("div", {}, note("bad", el("b", {}, `${plural(findings.length, "thing")} in the store ${findings.length === 1 ? "does" : "do"} not hold together.`), " Make a backup, then run 'libravdb repair'."), pages({ label: "Findings", load: async (after) => { const from = after ?? 0; return { items: findings.slice(from, from + 50), next: from + 50 < findings.length ? from + 50 : null }; }, show: (finding) => el("li", {}, el("b", {}, finding.invariant), ` ${finding.detail}`), nothing: () => "" }).node)
      : "",
  ];
}

/* ── state ── */

function stateLines({ state, status }) {
  const { store, embedder, health, watch } = state;
  return [facts([
    ["Version", state.version],
    ["Runs for", duration(status.uptimeSeconds)],
    ["Searches", MODES[state.mode] ?? state.mode],
    ["Embedder", embedder?.name ? `${embedder.name} (${embedder.backend ?? "?"}, ${plural(embedder.dimensions ?? 0, "dimension")})` : "none"],
    ["Summaries by a model", status.abstractiveReady ? "ready" : "no: sentences are chosen from what was said"],
    ["Gate keeps from", number(status.gatingThreshold)],
    ["Store", el("code", {}, status.storePath)],
    ["Size", size(store.sizeBytes)],
    ["Records", `${count(store.records)} in ${plural(store.collections, "collection")}`],
    ["Distinct texts", count(store.texts)],
    ["Without a vector", count(store.unembedded)],
    ["Sessions", count(store.sessions)],
    ["Checked whole", health.checkedAt ? moment(health.checkedAt) : "not since it was opened"],
    ["SQLite", store.versions.sqlite],
  ]), watch ? watching(watch) : el("p.small.soft", {}, "No folder of notes is watched.")];
}

function watching(watch) {
  return el("div", {}, el("h4", {}, "Watched folders"), facts([
    ["Folders", el("ul.plain", {}, watch.folders.map((folder) => el("li", {}, el("code", {}, folder))))],
    ["How", WATCH[watch.mode] ?? watch.mode],
    ["Documents", `${count(watch.documents)}${watch.waiting ? `, ${count(watch.waiting)} waiting` : ""}`],
    ["Last change", watch.lastChange ? moment(watch.lastChange) : "none so far"],
  ]), watch.problemCount ? note("warn", el("b", {}, plural(watch.problemCount, "problem")), el("ul.small", {}, watch.problems.map((problem) => el("li", {}, problem)))) : "");
}

/* ── sizes ── */

/** A line of sizes: what, how much of the largest, and in numbers. */
const sized = (name, drawn, words) => el("li", {}, name, drawn, el("span.num", {}, words));

function kindLines(collections, ctx) {
  if (!collections.length) return [empty("Nothing is stored so far.", el("code", {}, "libravdb remember \"Anna is allergic to peanuts\""))];
  const kinds = collectionKinds(collections);
  const most = kinds[0].records;
  const receipts = recordsOf(collections, "receipts:");
  const own = collections.find((each) => each.name === `receipts:${ctx.namespace}`)?.records ?? 0;
  return [
    el("p.soft.small", {}, ctx.isOfAll ? "Records in the store, by kind." : "Records that this token may see, by kind."),
    el("ul.list.sizes", {}, kinds.map((kind) => sized(el("span", { title: kind.collections > 1 ? `in ${plural(kind.collections, "collection")}` : null }, kind.label), bar([{ label: kind.label, value: kind.records, kind: "c2" }], { total: most, key: false }), count(kind.records)))),
    el("p", {}, `${plural(receipts, "receipt")} of prompts ${receipts === 1 ? "is" : "are"} kept, ${count(own)} for ${ctx.namespace}: `, el("a", { href: ctx.link("prompt") }, "see them under Prompt")),
  ];
}

function namespaces(ctx, shown) {
  let most = 1;
  const made = pages({
    label: "Namespaces",
    load: async (after) => {
      const page = await ctx.ask("list_namespaces", { limit: 50, ...(after ? { after } : {}) });
      shown.namespaces.push(...page.namespaces);
      most = Math.max(most, ...page.namespaces.map((each) => each.bytes));
      return { items: page.namespaces, next: page.next ?? null };
    },
    show: (each) => sized(el("a", { href: ctx.link("timeline", { namespace: each.name }) }, each.name), bar([{ label: each.name, value: each.bytes, kind: "c6", text: size(each.bytes) }], { total: most, key: false }), `${count(each.records)} · ${size(each.bytes)}`),
    nothing: () => empty("Nobody's memory is here so far."),
  });
  made.list.classList.add("sizes", "bytes");
  return { ready: made.ready, node: el("section.card", { "aria-label": "By person" }, el("h3", {}, "Whose it is"), el("p.soft.small", {}, "Records, and bytes of their texts and metadata."), made.node) };
}

/* ── how long answers take ── */

function drawCalls(node, status) {
  if (!status) { fill(node); node.hidden = true; return; }
  const methods = methodsOf(status.calls);
  if (!methods.length) { draw(node, [el("p.soft", {}, "Nobody asked anything since the daemon started.")]); return; }
  const place = el("div");
  const show = (most) => fill(place, callTable(methods.slice(0, most)), methods.length > most ? el("div.more", {}, button(`Show all ${count(methods.length)} methods`, () => show(methods.length))) : "", el("details", {}, el("summary", {}, "The numbers behind the bars"), bucketTable(methods.slice(0, most))));
  draw(node, [el("p.soft.small", {}, `Since the daemon started, ${duration(status.uptimeSeconds)} ago. Bars run from fast (left) to slow (right).`), place]);
  show(10);
}

const callTable = (methods) => table([{ title: "Method" }, { title: "Calls", isNumber: true }, { title: "Failed", isNumber: true }, { title: "Mean", isNumber: true }, { title: "Half within", isNumber: true }, { title: "95 % within", isNumber: true }, { title: "Spread" }],
  methods.map((method) => [el("code", {}, method.name), count(method.calls), method.failures ? badge(count(method.failures), "warn") : "0", milliseconds(method.mean), boundWords(method.half, method.buckets), boundWords(method.most, method.buckets), spark(method)]), { caption: "Latencies by method" });

function spark({ buckets, name }) {
  const most = Math.max(...buckets.map((bucket) => bucket.calls), 1);
  const told = buckets.filter((bucket) => bucket.calls).map((bucket) => `${boundWords(bucket.most, buckets)}: ${count(bucket.calls)}`).join(", ");
  return el("div.spark", { role: "img", "aria-label": `${name}: ${told}`, title: told }, buckets.map((bucket) => { const drawn = el("span", { class: bucket.calls ? "some" : "" }); drawn.style.height = `${bucket.calls ? Math.max(12, (bucket.calls / most) * 100) : 4}%`; return drawn; }));
}

const bucketTable = (methods) => table([{ title: "Method" }, ...methods[0].buckets.map((bucket) => ({ title: boundWords(bucket.most, methods[0].buckets), isNumber: true }))],
  methods.map((method) => [el("code", {}, method.name), ...method.buckets.map((bucket) => (bucket.calls ? count(bucket.calls) : "·"))]), { caption: "Calls by how long they took" });

/* ── to take along ── */

function markdown({ state, status, checks, collections }) {
  const words = ["# Health", ""];
  if (state) words.push(`- version ${state.version}, ${plural(state.store.records, "record")}, ${size(state.store.sizeBytes)}`, `- searches ${MODES[state.mode] ?? state.mode}${state.degraded ? `: ${state.degraded}` : ""}`, ...state.spaces.map((space) => `- vectors ${space.fingerprint}: ${space.state}, ${plural(space.texts, "text")}, ${plural(space.vectors, "vector")}`), "");
  if (checks) words.push("## Checks", "", ...checks.checks.map((check) => `- ${check.health}: ${check.name} ${check.detail}`), ...checks.findings.map((finding) => `- broken: ${finding.invariant} ${finding.detail}`), "");
  words.push("## What lies in it", "", ...collectionKinds(collections).map((kind) => `- ${kind.label}: ${plural(kind.records, "record")}`), "");
  if (status) words.push("## Times", "", ...methodsOf(status.calls).map((method) => `- ${method.name}: ${plural(method.calls, "call")}, half ${boundWords(method.half, method.buckets)}, 95 % ${boundWords(method.most, method.buckets)}`), "");
  return words.join("\n");
}
