// The same prompt just before a turn and just after it, side by side: what one turn changes, and what stays.

import { append, el, fill, said } from "../dom.js";
import { badge, bar, button, count, empty, failed, moment, note, plural, table } from "../parts.js";
import { budgetParts, sectionTitle } from "./prompt_parts.js";
import { askedForm, previewOf, readAsked, tellAsked } from "./prompt_form.js";
import { comparePrompts, firstDifference, letters } from "./shared_prefix.js";
import { windowOf } from "./text_window.js";

export async function openTurns(place, ctx, shown) {
  const asked = { ...readAsked(ctx.params), turn: ctx.params.get("turn") ?? "", at: Number(ctx.params.get("at")) || 0 };
  const form = askedForm(ctx, asked, { all: null, onsession: () => { asked.turn = ""; listTurns(); } });
  const turns = el("select", { name: "turn", onchange: suggest });
  const older = button("Older turns", () => moreTurns());
  const result = el("div.results");
  const known = new Map();
  let after = null;
  let suggested = "";
  older.hidden = true;
  fill(place,
    el("form.card", { onsubmit: (event) => { event.preventDefault(); compare(); } },
      el("p.soft.small", {}, "Choose a turn: you see what the model would have been given for the same question right before and right after it. Rules and guidance are those of today."),
      el("div.row", {}, form.nodes.session, el("label.grow", {}, "Turn", turns), older),
      el("div.row", {}, form.nodes.prompt), el("div.row", {}, form.nodes.budget, form.nodes.mode, el("button.main", { type: "submit" }, "Compare"))),
    result);
  try {
    const sessions = await form.sessions.ready;
    if (!sessions.length) { fill(result, empty("There is no session yet.", "Let a host talk to the daemon first.")); return; }
    if (!form.sessions.node.value) form.sessions.node.value = sessions[0].name;
    await listTurns();
    if (asked.turn && asked.at) await compare(); else fill(result, empty("Nothing compared yet.", "Choose a turn above."));
  } catch (error) { fill(result, failed(error)); }

  async function listTurns() {
    fill(turns);
    known.clear();
    after = null;
    await moreTurns();
    if (asked.turn && !known.has(asked.turn)) { known.set(asked.turn, { id: asked.turn, at: asked.at, text: "" }); append(turns, [el("option", { value: asked.turn }, `${moment(asked.at)} · ${asked.turn}`)]); }
    if (asked.turn) turns.value = asked.turn;
    suggest();
  }

  async function moreTurns() {
    const page = await ctx.call("list_turns", { session: form.sessions.node.value || null, limit: 50, after });
    for (const turn of page.turns) known.set(turn.id, turn);
    append(turns, page.turns.map((turn) => el("option", { value: turn.id }, `${moment(turn.at)} · ${turn.speaker || turn.role}: ${Array.from(turn.text.replaceAll(/\s+/g, " ")).slice(0, 70).join("")}`)));
    after = page.next ?? null;
    older.hidden = !after;
  }

  /** As long as nobody typed a question, what was said in the turn is the question. */
  function suggest() {
    const text = Array.from(known.get(turns.value)?.text ?? "").slice(0, 500).join("");
    if (!form.prompt.value.trim() || form.prompt.value === suggested) { suggested = text; form.prompt.value = text; }
  }

  async function compare() {
    const turn = known.get(turns.value);
    if (!turn) return;
    Object.assign(asked, form.read(), { turn: turn.id, at: turn.at });
    const to = ctx.link("prompt", { show: "turn", ...tellAsked(asked), turn: turn.id, at: String(turn.at) });
    if (to !== location.hash) history.pushState(null, "", to);
    result.setAttribute("aria-busy", "true");
    try {
      const [before, later] = await Promise.all([turn.at - 1, turn.at].map((asOf) => ctx.call("preview_prompt", { ...previewOf(asked), asOf })));
      const told = comparePrompts(before.sections, later.sections);
      shown.json = { asked, before, after: later, shared: { characters: told.characters, tokens: told.tokens, share: told.share } };
      shown.markdown = () => `# Before and after ${turn.id}\n\n${sharedInWords(told)}\n\n## Before\n\n${plain(before)}\n\n## After\n\n${plain(later)}`;
      fill(result, drawn(turn, before, later, told));
    } catch (error) { fill(result, failed(error)); }
    result.removeAttribute("aria-busy");
  }
}

const plain = (preview) => preview.sections.map((section) => section.text).join("");

function sharedInWords(told) {
  if (told.isSame) return "Both prompts are the same, character by character: this turn changes nothing of them.";
  if (!told.characters) return "The two prompts differ from their first character on.";
  return `The first ${count(told.characters)} characters are the same in both: about ${count(told.tokens)} of the later prompt's ${count(told.whole)} tokens (${Math.round(told.share * 100)} %). A model's provider that keeps what it has read needs to read only the rest.`;
}

function drawn(turn, before, after, told) {
  return [
    turn.text ? el("blockquote.card", {}, el("p.meta", {}, el("b", {}, turn.speaker || turn.role), moment(turn.at)), said(windowOf(turn.text, { most: 400 }).text, { tag: "p" })) : "",
    note("", sharedInWords(told)),
    told.isSame ? "" : bar([{ label: "the same beginning", value: told.tokens, kind: "c3" }, { label: "from the first difference on", value: Math.max(0, told.whole - told.tokens), kind: "c4" }], { label: "The later prompt in tokens:", tall: true }),
    changes(before.receipt, after.receipt),
    el("div.columns.beside", {}, column("Just before", before, told.before), column("Just after", after, told.after)),
  ];
}

/** What each part took before and after. */
function changes(before, after) {
  const [one, other] = [before, after].map((receipt) => new Map(budgetParts(receipt).parts.map((part) => [part.label, part.value])));
  const labels = [...new Set([...one.keys(), ...other.keys()])];
  const rows = labels.map((label) => [label, one.get(label) ?? 0, other.get(label) ?? 0]).filter(([, from, to]) => from || to)
    .map(([label, from, to]) => [label, count(from), count(to), from === to ? "same" : `${to > from ? "+" : "−"}${count(Math.abs(to - from))}`]);
  return el("div.card", {}, table([{ title: "Part" }, { title: "Before", isNumber: true }, { title: "After", isNumber: true }, { title: "Change", isNumber: true }], rows, { caption: "Tokens by part" }));
}

const STATES = { same: ["the same", "good"], differs: ["differs from here", "warn"], behind: ["changed", "warn"], moved: ["unchanged, but behind the difference", ""] };

function column(title, preview, sections) {
  return el("section", { "aria-label": title }, el("h3", {}, title), el("p.meta", {}, `${plural(preview.tokens, "token")} of ${count(preview.budget)}`),
    sections.length ? sections.map(section) : el("p.soft", {}, "Nothing: the prompt is empty."));
}

function section({ kind, text, tokens, state, from, isUnchanged }) {
  const [label, meant] = STATES[state === "behind" && isUnchanged ? "moved" : state];
  const node = el("details.section", { open: state === "differs", "data-state": state }, el("summary", {}, el("b", {}, sectionTitle(kind)), ` ${plural(tokens, "token")} `, badge(label, meant)));
  if (state !== "differs") return append(node, [said(text, { tag: "pre" })]);
  const cut = windowOf(text, { ranges: [firstDifference(text, from)], most: 1400 });
  return append(node, [
    from ? el("p.small.soft", {}, `The first ${count(from)} of ${count(letters(text))} characters of this part are the same; the first difference is marked.`) : "",
    said(cut.text, { ranges: cut.ranges, tag: "pre" }),
  ]);
}
