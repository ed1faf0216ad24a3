// The search lab: what a question finds and why, and what other settings would do to it.

import { el, fill } from "../dom.js";
import { button, count, day, empty, failed, field, head, note, number, plural, save } from "../parts.js";
import { compareRanks, movesInWords, nameOf } from "./rank_moves.js";
import { strengthOf, widest } from "./score_parts.js";
import { scoreKey, shownHit } from "./search_hits.js";
import { settingsPanel } from "./search_settings.js";
import { sessionSelect } from "./session_select.js";
import { changedSettings, readSettings, tellSettings } from "./settings_diff.js";
import { sentence } from "./text_window.js";

const EXAMPLES = ["Where do I live?", "What do I do for work?", "What do I like to eat?", "Who is in my family?", "What did I plan for this month?", "How should you answer me?"];
const USUAL = 10;
const PAUSE = 250; // milliseconds without a further change before settings are tried

export default { id: "search", title: "Search", open };

async function open(room, ctx) {
  const asked = { question: ctx.params.get("q") ?? "", session: ctx.params.get("session") ?? "", k: Number(ctx.params.get("k")) || USUAL, chosen: readSettings(ctx.params.get("set")) };
  const shown = { answer: null, told: "" };
  let settings = [];
  let asking = null;
  let waiting = 0;

  const question = el("input", { name: "q", type: "search", value: asked.question, maxlength: "4000", placeholder: "Ask as you would ask your agent", autocomplete: "off" });
  const sessions = sessionSelect(ctx, asked.session, { all: "No session: all that is remembered", onchange: submit });
  const many = el("input", { name: "k", type: "number", min: "1", max: "100", value: String(asked.k), onchange: submit });
  const status = el("div.told", { role: "status" });
  const results = el("div.results");
  const panel = el("div.tuned", { class: Object.keys(asked.chosen).length ? "open" : "" });
  fill(room,
    head("Search lab", "What a question finds, how strong each hit is, and why. Change settings and see what they would do, without saving anything.",
      ...save(`search-${ctx.namespace}`, { json: () => ({ ...asked, answer: shown.answer }), markdown: () => markdown(asked, shown.answer) })),
    el("form.card.row", { role: "search", onsubmit: (event) => { event.preventDefault(); submit(); } },
      field("Question", question, "grow"), field("As asked in", sessions.node), field("Hits", many, "short"), el("button.main", { type: "submit" }, "Search")),
    panel, status, results);

  sessions.ready.catch(() => undefined); // the question can be asked without
  const known = ctx.ask("recall_settings").then((page) => {
    settings = page.settings.filter((setting) => setting.name !== "k"); // the field beside the question tells it
    fill(panel, settingsPanel(settings, asked.chosen, retry).node);
  }, (error) => fill(panel, failed(error)));
  if (asked.question) { fill(results, el("p.wait", {}, "Looking …")); await known; await ask(); } else { await Promise.all([known, invite()]); }

  return {
    changed: () => { if (asked.question) look(); },
    close: () => { clearTimeout(waiting); asking?.abort(); },
  };

  function submit() {
    Object.assign(asked, { question: question.value.trim(), session: sessions.node.value, k: Math.min(100, Math.max(1, Math.round(Number(many.value)) || USUAL)) });
    many.value = String(asked.k);
    keep("pushState");
    if (asked.question) ask(); else { fill(status); invite(); }
  }

  /** Settings moved: wait until they rest, then try them. */
  function retry() {
    keep("replaceState");
    clearTimeout(waiting);
    if (asked.question) waiting = setTimeout(ask, PAUSE);
  }

  /** The address tells what is asked, so that a link shows the same. */
  function keep(how) {
    const told = { q: asked.question, session: asked.session, k: asked.k === USUAL ? "" : String(asked.k), set: tellSettings(changedSettings(settings, asked.chosen)) };
    const to = ctx.link("search", Object.fromEntries(Object.entries(told).filter(([, value]) => value)));
    if (to !== location.hash) history[how](null, "", to);
  }

  function fetched() {
    asking?.abort();
    asking = new AbortController();
    return ctx.call("try_search", { question: asked.question, session: asked.session || null, k: asked.k, settings: changedSettings(settings, asked.chosen) }, { signal: asking.signal });
  }

  async function ask() {
    results.setAttribute("aria-busy", "true");
    try {
      shown.answer = await fetched();
      shown.told = JSON.stringify(shown.answer);
      draw();
    } catch (error) {
      if (error.name === "AbortError") return;
      fill(status);
      fill(results, failed(error));
    }
    results.removeAttribute("aria-busy");
  }

  /** Something changed: look whether the answer did, and offer it without moving what is being read. */
  async function look() {
    try {
      const answer = await fetched();
      if (JSON.stringify(answer) === shown.told) return;
      fill(status, note("", "Memory has changed, and so has this answer. ", button("Show it", () => { shown.answer = answer; shown.told = JSON.stringify(answer); draw(); })));
    } catch { /* the next question tells what is wrong */ }
  }

  function draw() {
    const { usual, tried } = shown.answer;
    const most = Math.max(widest(usual.hits.map(hitOf)), widest((tried?.hits ?? []).map(hitOf)));
    if (!tried) {
      fill(status, summary(usual));
      fill(results, found(usual, ctx, { widest: most }));
      return;
    }
    const { moves, told } = compareRanks(usual.hits, tried.hits);
    fill(status, note("", el("b", {}, "With your changes: "), movesInWords(told)));
    fill(results, scoreKeyOf(usual, tried), el("div.columns.beside", {},
      el("section", { "aria-label": "As configured" }, el("h3", {}, "As configured"), silence(usual), list(usual, ctx, { widest: most, isBrief: true, moveOf: (marked) => { const move = moves.get(nameOf(marked)); return move.kind === "gone" ? move : null; } })),
      el("section", { "aria-label": "With your changes" }, el("h3", {}, "With your changes"), silence(tried), list(tried, ctx, { widest: most, isBrief: true, moveOf: (marked) => moves.get(nameOf(marked)) }))));
  }

  /** Questions to begin with: those that were asked lately, else some that fit most people. */
  async function invite() {
    const lately = await ctx.call("list_receipts", { limit: 30 }).then((page) => [...new Set(page.receipts.map((receipt) => receipt.prompt.trim()))].filter((prompt) => prompt && prompt.length <= 120).slice(0, 5), () => []);
    const offered = (title, questions) => (questions.length ? el("div", {}, el("h3.soft.small", {}, title), el("div.row.mid.examples", {}, questions.map((each) => button(each, () => { question.value = each; submit(); })))) : "");
    if (asked.question) return; // somebody was faster
    fill(results, el("div.empty.invite", {}, el("b", {}, "Ask something"), "You see what memory would find, in which order, and what speaks for each hit.",
      offered("Asked lately", lately), offered("Or try", EXAMPLES)));
  }
}

const hitOf = (marked) => marked.hit;

const summary = (answer) => (answer.hits.length ? el("p.soft", {}, `${plural(answer.hits.length, "hit")}, the best first.`) : "");

const scoreKeyOf = (...answers) => (answers.some((answer) => answer.hits.length) ? el("div.scorekey", {}, el("span.soft.small", {}, "The bars: what speaks for each hit. Longer is better."), scoreKey()) : "");

function found(answer, ctx, options) {
  return [silence(answer), scoreKeyOf(answer), list(answer, ctx, { ...options, moveOf: () => null })];
}

/** Why a prompt would show nothing of it, and how search was reduced. */
function silence(answer) {
  return [
    answer.degraded ? note("warn", el("b", {}, "Search is reduced. "), sentence(answer.degraded)) : "",
    answer.silence ? note("warn", el("b", {}, "A prompt would stay silent here. "), sentence(answer.silence), answer.hits.length ? el("span", {}, " What was found all the same:") : "") : "",
  ];
}

function list(answer, ctx, { widest: most, moveOf, isBrief = false }) {
  if (!answer.hits.length) return empty("Nothing was found.", "Ask with other words, or look in the timeline whether it was ever said.");
  return el("ol.list.hits", { "aria-label": "Hits" }, answer.hits.map((marked, index) => el("li", {}, shownHit(marked, index + 1, ctx, { widest: most, move: moveOf(marked), isBrief }))));
}

function markdown(asked, answer) {
  if (!answer) return "Nothing was asked.";
  const told = (title, each) => [`## ${title}`, each.silence ? `A prompt would stay silent: ${each.silence}` : "",
    ...each.hits.map(({ hit }, index) => `${count(index + 1)}. ${hit.record.text.replaceAll("\n", "\n   ")}\n   - ${day(hit.record.at)}, score ${number(hit.score, 3)}${strengthOf(hit) === null ? "" : `, strength ${number(strengthOf(hit))}`}, ${hit.record.collection}/${hit.record.id}\n${hit.reasons.map((reason) => `   - ${reason}`).join("\n")}`)].filter(Boolean).join("\n");
  const changes = tellSettings(asked.chosen);
  return [`# ${asked.question}`, told("As configured", answer.usual), answer.tried ? told(`With ${changes}`, answer.tried) : ""].filter(Boolean).join("\n\n");
}
