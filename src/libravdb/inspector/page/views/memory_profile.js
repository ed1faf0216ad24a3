// What every prompt tells about the person, line by line, with where each comes from.

import { el, fill, said } from "../dom.js";
import { badge, bar, button, empty, failed, field, when, work } from "../parts.js";
import { going, letGo, whenGoing } from "./forgetting.js";
import { brief, byKind, profileMarkdown } from "./memory_facts.js";
import { saidIn } from "./memory_list.js";
import { keepFocus } from "./steady_list.js";

const BUDGET = 4000;
const KINDS = { person: "people", liking: "likes", favourite: "favourites", pet: "pets", language: "languages", habit: "habits", plan: "plans", other: "other" };

export async function openProfile(panel, ctx, { saves }) {
  const state = { lines: [], editing: "" };
  const room = el("div");
  const tokens = el("div.profile-tokens");
  saves({ json: () => state.lines, markdown: () => profileMarkdown(state.lines) });
  fill(panel, el("p.soft", {}, "Known and current, in the person's own words, the newest of each. It stands in every prompt. To pin a line keeps it as it is, whatever is said later."), tokens, room);
  whenGoing(room, ({ isGone }) => (isGone ? load() : draw()));
  await load();
  return { changed: () => (state.editing ? undefined : load()) };

  async function load() {
    try {
      const [profile, share] = await Promise.all([ctx.call("profile_show"), taken(ctx)]);
      state.lines = profile.lines;
      fill(tokens, state.lines.length ? share : "");
      draw();
    } catch (error) {
      fill(room, failed(error));
    }
  }

  function draw() {
    keepFocus(room, () => fill(room, state.lines.length
      ? el("div.columns", {}, byKind(state.lines).map(([kind, lines]) => el("section.card", { "aria-label": KINDS[kind] ?? kind }, el("h3.kind", {}, KINDS[kind] ?? kind), el("ul.list", {}, lines.map(row)))))
      : empty("Nothing is known about this person so far.", "What somebody says plainly about himself appears here: ", el("code", {}, "I'm allergic to walnuts."))));
  }

  function row(line) {
    const isGoing = going.has(keyOf(line));
    return el(`li.profile-line${isGoing ? ".going" : ""}`, { "data-id": line.id },
      state.editing === line.id ? edit(line) : el("div", {}, line.subject && !line.text.toLowerCase().includes(line.subject.toLowerCase()) ? el("span.soft", {}, said(line.subject), ": ") : "", said(line.text), " ", line.isPinned ? badge("pinned", "accent") : "", " ", line.isEdited ? badge("corrected", "accent") : ""),
      el("div.meta", {}, "since ", when(line.since), line.source ? el("a", { href: ctx.link("memory", { id: line.source }) }, "from this memory") : "", line.session ? saidIn(line.session, ctx) : ""),
      ctx.canWrite && !isGoing && state.editing !== line.id ? el("div.row.mid", {},
        work(line.isPinned ? "Unpin" : "Pin", async () => { await ctx.call("profile_pin", { id: line.id, isPinned: !line.isPinned }); await load(); }, { toast: ctx.toast, kind: "bare" }),
        button("Edit", () => { state.editing = line.id; draw(); room.querySelector("textarea")?.focus(); }, { kind: "bare" }),
        button("Remove", () => remove(line), { kind: "danger bare" })) : "",
      isGoing ? el("span.soft.small", {}, "is being removed …") : "");
  }

  function edit(line) {
    const text = el("textarea", { rows: "2" });
    text.value = line.text;
    const end = () => { state.editing = ""; draw(); [...room.querySelectorAll("[data-id]")].find((each) => each.dataset.id === line.id)?.querySelector("button")?.focus(); };
    return el("form", { onsubmit: (event) => { event.preventDefault(); } }, field("What the profile should say", text), el("div.row", {},
      work("Save", async () => { await ctx.call("profile_edit", { id: line.id, text: text.value }); end(); await load(); }, { toast: ctx.toast, kind: "main" }), button("Cancel", end)));
  }

  function remove(line) {
    letGo(keyOf(line), {
      words: el("span", {}, "Removing from the profile: ", said(brief(line.text, 60))),
      carryOut: () => ctx.call("profile_forget", { id: line.id }),
    });
  }

  function keyOf(line) { return `${ctx.namespace}/profile/${line.id}`; }
}

/** How much of a prompt the profile takes; told by a prompt that nobody gets. */
async function taken(ctx) {
  try {
    const preview = await ctx.call("preview_prompt", { sessionId: "inspector", prompt: "", tokenBudget: BUDGET, mode: "augment" });
    const entry = preview.receipt.ledger.find((each) => each.tranche === "profile");
    if (!entry || !entry.limit) return "";
    return el("div.card", {}, el("p", {}, `In a prompt of ${BUDGET} tokens the profile takes ${entry.tokens} of at most ${entry.limit}.`),
      bar([{ label: "taken", value: entry.tokens, kind: "c1" }, { label: "free", value: Math.max(entry.limit - entry.tokens, 0), kind: "c9" }], { total: entry.limit, label: "Tokens of the profile:" }));
  } catch {
    return ""; // the number is an extra: the lines are what matters
  }
}
