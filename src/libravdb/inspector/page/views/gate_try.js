// Try a text: what the gate would say of it, part by part. Nothing is stored.

import { el, fill, said } from "../dom.js";
import { badge, failed, field, moment, number } from "../parts.js";
import { chart } from "./gate_chart.js";
import { isKept, verdictWords } from "./gate_scores.js";
import { brief } from "./memory_facts.js";

/** The parts of a score: the letter of the handbook, the field, a name, and what it means. */
const CONVERSATION = [
  ["H", "novelty", "New", "How unlike it is to what is remembered. 1: nothing like it is known."],
  ["F", "frequency", "Said before", "How often nearly the same was said. 1: five times or more."],
  ["S", "saturation", "Known already", "How well it is remembered already. 1: three memories say it."],
  ["R", "repetition", "Said often, not yet known", "High when F is high and S is low."],
  ["D", "load", "Tells about life", "Dates, amounts, people, likings, facts about oneself."],
  ["Gconv", "conversational", "As conversation", "The score of what is just told: from H, R and D."],
];
const TECHNICAL = [
  ["P", "specificity", "Names things exactly", "Files, functions, error codes, links."],
  ["A", "action", "Something was done", "Decided, mended, released, set up."],
  ["Dtech", "detail", "Technical detail", "Definitions, data, dependencies, tests."],
  ["Gtech", "engineering", "As technical work", "The score of technical work: from P, A and D."],
];
const WHOLE = [
  ["T", "technical", "How technical it is", "0: plain talk, only Gconv counts. 1: code and commands, only Gtech counts."],
  ["G", "score", "The score", "Both together, mixed by T. This is what is held against the threshold."],
];

/** The card in which a text is tried; `judged` gives the turns among which it is shown. */
export function tryText(ctx, { judged }) {
  const text = el("textarea", { rows: "3", maxlength: "20000", placeholder: "My daughter Mia starts school in September.", required: true });
  const answer = el("div.tried", { "aria-live": "polite" });
  const form = el("form", { onsubmit: (event) => { event.preventDefault(); ask(); } },
    field("What somebody might say", text),
    el("div.row.mid", {}, el("button.main", { type: "submit" }, "Judge it"), el("span.soft.small", {}, "Nothing is stored by trying.")));
  async function ask() {
    if (!text.value.trim()) { text.focus(); return; }
    try {
      fill(answer, shown(await ctx.call("judge", { text: text.value }), judged(), ctx));
    } catch (error) {
      fill(answer, failed(error));
    }
  }
  return el("section.card", { "aria-label": "Try a text" }, el("h3", {}, "Try a text"), form, answer);
}

function shown(result, turns, ctx) {
  const { verdict } = result;
  const kept = isKept(verdict, verdict.threshold);
  return [
    el(`div.note${kept ? "" : ".warn"}`, {}, el("b", {}, said(verdictWords(verdict)))),
    chart(turns, { threshold: verdict.threshold, mark: { score: verdict.score }, height: 110, label: "Where it would stand among what was judged" }),
    el("p.soft.small", {}, "The thick mark is this text; behind it stands what was judged so far."),
    el("div.columns", {},
      el("div", {}, el("h4", {}, "Why"), el("ul", {}, verdict.reasons.map((reason) => el("li", {}, said(reason)))), found(result, ctx)),
      el("div", {}, parts("If it is conversation", verdict, CONVERSATION), parts("If it is technical work", verdict, TECHNICAL), parts("Together", verdict, WHOLE))),
  ];
}

function parts(title, verdict, rows) {
  return el("div.parts", {}, el("h4", {}, title), el("dl", {}, rows.map(([letter, key, name, words]) => {
    const full = el("span.part-bar");
    full.style.width = `${Math.min(Math.max(verdict[key], 0), 1) * 100}%`;
    return el("div", {}, el("dt", {}, el("code", {}, letter), ` ${name}`), el("dd", {}, el("span.part-track", { "aria-hidden": "true" }, full), el("b.num", {}, number(verdict[key])), el("span.soft.small", {}, words)));
  })));
}

const heading = (title, ...words) => [el("h4", {}, title), ...words];
const opened = (record, ctx) => el("a", { href: ctx.link("memory", { id: record.id }) }, moment(record.at));

/** What else the gate found in it. */
function found({ same, outdated, attributes, wishes }, ctx) {
  return [
    same ? heading("It is known already", el("p", {}, said(brief(same.text)), " ", opened(same, ctx)), el("p.soft.small", {}, "Said again, it would strengthen this memory.")) : "",
    outdated.length ? heading("It would make outdated", el("ul", {}, outdated.map((record) => el("li", {}, said(brief(record.text)), " ", opened(record, ctx))))) : "",
    attributes.length ? heading("What it states", el("ul", {}, attributes.map((each) => el("li", {}, badge(each.kind), " ", each.subject ? [said(each.subject), ": "] : "", each.name && each.name !== each.kind ? [said(each.name), " "] : "", el("b", {}, said(each.value)), each.isEnded ? el("span.soft", {}, " (no longer)") : "")))) : "",
    wishes.length ? heading("Standing wishes in it", el("ul", {}, wishes.map((wish) => el("li", {}, said(wish.text), " ", wish.topics.map((topic) => [badge(topic, "accent"), " "]), el("span.soft.small", {}, wish.isUndoing ? "takes an earlier wish back" : wish.reach === "general" ? "counts in every prompt" : "counts where its subject comes up")))))
      : "",
  ];
}

