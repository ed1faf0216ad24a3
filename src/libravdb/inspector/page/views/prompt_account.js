// The account of one prompt: the budget, what stands in it and why, what was left out and why.

import { append, el, fill, said } from "../dom.js";
import { badge, bar, button, count, id, note, number, plural } from "../parts.js";
import { findableId, isMemory, placeOf } from "./places.js";
import { budgetParts, itemGroups, leftOutGroups, outcomeOf, sectionTitle } from "./prompt_parts.js";
import { sentence, windowOf } from "./text_window.js";

const AT_ONCE = 12;
const OPEN = ["recall", "guidance"]; // what depends on the question is what people come for

/** All of it but the text of the prompt. `texts` reads the words behind ids. */
export function account(receipt, ctx, texts) {
  return [
    notices(receipt),
    el("section.card", {}, el("h3", {}, "The budget"), budget(receipt)),
    el("div.columns", {},
      el("section", {}, el("h3.gap", {}, "What stands in it, and why"), standing(receipt, ctx, texts)),
      el("section", {}, el("h3.gap", {}, "What was left out, and why"), leftOut(receipt, ctx, texts))),
  ];
}

function notices(receipt) {
  return [
    receipt.violations?.length ? note("bad", el("b", {}, "Something is broken: "), receipt.violations.join("; "), ". Please report it.") : "",
    receipt.outcome === "degraded" ? note("bad", el("b", {}, "The rules and the last turns alone need more than the budget. "), "They stand there whole, everything else is left out. Give it a larger budget, or shorten the hard rules.") : "",
    receipt.outcome === "partial" ? note("warn", "A long task did not fit whole: its first message and its last steps stand there.") : "",
    receipt.degraded ? note("warn", el("b", {}, "Search was reduced. "), sentence(receipt.degraded)) : "",
    receipt.silence ? note("warn", el("b", {}, "Memory stayed silent. "), sentence(receipt.silence)) : "",
  ];
}

export function budget(receipt) {
  const { parts, total, over } = budgetParts(receipt);
  const share = receipt.budget ? Math.round((receipt.tokens / receipt.budget) * 100) : 0;
  const [words, kind] = outcomeOf(receipt.outcome);
  return [
    el("p.meta", {}, badge(words, kind), el("span", {}, el("b.num", {}, count(receipt.tokens)), ` of ${count(receipt.budget)} tokens (${share} %)`),
      el("span", {}, `${receipt.mode} mode`), over ? badge(`${count(over)} over the budget`, "bad") : "",
      receipt.hostTokens ? el("span", {}, `the host shows ${count(receipt.hostTokens)} more on its own account`) : ""),
    bar(parts, { total, label: "The budget in tokens:", tall: true }),
    receipt.reasons?.length ? el("ul.reasons", {}, receipt.reasons.map((reason) => el("li", {}, said(reason)))) : "",
  ];
}

function standing(receipt, ctx, texts) {
  const groups = itemGroups(receipt);
  if (!groups.length) return el("p.soft", {}, "Nothing: there was nothing to say, or no room for it.");
  return groups.map((group) => folded({
    title: [el("span.key", {}, el("i", { class: group.kind })), el("b", {}, group.label), ` ${plural(group.items.length, "item")}, ${plural(group.tokens, "token")}`, group.name === "tail" || group.name === "host" ? "" : el("span.soft", {}, ` of at most ${count(group.limit)}`)],
    isOpen: OPEN.includes(group.name),
    items: group.items,
    show: (item) => shownItem(item, ctx, texts),
  }));
}

function leftOut(receipt, ctx, texts) {
  const groups = leftOutGroups(receipt);
  if (!groups.length) return el("p.soft", {}, "Nothing was left out.");
  return groups.map((group) => folded({
    title: [el("b", {}, group.label), ` ${plural(group.items.length, "item")}`],
    isOpen: false,
    items: group.items,
    show: (one) => shownItem(one, ctx, texts),
  }));
}

/** A group that opens on request; its items, and the words behind them, are made when they are first seen. */
function folded({ title, isOpen, items, show }) {
  const list = el("ul.list.items");
  const more = el("div");
  let made = 0;
  const grow = () => {
    append(list, items.slice(made, made + AT_ONCE).map(show));
    made = Math.min(items.length, made + AT_ONCE);
    fill(more, made < items.length ? button(`Show ${count(Math.min(AT_ONCE, items.length - made))} more of ${count(items.length)}`, grow) : "");
  };
  const node = el("details.card.group", { open: isOpen, ontoggle: () => { if (node.open && !made) grow(); } }, el("summary", {}, title), list, more);
  if (isOpen) grow();
  return node;
}

function shownItem(item, ctx, texts) {
  const { label, about } = placeOf(item.collection);
  const words = el("div.words", {}, el("span.soft", {}, "Reading …"));
  texts.text(item.id, item.collection).then((text) => fill(words, text ? said(windowOf(text, { most: 360 }).text) : el("span.soft", {}, "Its text is not kept any more, or stands under another id.")));
  return el("li", { "data-id": item.id }, words,
    el("p.meta", {}, el("span", { title: about }, badge(label)), item.tokens === undefined ? "" : el("span.num", {}, plural(item.tokens, "token")),
      item.score ? el("span.num", {}, `score ${number(item.score)}`) : "", item.breakdown?.strength === undefined ? "" : el("span.num", {}, `strength ${number(item.breakdown.strength)}`),
      isMemory(item.collection) ? el("a", { href: ctx.link("memory", { id: findableId(item.collection, item.id, texts.session) }) }, id(item.id)) : id(item.id)),
    el("p.small.soft", {}, (item.reasons ?? [item.reason]).filter(Boolean).map((reason, place) => [place ? "; " : "", said(reason)])));
}

/* ── the text ── */

/** The text itself, section by section, as the model reads it. */
export function sectionsOf(sections) {
  if (!sections.length) return el("p.soft", {}, "The prompt is empty: memory adds nothing here.");
  return sections.map((section) => el("details.section", { "data-kind": section.kind }, el("summary", {}, el("b", {}, sectionTitle(section.kind)), ` ${plural(section.tokens, "token")}`, section.isCharged ? "" : " · on the host's account"), said(section.text, { tag: "pre" })));
}
