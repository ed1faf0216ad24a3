// "Why is this not here?": something is named by its id, or found by words and chosen.

import { el, fill, said } from "../dom.js";
import { button, day, failed, field, note } from "../parts.js";
import { placeOf } from "./places.js";
import { brief, sentence } from "./text_window.js";

const OFFERED = 6;

/** The card. `ask(id)` gives the answer in words. */
export function whyNot(ctx, ask) {
  const words = el("input", { name: "words", type: "search", autocomplete: "off", placeholder: "e.g. allergy" });
  const named = el("input", { name: "id", type: "text", autocomplete: "off", spellcheck: "false", placeholder: "as any view shows it" });
  const offered = el("div");
  const answer = el("div.answer", { role: "status" });
  return el("section.card.why", {}, el("h3", {}, "Why is something not here?"),
    el("p.soft.small", {}, "Find what you miss by a few words and choose it, or name it by its id."),
    el("div.row", {},
      el("form.row.grow", { onsubmit: (event) => { event.preventDefault(); offer(); } }, field("Find it by words", words, "grow"), el("button", { type: "submit" }, "Find")),
      el("form.row.grow", { onsubmit: (event) => { event.preventDefault(); if (named.value.trim()) tell(named.value.trim(), ""); } }, field("Or by its id", named, "grow"), el("button", { type: "submit" }, "Ask"))),
    offered, answer);

  async function offer() {
    if (!words.value.trim()) return;
    fill(answer);
    try {
      const found = await ctx.call("search", { question: words.value.trim(), k: OFFERED });
      fill(offered, found.hits.length
        ? el("ul.list.offered", { "aria-label": "Which one?" }, found.hits.map((hit) => el("li", {}, el("button", { type: "button", onclick: () => tell(hit.record.id, hit.record.text) }, said(brief(hit.record.text)), el("span.soft.small", {}, ` ${placeOf(hit.record.collection).label}, ${day(hit.record.at)}`)))))
        : note("", "Nothing is remembered by these words, so it cannot stand in a prompt. Look in the timeline whether it was ever said."));
    } catch (error) { fill(offered, failed(error)); }
  }

  async function tell(id, text) {
    named.value = id;
    try {
      const told = await ask(id);
      fill(answer, note("", text ? el("p", {}, "“", said(brief(text)), "”") : "", el("b", {}, said(sentence(told))), " ", button("Close", () => fill(answer), { kind: "bare" })));
    } catch (error) { fill(answer, failed(error)); }
  }
}
