// The memories of a namespace, filtered and page by page.

import { el, fill, said } from "../dom.js";
import { badge, button, empty, field, moment, note, when } from "../parts.js";
import { going, letGo, whenGoing } from "./forgetting.js";
import { brief, durable, memoriesMarkdown, parted, readFilters, shownValue, toWhere } from "./memory_facts.js";
import { keepFocus, steadyList } from "./steady_list.js";

const LONG = 400;
const BEST = 50;

export async function openMemories(panel, ctx, { saves }) {
  const filters = readFilters(ctx.params);
  const isFiltered = Object.keys(filters).length > 0;
  const degraded = el("div");
  const list = steadyList({
    label: "Memories",
    size: 25,
    load: (after, limit) => (filters.words ? found() : listed(after, limit)),
    show: (record) => row(record, ctx),
    nothing: () => isFiltered
      ? empty("No memory fits.", button("Show all", () => ctx.go("memory")))
      : empty("Nothing is remembered so far.", "What the gate keeps appears here; or tell it yourself: ", el("code", {}, "libravdb remember \"I live in Graz.\"")),
  });
  saves({ json: () => list.items, markdown: () => memoriesMarkdown(list.items) });
  fill(panel, filterForm(filters, ctx), degraded, list.node);
  whenGoing(list.node, ({ key, isGone }) => (isGone ? list.renew() : redraw(key)));
  await list.ready;
  return { changed: list.renew };

  function redraw(key) {
    const record = list.items.find((each) => keyOf(each, ctx) === key);
    const node = record && [...list.node.querySelectorAll("[data-id]")].find((each) => each.dataset.id === record.id);
    if (node) keepFocus(list.node, () => node.replaceWith(row(record, ctx)));
  }

  async function listed(after, limit) {
    const page = await ctx.call("list_memories", { where: toWhere(filters), limit, after });
    return { items: page.records, next: page.next ?? null };
  }

  async function found() {
    const answer = await ctx.call("search", { question: filters.words, scopes: ["durable"], k: BEST, where: toWhere(filters), isQuiet: true });
    fill(degraded, answer.degraded ? note("warn", answer.degraded) : "", el("p.soft.small", {}, `The ${BEST} best at most, the best first, found by words and by meaning.`));
    return { items: answer.hits.map((hit) => hit.record), next: null };
  }
}

function filterForm(filters, ctx) {
  const controls = {
    words: el("input", { type: "search", value: filters.words ?? "", placeholder: "where Clara lives", autocomplete: "off" }),
    since: el("input", { type: "date", value: filters.since ?? "" }),
    until: el("input", { type: "date", value: filters.until ?? "" }),
    key: el("input", { type: "text", value: filters.key ?? "", autocomplete: "off", size: "12", placeholder: "topic" }),
    value: el("input", { type: "text", value: filters.value ?? "", autocomplete: "off", size: "12", placeholder: "release" }),
  };
  const outdated = el("input", { type: "checkbox" });
  outdated.checked = Boolean(filters.outdated);
  const asked = () => Object.fromEntries([...Object.entries(controls).map(([name, control]) => [name, control.value.trim()]), ["outdated", outdated.checked ? "1" : ""]].filter(([, value]) => value));
  const more = el("details.grow", { open: Boolean(filters.since || filters.until || filters.key || filters.outdated) }, el("summary", {}, "Filter by time, label, outdated"),
    el("div.row", {}, field("From", controls.since), field("To", controls.until), field("Label", controls.key), field("is", controls.value), field("outdated only", outdated, "inline")));
  return el("form.card.row", { role: "search", onsubmit: (event) => { event.preventDefault(); ctx.go("memory", asked()); } },
    field("Find by words", controls.words, "grow"), el("button.main", { type: "submit" }, "Find"),
    Object.keys(filters).length ? button("Show all", () => ctx.go("memory")) : "", more);
}

export const keyOf = (record, ctx) => `${ctx.namespace}/${record.id}`;

function row(record, ctx) {
  const { own } = parted(record.metadata);
  const isGoing = going.has(keyOf(record, ctx));
  const begins = brief(record.text, 40);
  return el(`article.card.memory${isGoing ? ".going" : ""}`, { "data-id": record.id },
    el("div.meta", {}, when(record.at), ...marks(record, ctx), own.slice(0, 4).map(([name, value]) => badge(said(brief(`${name}: ${shownValue(value)}`, 40)))),
      el("span.acts", {}, el("a", { href: ctx.link("memory", { id: record.id }), "aria-label": `Open: ${begins}` }, "Open"),
      ctx.canWrite && !isGoing ? button("Forget", () => forget(record, ctx), { kind: "danger bare", "aria-label": `Forget: ${begins}` }) : "",
      isGoing ? el("span.soft.small", {}, "is being forgotten …") : "")),
    el("p", {}, said(brief(record.text, LONG))));
}

/** Where something was said. */
export const saidIn = (session, ctx) => el("a", { href: ctx.link("timeline", { session }) }, "said in ", said(session));

/** What is worth knowing of a memory at a glance. */
export function marks(record, ctx) {
  const { superseded_by: newer, memory_expires_at: expires, memory_updated_at: updated, sessionId: session, useful } = record.metadata;
  return [
    newer ? badge("outdated", "warn") : "",
    expires ? badge(`until ${moment(expires)}`, "warn") : "",
    updated ? badge("corrected", "accent") : "",
    useful === true ? badge("useful", "good") : useful === false ? badge("not useful", "warn") : "",
    session ? saidIn(session, ctx) : "kept on request",
  ];
}

/** Forget a memory, with all that was made of it, unless somebody takes it back. */
export function forget(record, ctx) {
  letGo(keyOf(record, ctx), {
    words: el("span", {}, "Forgetting: ", said(brief(record.text, 60))),
    carryOut: () => ctx.ask("forget", { collection: durable(ctx.namespace), ids: [record.id] }),
  });
}
