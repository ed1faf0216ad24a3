// One memory: what it says, where it comes from, what it said before, what it replaced; and all of that can be mended.

import { el, fill, said } from "../dom.js";
import { badge, button, empty, failed, field, id as idOf, moment, note, plural, when, work } from "../parts.js";
import { going, whenGoing } from "./forgetting.js";
import { brief, changedFacts, durable, localMoment, memoriesMarkdown, parted, shownValue, wrongRows } from "./memory_facts.js";
import { forget, keyOf, marks } from "./memory_list.js";
import { picker } from "./memory_picker.js";
import { usefulness } from "./usefulness.js";

export async function openOne(panel, ctx, { id, saves }) {
  const state = { record: null, history: [], isEdited: false };
  const place = el("div");
  const news = el("div", { role: "status" });
  saves({ json: () => ({ memory: state.record, history: state.history }), markdown: () => memoriesMarkdown(state.history) });
  fill(panel, el("p", {}, el("a", { href: ctx.link("memory") }, "← All memories")), news, place);
  whenGoing(place, ({ key, isGone }) => { if (state.record && key === keyOf(state.record, ctx)) (isGone ? ctx.go("memory") : again()); });
  await load();
  return {
    changed: async () => {
      if (!state.isEdited) { await load(); return; }
      fill(news, note("", "Something changed meanwhile. ", button("Show it, without what you wrote", () => { state.isEdited = false; fill(news); load(); })));
    },
  };

  async function load() {
    try {
      const { records: [record] } = await ctx.call("find_memory", { id });
      if (!record) { fill(place, empty("There is no such memory.", "It was forgotten, or it is somebody else's. ", el("code", {}, id))); return; }
      const isDurable = record.collection === durable(ctx.namespace);
      const history = isDurable ? (await ctx.call("memory_history", { id })).records : [record];
      const related = isDurable ? await relatives(record, ctx) : { newer: null, older: [] };
      const told = JSON.stringify([record, history, related]);
      if (told === state.told) return;
      Object.assign(state, { record, history, told });
      fill(place, isDurable ? whole(state, related, ctx, { reload: again }) : spoken(record, ctx));
    } catch (error) {
      fill(place, failed(error));
    }
  }

  async function again() {
    state.isEdited = false;
    state.told = null;
    fill(news);
    await load();
  }
}

async function relatives(record, ctx) {
  const one = async (id) => (await ctx.call("find_memory", { id })).records[0] ?? { id, text: id, at: 0, metadata: {}, isMissing: true };
  const { superseded_by: newer, supersedes = [] } = record.metadata;
  return { newer: newer ? await one(newer) : null, older: await Promise.all(supersedes.map(one)) };
}

/** A turn, a summary or a wish: shown, and mended elsewhere. */
function spoken(record, ctx) {
  const session = record.metadata.sessionId;
  return el("article.card", {}, el("div.meta", {}, when(record.at), badge("not a durable memory")), el("p", {}, said(record.text)),
    record.metadata.gating_verdict ? el("p.soft", {}, "The gate: ", said(record.metadata.gating_verdict)) : "",
    el("p.soft", {}, "This was said, and stands in the history. ", session ? el("a", { href: ctx.link("timeline", { session }) }, "See it in ", said(session)) : ""));
}

function whole(state, related, ctx, { reload }) {
  const { record, history } = state;
  const isGoing = going.has(keyOf(record, ctx));
  const edited = el("div");
  const actions = !ctx.canWrite ? "" : el("div.row.mid", {},
    button("Edit", () => { state.isEdited = true; fill(edited, editor(record, ctx, { reload, cancel: () => { state.isEdited = false; fill(edited); } })); edited.querySelector("textarea").focus(); }),
    usefulness(record, ctx), isGoing ? el("span.soft", {}, "is being forgotten …")
      : button("Forget", () => forget(record, ctx), { kind: "danger" }));
  return [
    el(`article.card${isGoing ? ".going" : ""}`, { "data-id": record.id }, el("h3", {}, "What it says"), el("div.meta", {}, ...marks(record, ctx)), el("p.large", {}, said(record.text)), actions, edited),
    el("div.columns", {},
      el("section.card", { "aria-label": "Older and newer" }, el("h3", {}, "Older and newer"), kinship(record, related, ctx, { reload })),
      el("section.card", { "aria-label": "Where it comes from" }, el("h3", {}, "Where it comes from"), origin(record, ctx)),
      el("section.card", { "aria-label": "What it said before" }, el("h3", {}, "What it said before"), versions(history)),
      el("section.card", { "aria-label": "Labels" }, el("h3", {}, "Labels"), labels(record))),
  ];
}

/* ── what is told of it ── */

function origin(record, ctx) {
  const { sessionId: session, source_turn_id: turn, gating_verdict: verdict, speaker, role, times_seen: times, last_seen_at: last } = record.metadata;
  const rows = [
    ["Said", session ? ["by ", said(speaker || `the ${role || "user"}`), " in ", el("a", { href: ctx.link("timeline", { session }) }, said(session))] : "Kept on request, by a person or a tool."],
    ["When", when(record.at)],
    turn ? ["Turn", idOf(turn)] : null,
    verdict ? ["The gate", said(verdict)] : null,
    times > 1 ? ["Said again", [plural(times, "time"), " in all", last ? [", last ", when(last)] : ""]] : null,
    ["Shown in prompts and searches", plural(record.accessCount, "time")],
    ["Id", idOf(record.id)],
  ];
  return el("dl.facts", {}, rows.filter(Boolean).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

function versions(history) {
  const former = history.slice(0, -1);
  if (!former.length) return el("p.soft", {}, "It was never corrected. When it is, what it said before is kept here.");
  return el("ol.versions", {}, history.map((version, place) => el("li", {}, el("div.meta", {}, when(version.at), place === history.length - 1 ? badge("today", "good") : badge("before")), el("p", {}, said(version.text)), changedLabels(version, history[place - 1]))));
}

function changedLabels(version, before) {
  if (!before || before.text !== version.text) return "";
  return el("p.soft.small", {}, "Only its labels or its end were changed.");
}

function labels(record) {
  const { own, noted } = parted(record.metadata);
  const list = (entries) => el("dl.facts", {}, entries.map(([key, value]) => el("div", {}, el("dt", {}, said(key)), el("dd", {}, said(shownValue(value))))));
  return [own.length ? list(own) : el("p.soft", {}, "None. Labels are names and values of your own, by which memories can be filtered."),
    el("details", {}, el("summary", {}, `What the engine noted (${noted.length})`), list(noted))];
}

/* ── older and newer ── */

function kinship(record, { newer, older }, ctx, { reload }) {
  const part = (one, other) => (ctx.canWrite && !one.isMissing ? work("Both are true", async () => {
    await ctx.call("restore_memory", { id: one.id });
    ctx.toast("Parted: both count again.", { undo: () => link(one.id, other.id) });
    await reload();
  }, { toast: ctx.toast, title: "Part them: the older one counts again" }) : "");
  const shown = (each) => [el("a", { href: ctx.link("memory", { id: each.id }) }, said(brief(each.text))), each.at ? el("span.soft.small", {}, ` ${moment(each.at)} `) : ""];
  return [
    newer ? el("div", {}, el("p", {}, badge("outdated", "warn"), record.metadata.superseded_at ? ` since ${moment(record.metadata.superseded_at)}, replaced by:` : " replaced by:"), el("div.small-row", {}, el("div", {}, shown(newer)), part(record, newer))) : "",
    older.length ? el("div", {}, el("p", {}, "It replaces:"), el("ul.list", {}, older.map((each) => el("li.small-row", {}, el("div", {}, shown(each)), part(each, record))))) : "",
    !newer && !older.length ? el("p.soft", {}, "It replaces nothing, and nothing replaces it.") : "",
    ctx.canWrite && !newer ? picker(ctx, { without: [record.id], choose: (other) => link(record.id, other.id) }) : "",
  ];

  async function link(id, by) {
    try {
      await ctx.call("supersede_memory", { id, by });
      ctx.toast("Marked as outdated. Prompts show the newer one.", { undo: async () => { await ctx.call("restore_memory", { id }).catch((error) => ctx.toast(error.message, { kind: "bad", remedy: error.remedy })); await reload(); } });
    } catch (error) {
      ctx.toast(error.message, { kind: "bad", remedy: error.remedy });
    }
    await reload();
  }
}

/* ── editing ── */

function editor(record, ctx, { reload, cancel }) {
  const { own } = parted(record.metadata);
  const text = el("textarea", { rows: "4" });
  text.value = record.text;
  const rows = el("div.rows");
  const ends = el("input", { type: "datetime-local", value: record.metadata.memory_expires_at ? localMoment(record.metadata.memory_expires_at) : "" });
  const wrong = el("div", { role: "alert" });
  own.forEach(([key, value]) => rows.append(labelRow(key, shownValue(value))));
  const form = el("form.editor", { onsubmit: (event) => { event.preventDefault(); submit(); } },
    field("Text", text), el("p.soft.small", {}, "A new text counts from now on. What was said in the conversation stays as it was said."),
    el("fieldset", {}, el("legend", {}, "Labels"), rows, button("Add a label", () => { const row = labelRow("", ""); rows.append(row); row.querySelector("input").focus(); }, { kind: "bare" })),
    el("div.row", {}, field("Forget it by itself at", ends), button("Never", () => { ends.value = ""; })),
    wrong, el("div.row", {}, el("button.main", { type: "submit" }, "Save"), button("Cancel", cancel)));
  return form;

  async function submit() {
    const told = [...rows.children].map((row) => [...row.querySelectorAll("input")].map((input) => input.value));
    const problem = wrongRows(told);
    if (problem) { fill(wrong, note("bad", problem)); return; }
    const changes = asked(told);
    if (!Object.keys(changes).length) { cancel(); return; }
    try {
      await ctx.call("update_memory", { id: record.id, ...changes });
      ctx.toast("Saved. What it said before stands in its history.");
      await reload();
    } catch (error) {
      fill(wrong, failed(error));
    }
  }

  function asked(told) {
    const metadata = changedFacts(own, told);
    const before = record.metadata.memory_expires_at ? localMoment(record.metadata.memory_expires_at) : "";
    return {
      ...(text.value !== record.text ? { text: text.value } : {}),
      ...(Object.keys(metadata).length ? { metadata } : {}),
      ...(ends.value !== before ? { expiresAt: ends.value ? new Date(ends.value).getTime() : "never" } : {}),
    };
  }
}

function labelRow(key, value) {
  const row = el("div.row", {}, field("Name", el("input", { type: "text", value: key, size: "12", autocomplete: "off" })), field("Value", el("input", { type: "text", value, size: "18", autocomplete: "off" }), "grow"), button("Remove", () => row.remove(), { kind: "bare" }));
  return row;
}
