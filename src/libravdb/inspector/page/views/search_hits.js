// Hits as they are drawn: the text with what the question meets in it, the score in parts, the reasons in words.

import { el, fill, said } from "../dom.js";
import { badge, bar, button, count, id, number, when } from "../parts.js";
import { findableId, isMemory, placeOf } from "./places.js";
import { moveInWords } from "./rank_moves.js";
import { GROUPS, partsOf, strengthInWords, strengthOf } from "./score_parts.js";
import { windowOf } from "./text_window.js";

const KINDS = { up: "good", appeared: "good", down: "warn", gone: "bad", same: "" };
const STRENGTHS = { strong: "good", fair: "accent", weak: "warn", "very weak": "" };
export const STRENGTH_ABOUT = "The chance that a hit like this answers a question like this: the same scale for every question.";

/** What the colours of the bars mean. */
export const scoreKey = () => el("ul.key", { "aria-label": "What the colours of the bars mean" },
  GROUPS.map((group) => el("li", {}, el("i", { class: group.kind }), group.label)));

/** One hit. `move` tells what other settings did to it; `isBrief` folds the reasons away, where two answers stand side by side. */
export function shownHit(marked, rank, ctx, { widest, move = null, isBrief = false }) {
  const { record } = marked.hit;
  const { label, about } = placeOf(record.collection);
  const isOutdated = Boolean(marked.successor) || "outdated" in marked.hit.breakdown;
  const parts = partsOf(marked.hit.breakdown);
  const why = [reasons(marked.hit), takes(parts)];
  return el("article.card.hit", { "data-id": record.id, "data-rank": rank },
    el("div.meta", {}, el("b.rank", { title: "Rank" }, `${rank}.`), strength(marked.hit),
      move ? badge(moveInWords(move), KINDS[move.kind]) : "",
      isOutdated ? badge("outdated", "warn") : "",
      el("span", { title: about }, badge(label)), when(record.at)),
    body(record.text, marked, isOutdated),
    marked.successor ? el("p.small", {}, "Something newer holds: ", el("a", { href: ctx.link("memory", { id: marked.successor }) }, "show what replaced it")) : "",
    bar(parts.adds.map((part) => ({ ...part, text: number(part.value, 3) })), { total: widest, label: `Score ${number(marked.hit.score, 3)}:`, key: false }),
    isBrief ? el("details", {}, el("summary", {}, "Why it is here"), why) : why,
    el("details", {}, el("summary", {}, `Every number · score ${number(marked.hit.score, 3)}`), numbers(marked.hit, parts),
      el("p.small.soft", {}, "Kept in ", el("code", {}, record.collection), " as ", isMemory(record.collection) ? el("a", { href: ctx.link("memory", { id: findableId(record.collection, record.id) }) }, id(record.id)) : id(record.id))));
}

function strength(hit) {
  const value = strengthOf(hit);
  if (value === null) return el("span", { title: "It came along with another hit, so its own strength was not measured." }, badge("came along"));
  const words = strengthInWords(value);
  return el("span", { title: STRENGTH_ABOUT }, badge(`${words} · strength ${number(value)}`, STRENGTHS[words]));
}

function body(text, marked, isOutdated) {
  const given = { ranges: marked.words ?? [], passage: marked.passage ?? null };
  const told = windowOf(text, given);
  const kind = isOutdated ? "outdated" : "";
  const dressed = (what) => { const node = said(what.text, { ...what, tag: "p" }); if (kind) node.classList.add(kind); return node; };
  if (!told.isCut) return dressed(told);
  const node = el("div", {}, dressed(told), button(`Show all ${count(Array.from(text).length)} characters`, () => fill(node, dressed({ text, ...given })), { kind: "bare" }));
  return node;
}

const reasons = (hit) => el("ul.reasons", { "aria-label": "Reasons" }, hit.reasons.map((reason) => el("li", {}, said(reason))));

const TOLD = 0.9; // a factor that takes less stands among the numbers

/** What lessens a score is told in words and numbers: a bar can only show what is there. */
function takes({ takes: minus, factors }) {
  const told = [...minus.map((part) => `${part.label} −${number(-part.value, 3)}`), ...factors.filter((part) => part.value < TOLD).map((part) => `${part.label} ×${number(part.value, 3)}`)];
  return told.length ? el("p.small.soft.takes", {}, `Takes away: ${told.join(", ")}.`) : "";
}

function numbers(hit, { each, takes: minus, factors, facts }) {
  const rows = [
    ...each.map((part) => [part.label, `+${number(part.value, 3)}`]),
    ...minus.map((part) => [part.label, `−${number(-part.value, 3)}`]),
    ...factors.map((part) => [part.label, `×${number(part.value, 3)}`]),
    ["score: what orders the hits of one question", number(hit.score, 3), "sum"],
    ...(strengthOf(hit) === null ? [] : [["strength: by itself, the same scale for every question", number(strengthOf(hit), 3)]]),
    ...facts.map((part) => [part.label, number(part.value, 3), "soft"]),
  ];
  return el("dl.numbers", {}, rows.map(([label, value, kind = ""]) => el("div", { class: kind }, el("dt", {}, label), el("dd.num", {}, value))));
}
