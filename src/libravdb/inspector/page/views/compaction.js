// What of a session is folded into summaries, what stands word for word, and the way from each summary back to what was said.

import { el, fill, said } from "../dom.js";
import { badge, bar, button, clock, count, day, empty, failed, field, head, isoDay, note, number, pages, plural, save, work } from "../parts.js";
import { compactedWords, methodWords, pathTo, stripOf, stripWords, survival, treesOf, turnsBehind } from "./summaries.js";

// More turns than these are read one summary at a time.
const AT_ONCE = 400;
const VIEW = 500;
const LEVELS = ["c3", "c2", "c6", "c1", "c5"];

export default { id: "compaction", title: "Compaction", open };

const colour = (level) => LEVELS[Math.min(level, LEVELS.length - 1)];
const span = (from, to) => (day(from) === day(to) ? day(from) : `${day(from)} – ${day(to)}`);

async function open(room, ctx) {
  const { sessions } = await ctx.call("list_sessions", { limit: 500 });
  const session = ctx.params.get("session") || longest(sessions);
  const shown = { session, nodes: [], verbatim: [] };
  const about = head("Compaction", "A long session is folded: summaries stand in prompts for what is older. Nothing said is lost, and every summary leads back to it.",
    ...save(`compaction-${session || ctx.namespace}`, { json: () => shown, markdown: () => markdown(shown) }));
  if (!session) {
    fill(room, about, empty("Nothing was said here so far.", "Sessions appear when a host talks to the daemon, or: ", el("code", {}, "libravdb ingest chat.json --session monday")));
    return {};
  }
  const told = el("div", { role: "status" });
  const overview = el("section.card.overview", { "aria-label": "The session at a glance" });
  const tree = el("div");
  const tail = el("div.tail");
  fill(room, about, el("div.card", {}, el("div.row", {}, field("Session", picker(sessions, session, ctx), "grow"), ctx.canWrite ? compactNow() : ""), ctx.canWrite ? "" : el("p.small.soft", {}, "This token may look only: it cannot compact."), told), overview, tree, tail);
  await load();
  await reveal(ctx.params.get("node") ?? "");

  function compactNow() {
    return work("Compact now", async () => {
      fill(told, el("p.soft", {}, "Folding …"));
      try {
        const done = await ctx.ask("compact", { sessionId: session });
        fill(told, outcome(done));
        await load();
      } catch (error) {
        fill(told, failed(error));
      }
    }, { kind: "main", toast: ctx.toast, title: "Fold what is older than the session's end into summaries; nothing said is lost" });
  }

  async function load() {
    const opened = new Set([...tree.querySelectorAll("details[open][data-node]")].map((node) => node.dataset.node));
    // The session's own view holds what stands word for word: a few records, however long the session is.
    const where = { metadata: { type: ["turn"], userId: [ctx.namespace] }, mayLack: ["userId"] };
    const [{ nodes }, { records }] = await Promise.all([ctx.call("list_summaries", { sessionId: session }), ctx.ask("list_records", { collection: `session:${session}`, limit: VIEW, where })]);
    shown.nodes = nodes;
    shown.verbatim = records.reverse();
    const trees = treesOf(nodes);
    fill(overview, ...glance(trees, shown.verbatim, { ctx, session, reveal }));
    fill(tree, ...forest(trees, { ctx, session }));
    fill(tail, verbatimCard(shown.verbatim, ctx, session));
    for (const node of tree.querySelectorAll("details[data-node]")) if (opened.has(node.dataset.node)) node.open = true;
    if (trees.length === 1) tree.querySelector("details[data-node]").open = true;
  }

  /** Open the way down to a summary, and show it. */
  async function reveal(id) {
    if (!id) return;
    const path = pathTo(treesOf(shown.nodes), id);
    if (!path.length) { fill(told, note("warn", "This summary is not there any more: it was opened again, or it is of another session.")); return; }
    for (const step of path) tree.querySelector(`[data-node="${CSS.escape(step)}"]`).open = true;
    const found = tree.querySelector(`[data-node="${CSS.escape(id)}"]`);
    found.classList.add("found");
    found.scrollIntoView({ block: "center" });
    found.querySelector("summary").focus({ preventScroll: true });
  }

  return {
    changed: async () => {
      const { nodes } = await ctx.call("list_summaries", { sessionId: session }).catch(() => ({ nodes: shown.nodes }));
      if (JSON.stringify(nodes) !== JSON.stringify(shown.nodes)) await load();
    },
  };
}

/** The session with most turns: where there is something to see. */
const longest = (sessions) => [...sessions].sort((one, other) => other.turns - one.turns)[0]?.name ?? "";

function picker(sessions, session, ctx) {
  const known = sessions.some((each) => each.name === session) ? sessions : [{ name: session, turns: 0, last: 0 }, ...sessions];
  const select = el("select", { onchange: () => ctx.go("compaction", { session: select.value }) }, [...known].sort((one, other) => other.last - one.last)
    .map((each) => el("option", { value: each.name, selected: each.name === session }, each.last ? `${each.name} · ${plural(each.turns, "turn")} · ${day(each.last)}` : each.name)));
  select.value = session;
  return select;
}

function outcome(done) {
  const reasons = [...new Set(done.reasons)];
  return el("div", {}, note(done.didCompact ? "" : "warn", el("b", {}, compactedWords(done)), done.didCompact ? "" : " The recent end of a session always stands word for word, and this one has little or nothing before it.",
    done.clustersDeclined ? el("p.small", {}, `${plural(done.clustersDeclined, "group")} of turns stayed as it was: a summary would not have been shorter, or not true enough.`) : "",
    reasons.length ? el("details", {}, el("summary", {}, "The reasons, as the daemon tells them"), el("ul.small", {}, reasons.map((reason) => el("li", {}, reason)))) : ""));
}

/* ── at a glance ── */

function glance(trees, verbatim, { ctx, session, reveal }) {
  const strip = stripOf(trees, verbatim.map((record) => record.at));
  const levels = [...new Set(strip.rows.flat().filter((piece) => piece.tree).map((piece) => piece.level))].sort();
  const rows = strip.rows.map((row) => el("div.strip-row", {}, row.map((piece) => stripPiece(piece, strip.total, { ctx, session, reveal }))));
  const hidden = strip.total && levels.length ? el("div.strip", { "aria-hidden": "true" }, rows) : "";
  return [
    el("p", {}, el("b", {}, stripWords(strip))), hidden,
    levels.length ? el("ul.key", {}, levels.map((level) => el("li", {}, el("i", { class: colour(level) }), level === 1 ? "summary of turns" : `summary of summaries (level ${level})`)), el("li", {}, el("i.verbatim"), "word for word")) : "",
    levels.length ? el("p.small.soft", {}, "From the begin of the session (left) to its end (right). The top row is what prompts may hold; below it is what those summaries stand for.")
      : el("p.small.soft", {}, "The daemon folds a session by itself when it has grown enough; its recent end always stays word for word."),
  ];
}

function stripPiece(piece, total, { ctx, session, reveal }) {
  const title = `${piece.tree ? `Summary of level ${piece.level}` : "Word for word"}: ${plural(Math.round(piece.turns), "turn")}, ${span(piece.from, piece.to)}`;
  const id = piece.tree?.node.id;
  // The same summaries stand below as a tree that keyboards reach: these are for the mouse.
  const node = piece.tree ? el("a", { href: ctx.link("compaction", { session, node: id }), tabindex: "-1", title, class: colour(piece.level), onclick: (event) => { event.preventDefault(); reveal(id); } }) : el("span.verbatim", { title });
  node.style.left = `${(piece.start / total) * 100}%`;
  node.style.width = `${(piece.turns / total) * 100}%`;
  return node;
}

/* ── the tree ── */

function forest(trees, { ctx, session }) {
  if (!trees.length) return [];
  const standing = trees.filter((tree) => tree.node.isActive);
  const rest = trees.filter((tree) => !tree.node.isActive);
  return [
    el("h3.day", {}, `${plural(standing.length, "summary", "summaries")} in place of what was said`),
    el("p.small.soft", {}, "Facts are numbers, dates, names, paths, decisions and the like in what a summary stands for; kept are those that it still names."),
    branches(standing, { ctx, session }),
    rest.length ? el("details", {}, el("summary", {}, `${plural(rest.length, "summary", "summaries")} that stand nowhere any more`), branches(rest, { ctx, session })) : "",
  ];
}

function branches(trees, where) {
  return el("ul.list.tree", {}, trees.map((tree) => el("li", {}, branch(tree, where))));
}

function branch(tree, { ctx, session }) {
  const { node } = tree;
  const turns = turnsBehind(tree);
  const words = el("div");
  const facts = survival(node);
  return el("details.card.folded", { "data-node": node.id },
    el("summary", {},
      el("span.meta", {}, el("b", {}, span(node.firstAt, node.at)), el("span.badge.level", { class: colour(node.level) }, `level ${node.level}`), el("span", {}, plural(turns, "turn")),
        node.isActive ? badge("may stand in prompts", "good") : badge("folded further"), facts ? el("span", {}, facts.words) : ""),
      facts ? survivalBar(node) : "",
      said(firstWords(node.text), { tag: "span" })),
    said(node.text, { tag: "p" }),
    el("div.meta", {}, el("span", {}, methodWords(node.method)), el("span", { title: "How near it is in meaning to what it stands for, from 0 to 1" }, `confidence ${number(node.confidence)}`),
      facts ? "" : el("span", {}, "no facts were listed"), el("a", { href: ctx.link("compaction", { session, node: node.id }) }, "link to this")),
    node.fallback ? note("warn", "The configured model did not write it: ", said(node.fallback)) : "",
    tree.under.length ? el("div.under", {}, el("p.small.soft", {}, `It stands for ${plural(tree.under.length, "summary", "summaries")}${tree.turns ? ` and ${plural(tree.turns, "turn")}` : ""}:`), branches(tree.under, { ctx, session })) : "",
    el("div.row.mid", {}, expandButton(tree, turns, words, ctx, session)), words);
}

const survivalBar = (node) => bar([{ label: "kept", value: node.factsKept, kind: "c3" }], { total: node.factsListed, key: false, label: `Of ${plural(node.factsListed, "fact")}:` });
const firstWords = (text) => { const line = text.split("\n")[0]; return line.length > 140 ? `${line.slice(0, 140)} …` : line; };

function expandButton(tree, turns, words, ctx, session) {
  if (turns > AT_ONCE) return el("span.small.soft", {}, `${plural(turns, "turn")} stand behind it: open the summaries below to read them.`);
  const node = button(`Show the ${plural(turns, "turn")} word for word`, async () => {
    if (words.hasChildNodes()) { fill(words); fill(node, `Show the ${plural(turns, "turn")} word for word`); return; }
    node.disabled = true;
    try {
      const { records } = await ctx.call("expand", { sessionId: session, summaryId: tree.node.id, maxDepth: Math.max(1, tree.node.level) });
      fill(words, turnPages(records, ctx, session));
      fill(node, "Hide the turns");
    } catch (error) {
      fill(words, failed(error));
    } finally {
      node.disabled = false;
    }
  });
  return node;
}

/* ── what was said ── */

function turnPages(records, ctx, session) {
  let heading = "";
  return pages({
    label: "Turns",
    load: async (after) => { const from = after ?? 0; return { items: records.slice(from, from + 50), next: from + 50 < records.length ? from + 50 : null }; },
    show: (record) => { const today = day(record.at); const isNew = today !== heading; heading = today; return el("li", {}, isNew ? el("h4.day", {}, el("a", { href: ctx.link("timeline", { session, day: isoDay(record.at) }), title: "See this day in the timeline" }, today)) : "", turn(record)); },
    nothing: () => el("p.soft", {}, "Nothing of it is left, or nothing of it is yours to see."),
  }).node;
}

const turn = (record) => el("div.said-turn", {},
  el("div.meta", {}, el("b", {}, record.metadata.speaker || record.metadata.role || "said"), el("time", { datetime: new Date(record.at).toISOString() }, clock(record.at))),
  said(record.text, { tag: "p" }));

function verbatimCard(records, ctx, session) {
  if (!records.length) return "";
  const body = el("div");
  const card = el("details.card", { ontoggle: () => { if (card.open && !body.hasChildNodes()) fill(body, turnPages(records, ctx, session)); } },
    el("summary", {}, el("b", {}, `${plural(records.length, "turn")} word for word`), el("span.soft", {}, ` ${span(records[0].at, records.at(-1).at)}`)), body);
  return card;
}

function markdown({ session, nodes, verbatim }) {
  const tell = (tree, depth) => [`${"  ".repeat(depth)}- level ${tree.node.level}, ${span(tree.node.firstAt, tree.node.at)}, ${plural(turnsBehind(tree), "turn")}, ${survival(tree.node)?.words ?? "no facts listed"}:`, ...tree.node.text.split("\n").map((line) => `${"  ".repeat(depth + 1)}${line}`), ...tree.under.flatMap((each) => tell(each, depth + 1))];
  return [`# Summaries of ${session}`, "", ...treesOf(nodes).flatMap((tree) => tell(tree, 0)), "", `## Word for word (${count(verbatim.length)})`, "", ...verbatim.map((record) => `- **${record.metadata.speaker || record.metadata.role}** (${new Date(record.at).toISOString()}): ${record.text.replaceAll("\n", "\n  ")}`), ""].join("\n");
}
