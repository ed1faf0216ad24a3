// What a person asks of the agent for good, and what has taken its place.

import { el, fill, said } from "../dom.js";
import { badge, empty, failed, when, work } from "../parts.js";
import { brief, partWishes, wishesMarkdown } from "./memory_facts.js";
import { saidIn } from "./memory_list.js";
import { keepFocus } from "./steady_list.js";

export async function openGuidance(panel, ctx, { saves }) {
  const state = { wishes: [] };
  const room = el("div");
  saves({ json: () => state.wishes, markdown: () => wishesMarkdown(state.wishes) });
  fill(panel, el("p.soft", {}, "Standing wishes to the agent, word for word. They count from the moment they were said, in every conversation of this person."), room);
  await load();
  return { changed: load };

  async function load() {
    try {
      state.wishes = (await ctx.call("list_guidance", { everything: true })).wishes;
      keepFocus(room, draw);
    } catch (error) {
      fill(room, failed(error));
    }
  }

  function draw() {
    const { current, former } = partWishes(state.wishes);
    fill(room,
      el("h3.day", {}, `Counts today (${current.length})`),
      current.length ? el("ul.list", { "aria-label": "Wishes that count" }, current.map((wish) => shown(wish))) : empty("No wish counts today.", "Whoever says ", el("code", {}, "From now on answer in German."), " to the agent finds it here."),
      former.length ? [el("h3.day", {}, `Counts no more (${former.length})`), el("ul.list", { "aria-label": "Wishes that count no more" }, former.map((wish) => shown(wish)))] : "");
  }

  function shown(wish) {
    const by = state.wishes.find((each) => each.id === wish.replacedBy);
    const isCurrent = !wish.replacedBy && !wish.removedAt;
    return el("li.card.memory", { "data-id": wish.id },
      el("p", {}, el(isCurrent ? "span" : "span.outdated", {}, said(wish.text))),
      el("div.meta", {}, "since ", when(wish.since), wish.topics.map((topic) => badge(topic, "accent")), wish.reach === "general" ? "in every prompt" : "where its subject comes up",
        wish.session ? saidIn(wish.session, ctx) : ""),
      wish.replacedBy ? el("p.soft.small", {}, "Replaced by: ", by ? said(by.text) : wish.replacedBy) : "",
      wish.removedAt ? el("p.soft.small", {}, "Removed ", when(wish.removedAt)) : "",
      isCurrent && ctx.canWrite ? work("Remove", () => remove(wish), { toast: ctx.toast, kind: "danger bare", "aria-label": `Remove: ${brief(wish.text, 40)}` }) : "");
  }

  async function remove(wish) {
    const isSure = await ctx.confirm({ title: "Let this wish count no more?", words: [said(wish.text), "What was said stays in the history. To let it count again, it has to be said again."], action: "Remove", danger: true });
    if (!isSure) return;
    await ctx.call("remove_guidance", { id: wish.id });
    ctx.toast("Removed. It counts no more.");
    await load();
  }
}
