// Choose another memory by searching for it: the one that makes this one outdated.

import { el, fill, said } from "../dom.js";
import { badge, button, failed, field, moment } from "../parts.js";
import { brief } from "./memory_facts.js";

const MOST = 8;

export function picker(ctx, { without, choose }) {
  const words = el("input", { type: "search", autocomplete: "off", placeholder: "I moved to Linz" });
  const found = el("ul.list", { "aria-label": "Memories found", "aria-live": "polite" });
  const form = el("form.row", { onsubmit: (event) => { event.preventDefault(); search(); } }, field("Find the newer memory", words, "grow"), el("button", { type: "submit" }, "Find"));
  return el("details.picker", {}, el("summary", {}, "It is outdated: choose the memory that replaces it"), form, found);

  async function search() {
    if (!words.value.trim()) return;
    try {
      const answer = await ctx.call("search", { question: words.value, scopes: ["durable"], k: MOST + without.length, isQuiet: true });
      const others = answer.hits.map((hit) => hit.record).filter((record) => !without.includes(record.id)).slice(0, MOST);
      fill(found, others.length ? others.map(row) : el("li.soft", {}, "No other memory was found by these words."));
    } catch (error) {
      fill(found, el("li", {}, failed(error)));
    }
  }

  function row(record) {
    return el("li.small-row", { "data-id": record.id }, el("div", {}, said(brief(record.text, 200)), el("span.soft.small", {}, ` ${moment(record.at)} `), record.metadata.superseded_by ? badge("outdated", "warn") : ""),
      button("This one replaces it", () => choose(record), { "aria-label": `This one replaces it: ${brief(record.text, 40)}` }));
  }
}
