// Prompts: what the model was given, or would be given; where the budget went, and why something is not there.

import { el, fill, said } from "../dom.js";
import { badge, bar, button, count, empty, failed, field, head, note, pages, plural, save, when } from "../parts.js";
import { account, sectionsOf } from "./prompt_account.js";
import { askedForm, previewOf, readAsked, tellAsked } from "./prompt_form.js";
import { leadingShare, outcomeOf, sectionTitle } from "./prompt_parts.js";
import { openTurns } from "./prompt_turns.js";
import { whyNot } from "./prompt_why.js";
import { recordTexts } from "./record_texts.js";
import { sessionSelect } from "./session_select.js";
import { brief } from "./text_window.js";

const ROOMS = [["stored", "Prompts that were made"], ["preview", "Try one"], ["turn", "Before and after a turn"]];
const LOOKED_BACK = 100; // receipts of a session among which the one before is looked for

export default { id: "prompt", title: "Prompt", open };

async function open(room, ctx) {
  const show = ROOMS.find(([name]) => name === ctx.params.get("show"))?.[0] ?? "stored";
  const shown = { json: null, markdown: () => "" };
  const place = el("div");
  fill(room,
    head("Prompt", "What the model is given for a question: where the budget went, why each thing stands there, and why others do not.",
      ...save(`prompt-${ctx.namespace}`, { json: () => shown.json, markdown: () => shown.markdown() })),
    el("nav.kinds", { "aria-label": "Kinds of prompts" }, ROOMS.map(([name, title]) => el("a", { href: ctx.link("prompt", { show: name }), "aria-current": name === show ? "page" : null }, title))),
    place);
  if (show === "preview") return openPreview(place, ctx, shown);
  if (show === "turn") { await openTurns(place, ctx, shown); return {}; }
  const receipt = ctx.params.get("receipt") ?? "";
  if (receipt) { await openReceipt(place, ctx, receipt, shown); return {}; }
  return openList(place, ctx, shown);
}

/* ── those that were made ── */

async function openList(place, ctx, shown) {
  const session = ctx.params.get("session") ?? "";
  const sessions = sessionSelect(ctx, session, { onchange: () => ctx.go("prompt", sessions.node.value ? { session: sessions.node.value } : {}) });
  const fresh = el("div", { role: "status" });
  const list = el("div.results");
  let made;
  fill(place, el("div.card.row", {}, field("Session", sessions.node)), fresh, list);
  sessions.ready.catch(() => undefined);
  await load();

  async function load() {
    made = pages({
      label: "Prompts",
      load: async (after) => { const page = await ctx.call("list_receipts", { session: session || null, limit: 30, after }); return { items: page.receipts, next: page.next ?? null }; },
      show: (receipt) => row(receipt, ctx),
      nothing: () => empty(session ? "No prompt was made in this session." : "No prompt was made so far.", "A host asks for one at each turn. ", el("a", { href: ctx.link("prompt", { show: "preview", ...(session ? { session } : {}) }) }, "Try one here"), ": nothing is kept of it."),
    });
    shown.json = made.items;
    shown.markdown = () => made.items.map((receipt) => `- ${new Date(receipt.at).toISOString()} ${receipt.session}: ${receipt.prompt.replaceAll("\n", " ")} (${receipt.tokens}/${receipt.budget} tokens, ${receipt.outcome})`).join("\n");
    fill(list, made.node);
    await made.ready;
  }

  return {
    changed: async () => {
      const page = await ctx.call("list_receipts", { session: session || null, limit: 1 }).catch(() => null);
      if (!page?.receipts.length || page.receipts[0].id === made.items[0]?.id) return;
      if (window.scrollY < 200) { await load(); return; }
      fill(fresh, note("", "A new prompt was made. ", button("Show it", async () => { fill(fresh); await load(); window.scrollTo(0, 0); })));
    },
  };
}

function row(receipt, ctx) {
  const [words, kind] = outcomeOf(receipt.outcome);
  return el("article.card.receipt", { "data-id": receipt.id },
    el("div.meta", {}, when(receipt.at), el("span", {}, receipt.session), badge(words, kind), receipt.silence ? el("span", { title: receipt.silence }, badge("memory stayed silent", "warn")) : ""),
    el("p", {}, el("a", { href: ctx.link("prompt", { receipt: receipt.id, session: receipt.session }) }, receipt.prompt.trim() ? said(brief(receipt.prompt, 180)) : "A prompt without a question")),
    bar([{ label: "spent", value: receipt.tokens, kind: "c1" }, { label: "free", value: Math.max(0, receipt.budget - receipt.tokens), kind: "c9" }], { label: "Tokens:", key: false }),
    el("div.meta", {}, `${count(receipt.tokens)} of ${count(receipt.budget)} tokens`, el("span", {}, `${plural(receipt.items, "thing")} in it, ${count(receipt.leftOut)} left out`),
      el("span", { title: "How much of it is the unchanged beginning of the prompt before" }, `begins like the one before: ${plural(receipt.leadingTokens, "token")}`)));
}

async function openReceipt(place, ctx, id, shown) {
  fill(place, el("p.wait", {}, "Loading …"));
  const told = await ctx.call("explain", { receipt: id });
  const { receipt } = told;
  shown.json = told;
  shown.markdown = () => [`# ${told.prompt}`, ...told.words].join("\n");
  const before = el("p");
  fill(place,
    el("p", {}, el("a", { href: ctx.link("prompt", told.session ? { session: told.session } : {}) }, "← All prompts of this session")),
    el("div.card", {}, el("p.meta", {}, when(told.at), told.session), told.prompt.trim() ? said(told.prompt, { tag: "p" }) : el("p.soft", {}, "No question was asked."), before),
    account(receipt, ctx, recordTexts(ctx, told.session), whyNot(ctx, async (asked) => (await ctx.call("why_not", { id: asked, receipt: id })).answer)),
    replayed(ctx, id, told));
  fill(before, leadingInWords(receipt, null, ctx));
  const previous = await previousOf(told, ctx);
  if (previous) fill(before, leadingInWords(receipt, previous, ctx));
}

/** The prompt before in the same session, if it is among the last ones. */
async function previousOf(told, ctx) {
  if (!told.session) return null;
  const page = await ctx.call("list_receipts", { session: told.session, limit: LOOKED_BACK }).catch(() => ({ receipts: [] }));
  const place = page.receipts.findIndex((each) => each.id === told.id);
  return place < 0 ? null : page.receipts[place + 1] ?? null;
}

function leadingInWords(receipt, previous, ctx) {
  const share = Math.round(leadingShare(receipt) * 100);
  const one = previous ? el("a", { href: ctx.link("prompt", { receipt: previous.id, session: previous.session }) }, "the prompt before") : "the prompt before";
  return el("span.small", {}, share === 100 ? ["All of it is the same as ", one, ": a provider that keeps what it has read has nothing new to read."] : receipt.leadingTokens
    ? ["The first ", el("b.num", {}, `${plural(receipt.leadingTokens, "token")} (${share} %)`), " are the same as in ", one, ": a provider that keeps what it has read needs to read only the rest."]
    : ["It shares no beginning with ", one, previous ? "." : ", or it is the first of its session."]);
}

/** The text of a receipt is not kept: it is made again as of that moment, and proven part by part. */
function replayed(ctx, id, told) {
  const result = el("div");
  const node = el("details.card", { ontoggle: () => { if (node.open && !result.hasChildNodes()) make(); } }, el("summary", {}, "The text itself, made again as of that moment"), result);
  async function make() {
    fill(result, el("p.soft", {}, "Looking …"));
    try {
      const again = await ctx.call("replay", { receipt: id, sessionId: told.session });
      fill(result,
        note(again.isSame ? "" : "warn", again.isSame ? "All of it came out with the same bytes." : "Not all of it comes out the same today:", again.isSame ? "" : el("ul", {}, again.words.map((words) => el("li", {}, said(words))))),
        el("ul.key", { "aria-label": "Parts" }, again.sections.map((section) => el("li", {}, `${sectionTitle(section.kind)} `, badge(...proof(section))))),
        [["In the system prompt: rules and profile", again.rules], ["Before the conversation: summaries and recent turns", again.opening], ["Next to the question: guidance and memories", again.closing]]
          .filter(([, text]) => text).map(([title, text]) => el("details.section", {}, el("summary", {}, el("b", {}, title), ` ${plural(text.length, "character")}`), said(text, { tag: "pre" }))));
    } catch (error) { fill(result, failed(error)); }
  }
  return node;
}

function proof(section) {
  if (section.isProven) return ["proven", "good"];
  if (section.isProven === false) return ["cannot be proven", "warn"];
  return section.isChosenAgain ? ["comes out again", "good"] : ["differs today", "warn"];
}

/* ── one that would be made ── */

async function openPreview(place, ctx, shown) {
  const asked = readAsked(ctx.params);
  const form = askedForm(ctx, asked, { all: "A new conversation" });
  const fresh = el("div.told", { role: "status" });
  const result = el("div.results");
  fill(place,
    el("form.card", { onsubmit: (event) => { event.preventDefault(); Object.assign(asked, form.read()); keep(); make(); } },
      el("div.row", {}, form.nodes.prompt), el("div.row", {}, form.nodes.session, form.nodes.budget, form.nodes.mode, el("button.main", { type: "submit" }, "Make it")),
      el("p.soft.small", {}, "Nothing is kept of it: no receipt, no counts. The next prompt of a host comes out the same.")),
    fresh, result);
  form.sessions.ready.catch(() => undefined);
  if (asked.prompt || asked.session) await make();
  else fill(result, empty("What would the model be given?", "Choose a session and type a question, then make it."));

  function keep() {
    const to = ctx.link("prompt", { show: "preview", ...tellAsked(asked) });
    if (to !== location.hash) history.pushState(null, "", to);
  }

  async function make() {
    fill(fresh);
    result.setAttribute("aria-busy", "true");
    try {
      const preview = await ctx.call("preview_prompt", previewOf(asked));
      shown.json = { asked, preview };
      shown.markdown = () => [`# ${asked.prompt}`, ...preview.words, "", ...preview.sections.map((section) => section.text)].join("\n");
      fill(result,
        account(preview.receipt, ctx, recordTexts(ctx, asked.session), whyNot(ctx, async (id) => (await ctx.call("preview_prompt", { ...previewOf(asked), whyNot: id })).whyNot)),
        el("section.card", {}, el("h3", {}, "The text itself"), sectionsOf(preview.sections)));
    } catch (error) { fill(result, failed(error)); }
    result.removeAttribute("aria-busy");
  }

  return { changed: () => { if (shown.json) fill(fresh, note("", "Memory has changed since. ", button("Make it again", make))); } };
}
