// Documents that people wrote for their agents: their pieces by tier, what an author should look at, and what rules take of a prompt.

import { el, fill, said } from "../dom.js";
import { badge, bar, button, count, empty, failed, field, head, moment, note, pages, plural, save, work } from "../parts.js";
import { doesOf, fileName, folderOf, marksByPiece, remarksByDocument, severityWords, shareOf, tierOf, tiersOf } from "./remarks.js";

const BUDGET = 4000;
const STEP = 100;
// No session has this name: what is asked is what rules take, not what was said somewhere.
const NOBODYS_SESSION = "inspector";
const SEVERITY = { error: "bad", warning: "warn", hint: "accent" };
const TIER_KIND = { hard: "accent", soft: "good", lore: "" };
const KINDS = { contradiction: "Contradiction", duplicate: "Duplicate", vague: "Vague", budget: "Budget" };
const TIERS = ["hard", "soft", "lore"];

export default { id: "rules", title: "Rules", open };

async function open(room, ctx) {
  const shown = { documents: [], remarks: [], pieces: {}, prompt: null, doors: new Map() };
  const budget = el("div");
  const remarks = el("div.card");
  const list = el("div");
  fill(room,
    head("Rules", "What people wrote for their agents. Hard rules stand in every prompt, soft ones as far as they fit, the rest (lore) when it is relevant.",
      ...save("rules", { json: () => ({ documents: shown.documents, remarks: shown.remarks, pieces: shown.pieces, prompt: shown.prompt }), markdown: () => markdown(shown) })),
    list);
  const reveal = async (document, line) => { await shown.doors.get(document)?.(line); };
  await load();
  const asked = ctx.params.get("document");
  if (asked) await reveal(asked, Number(ctx.params.get("line") ?? 0));

  async function load() {
    shown.documents = await documentsOf(ctx);
    if (!shown.documents.length) { fill(list, nothing()); return; }
    shown.remarks = (await ctx.ask("lint_authored")).remarks;
    const opened = [...list.querySelectorAll("details.document[open]")].map((card) => card.dataset.document);
    shown.doors.clear();
    const marks = remarksByDocument(shown.remarks);
    fill(remarks, ...lint(shown.remarks, ctx, reveal));
    const documents = shown.documents.map((document) => documentCard(document, { ctx, shown, marks: marks.get(document.sourceDoc) ?? [], reveal, gone: load }));
    fill(list, el("div.columns", {}, budgetCard(budget, ctx, shown), remarks),
      el("h3.day", {}, plural(shown.documents.length, "document"), el("span.small", {}, " shared by everybody who uses this store")),
      ...documents);
    for (const card of documents) if (opened.includes(card.dataset.document)) card.open = true;
  }

  return {
    changed: async () => {
      const documents = await documentsOf(ctx).catch(() => shown.documents);
      if (JSON.stringify(documents) !== JSON.stringify(shown.documents)) await load();
    },
  };
}

/** Every document, those with rules first. */
const documentsOf = async (ctx) => (await ctx.ask("list_documents")).documents.sort((one, other) => Number(other.core) - Number(one.core));

const nothing = () => empty("Nobody wrote rules so far.",
  el("p", {}, "Give the daemon a document such as AGENTS.md. Its list items become hard rules, its quotes soft ones, and the rest is found when it is relevant:"),
  el("p", {}, el("code", {}, "libravdb authored add AGENTS.md")),
  el("p", {}, "Or keep a folder in step: ", el("code", {}, "libravdb authored watch FOLDER")));

/* ── what rules take ── */

function budgetCard(place, ctx, shown) {
  const tokens = el("input", { type: "number", min: String(STEP), step: String(STEP), value: String(BUDGET) });
  const mode = el("select", {}, el("option", { value: "augment" }, "beside what the host shows"), el("option", { value: "window" }, "with the whole conversation"));
  place.className = "shares";
  const ask = async () => {
    const tokenBudget = Math.round(Number(tokens.value));
    if (!(tokenBudget > 0)) return;
    try {
      shown.prompt = await ctx.call("preview_prompt", { sessionId: NOBODYS_SESSION, prompt: "Which rules hold?", tokenBudget, mode: mode.value });
      fill(place, ...shares(shown));
    } catch (error) {
      fill(place, failed(error));
    }
  };
  tokens.addEventListener("change", ask);
  mode.addEventListener("change", ask);
  ask();
  return el("section.card", { "aria-label": "What rules take of a prompt" }, el("h3", {}, "What rules take of a prompt"),
    el("div.row", {}, field("A prompt of so many tokens", tokens), field("made", mode)), place);
}

function shares({ prompt }) {
  const { receipt, budget, sections } = prompt;
  const left = receipt.leftOut.filter((item) => item.collection === "authored:hard" || item.collection === "authored:soft");
  const read = sections.filter((section) => section.kind === "rules");
  return [
    ...["hard", "soft"].map((tier) => share(tier, shareOf(receipt.ledger, `${tier} rules`))),
    el("p.small.soft", {}, `Together ${count(shareOf(receipt.ledger, "hard rules").tokens + shareOf(receipt.ledger, "soft rules").tokens)} of ${count(budget)} tokens. Limits come from the daemon, for just such a prompt.`),
    receipt.violations.length ? note("bad", receipt.violations.join(" ")) : "",
    left.length ? el("details", {}, el("summary", {}, `${plural(left.length, "rule")} had no room`), el("ul", {}, left.slice(0, 50).map((item) => el("li.small", {}, item.id, ": ", item.reason)))) : "",
    read.length ? el("details", {}, el("summary", {}, "As the model reads them"), el("div.as-read", { tabindex: "0", role: "region", "aria-label": "Rules as the model reads them" }, read.map((section) => said(section.text, { tag: "p" })))) : "",
  ];
}

function share(tier, { tokens, limit }) {
  const words = limit ? `${count(tokens)} of at most ${count(limit)} tokens` : `${plural(tokens, "token")}`;
  return el("div.share", {}, el("div.meta", {}, badge(tier, TIER_KIND[tier]), el("b.num", {}, words)),
    bar([{ label: `${tier} rules`, value: tokens, kind: tier === "hard" ? "c1" : "c3", text: words }], { total: Math.max(limit, tokens, 1), key: false }));
}

/* ── what to look at ── */

function lint(remarks, ctx, reveal) {
  const title = el("h3", {}, "What to look at ");
  if (!remarks.length) return [title, el("p.soft", {}, badge("all well", "good"), " No contradictions, nothing said twice, nothing vague.")];
  const list = pages({
    label: "Remarks",
    load: async (after) => { const from = after ?? 0; return { items: remarks.slice(from, from + 20), next: from + 20 < remarks.length ? from + 20 : null }; },
    show: (remark) => remarkNode(remark, ctx, reveal),
    nothing: () => "",
  });
  return [title, el("p.soft", {}, severityWords(remarks)), list.node];
}

function remarkNode(remark, ctx, reveal) {
  const isSame = new Set(remark.places.map((place) => place.text)).size === 1;
  return el(`div.remark.${remark.severity}`, {}, el("div", {}, badge(remark.severity, SEVERITY[remark.severity]), " ", el("b", {}, KINDS[remark.kind] ?? remark.kind), el("span.soft", {}, `: ${plainly(remark)}`)),
    isSame ? el("p", {}, el("q", {}, said(remark.places[0].text)), remark.places.map((place) => [" ", placeLink(place, ctx, reveal)]))
      : el("ul.places", {}, remark.places.map((place) => el("li", {}, el("q", {}, said(place.text)), " ", placeLink(place, ctx, reveal)))));
}

/** The message without the places that it names: they stand below it. */
const plainly = (remark) => remark.places.reduce((words, place) => words.replace(` (${place.sourceDoc}:${place.line})`, ""), remark.message);

const placeLink = (place, ctx, reveal) => el("a", {
  href: ctx.link("rules", { document: place.sourceDoc, line: String(place.line) }), title: place.sourceDoc,
  onclick: (event) => { if (event.ctrlKey || event.metaKey || event.shiftKey) return; event.preventDefault(); reveal(place.sourceDoc, place.line); },
}, `${fileName(place.sourceDoc)}, line ${place.line}`);

/* ── documents ── */

function documentCard(document, { ctx, shown, marks, reveal, gone }) {
  const name = fileName(document.sourceDoc);
  const body = el("div");
  const serious = marks.filter((mark) => mark.remark.severity !== "hint").length;
  const card = el("details.card.document", { "data-document": document.sourceDoc, ontoggle: () => { if (card.open) loaded(); } },
    el("summary", {}, el("b", {}, name), " ", document.core ? badge("core", "accent") : badge("notes"), " ",
      marks.length ? badge(plural(marks.length, "remark"), serious ? "warn" : "") : "",
      el("span.meta", {}, el("span", {}, plural(document.nodes, "piece")), document.hardTokens ? el("span", {}, `hard: ${plural(document.hardTokens, "token")}`) : "", document.softTokens ? el("span", {}, `soft: ${plural(document.softTokens, "token")}`) : "", el("span", {}, folderOf(document.sourceDoc)))),
    el("div.meta", {}, el("span", {}, `read ${moment(document.at)}`), el("code", {}, document.sourceDoc),
      ctx.isAdmin ? work("Withdraw …", () => withdraw(document, ctx, gone), { kind: "danger", toast: ctx.toast }) : ""),
    document.core ? "" : el("p.small.soft", {}, "No core document: nothing in it is a rule, all of it is found when it is relevant."),
    body);
  let reading = null;
  function loaded() {
    if (!reading) fill(body, el("p.soft", {}, "Loading …"));
    reading ??= ctx.ask("list_nodes", { sourceDoc: document.sourceDoc }).then(({ records }) => {
      shown.pieces[document.sourceDoc] = records;
      return pieceList(body, records, marksByPiece(records, marks), ctx, reveal);
    }).catch((error) => { reading = null; fill(body, failed(error)); return null; });
    return reading;
  }
  shown.doors.set(document.sourceDoc, async (line) => {
    card.open = true;
    (await loaded())?.(line);
  });
  return card;
}

async function withdraw(document, ctx, gone) {
  const name = fileName(document.sourceDoc);
  const isSure = await ctx.confirm({ title: `Withdraw ${name}?`, danger: true, action: "Withdraw", name,
    words: [`All ${plural(document.nodes, "piece")} of it leave memory, for everybody, and its rules no longer stand in prompts.`, "The file itself stays as it is; 'libravdb authored add' brings it back."] });
  if (!isSure) return;
  const { records } = await ctx.ask("withdraw", { sourceDoc: document.sourceDoc });
  ctx.toast(`${name} is withdrawn: ${plural(records, "piece")} gone.`);
  await gone();
}

/** The pieces of a document in their order, of all tiers or one; gives a function that shows the piece at a line. */
function pieceList(place, records, marks, ctx, reveal) {
  const tally = tiersOf(records);
  const list = el("div");
  const choices = ["all", ...TIERS].map((tier) => button(tier === "all" ? `All ${count(records.length)}` : `${tier} ${count(tally[tier].pieces)}`, () => choose(tier), { "aria-pressed": "false", disabled: tier !== "all" && !tally[tier].pieces, "data-tier": tier }));
  fill(place, el("div.row.mid", { role: "group", "aria-label": "Which pieces" }, choices), list);
  const draw = (chosen, upTo) => {
    const made = pages({
      label: "Pieces in the order of the document",
      load: async (after) => { const from = after ?? 0; const to = Math.max(from + 100, upTo); return { items: chosen.slice(from, to), next: to < chosen.length ? to : null }; },
      show: (record) => piece(record, marks.get(record.id) ?? [], ctx, reveal),
      nothing: () => "",
    });
    fill(list, made.node);
    return made.ready;
  };
  function choose(tier, upTo = 0) {
    for (const each of choices) each.setAttribute("aria-pressed", String(each.dataset.tier === tier));
    return draw(tier === "all" ? records : records.filter((record) => tierOf(record) === tier), upTo);
  }
  choose("all");
  return async (line) => {
    const place = records.findLastIndex((record) => record.metadata.line <= line);
    await choose("all", place + 1);
    const found = [...list.querySelectorAll("[data-line]")][Math.max(0, place)];
    found?.scrollIntoView({ block: "center" });
    found?.focus({ preventScroll: true });
  };
}

function piece(record, marks, ctx, reveal) {
  const tier = tierOf(record);
  const { line, token_estimate: tokens, tier_reason: reason, context = [] } = record.metadata;
  return el(`li.piece.of-${tier}`, { "data-line": String(line), tabindex: "-1" },
    el("div.meta", {}, el("span.num", {}, `line ${line}`), badge(tier, TIER_KIND[tier]), el("span", {}, plural(tokens ?? 0, "token")), doesOf(record).map((word) => badge(word)), el("span", { title: "why it is of this tier" }, reason)),
    context.length ? el("p.small.soft", {}, "under ", said(context.join(" › "))) : "",
    said(record.text, { tag: "p" }),
    marks.map(({ remark, others }) => el("div.small.mark-line", {}, badge(remark.severity, SEVERITY[remark.severity]), ` ${KINDS[remark.kind] ?? remark.kind}: `, others.length ? others.map((place) => [placeLink(place, ctx, reveal), " ", el("q", {}, said(place.text)), " "]) : remark.message)));
}

/* ── to take along ── */

function markdown({ documents, remarks, pieces }) {
  const words = ["# Rules", ""];
  for (const document of documents) {
    words.push(`## ${document.sourceDoc}`, "", `${document.core ? "Core document" : "Notes"}, ${plural(document.nodes, "piece")}, ${document.hardTokens} tokens of hard rules, ${document.softTokens} of soft ones.`, "");
    for (const record of pieces[document.sourceDoc] ?? []) words.push(`- line ${record.metadata.line} (${tierOf(record)}): ${record.text.replaceAll("\n", "\n  ")}`);
    words.push("");
  }
  words.push("## What to look at", "", ...(remarks.length ? remarks.map((remark) => `- ${remark.severity}: ${remark.message} (${remark.kind})`) : ["Nothing."]), "");
  return words.join("\n");
}
