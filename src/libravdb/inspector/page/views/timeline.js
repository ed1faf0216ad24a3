// Sessions and turns: who said what, what the gate decided, what was folded.

import { el, fill, said } from "../dom.js";
import { badge, button, clock, count, day, empty, failed, field, head, isoDay, number, pages, save } from "../parts.js";
import { sessionSelect } from "./session_select.js";

const LONG = 1200;

export default { id: "timeline", title: "Timeline", open };

async function open(room, ctx) {
  const session = ctx.params.get("session") ?? "";
  const asked = ctx.params.get("day") ?? "";
  const turns = el("div");
  const sessions = sessionSelect(ctx, session, { onchange: () => ctx.go("timeline", { session: sessions.node.value, day: asked }) });
  const date = el("input", { type: "date", value: asked, onchange: () => ctx.go("timeline", { session, day: date.value }) });
  const fresh = el("p.note", { hidden: true, role: "status" });
  const shown = { items: [] };
  fill(room,
    head("Timeline", "What was said, the newest first. Green was kept beyond its session, grey was not; nothing said is ever lost.",
      ...save(`timeline-${ctx.namespace}`, { json: () => shown.items, markdown: () => markdown(shown.items) })),
    el("div.card.row", {}, field("Session", sessions.node), field("Day", date), button("Today", () => ctx.go("timeline", { session, day: isoDay(Date.now()) })), asked || session ? button("All", () => ctx.go("timeline")) : ""),
    legend(), fresh, turns);

  await Promise.all([sessions.ready, load()]);

  async function load() {
    let heading = "";
    const made = pages({
      label: "Turns",
      load: async (after) => {
        const page = await ctx.call("list_turns", { session: session || null, limit: 50, after, ...span(asked) });
        return { items: page.turns, next: page.next ?? null };
      },
      show: (turn) => {
        const today = day(turn.at);
        const isNew = today !== heading;
        heading = today;
        return el("li", {}, isNew ? el("h3.day", {}, today) : "", shownTurn(turn, ctx));
      },
      nothing: () => asked
        ? empty("Nothing was said on this day.", button("Show all days", () => ctx.go("timeline", { session })))
        : empty("Nothing was said here so far.", "Let a host talk to the daemon, or try it: ", el("code", {}, "libravdb ingest --role user \"I live in Graz.\"")),
    });
    shown.items = made.items;
    fill(turns, made.node);
    await made.ready;
  }

  let waiting = 0;
  return {
    changed: async () => {
      if (asked) return;
      waiting += 1;
      if (window.scrollY < 200) { waiting = 0; await renew(); return; }
      fresh.hidden = false;
      fill(fresh, "Something new was said. ", button("Show it", async () => { fresh.hidden = true; waiting = 0; await renew(); window.scrollTo(0, 0); }));
    },
  };

  /** Put what is new before the rest, without moving the rest more than it takes. */
  async function renew() {
    try {
      const page = await ctx.call("list_turns", { session: session || null, limit: 50 });
      const first = shown.items[0];
      if (first && page.turns.length && page.turns[0].id === first.id && JSON.stringify(page.turns[0]) === JSON.stringify(first)) return;
      await load();
    } catch (error) {
      fill(turns, failed(error));
    }
  }
}

/** The moments of a day as a person at this machine means it. */
function span(text) {
  if (!text) return {};
  const from = new Date(`${text}T00:00`);
  const to = new Date(from);
  to.setDate(to.getDate() + 1);
  return { since: from.getTime(), until: to.getTime() };
}

const legend = () => el("ul.key", { "aria-label": "What colours mean" },
  el("li", {}, badge("kept", "good"), " durable memory"), el("li", {}, badge("not kept"), " in history only"),
  el("li", {}, badge("vetoed", "warn"), " refused for a named reason"), el("li", {}, badge("folded", "accent"), " a summary stands for it in prompts"));

function shownTurn(turn, ctx) {
  const kind = turn.verdict ? (turn.verdict.isAdmitted ? "kept" : turn.verdict.veto ? "vetoed" : "passed") : "unjudged";
  return el(`article.card.turn.${kind}`, { "data-id": turn.id, "data-role": turn.role },
    el("div.meta", {}, el("b", {}, turn.speaker || turn.role), el("time", { datetime: new Date(turn.at).toISOString() }, clock(turn.at)),
      el("a", { href: ctx.link("timeline", { session: turn.session }) }, turn.session),
      verdict(turn), turn.isOutdated ? badge("outdated", "warn") : "",
      turn.foldedInto ? el("a", { href: ctx.link("compaction", { session: turn.session, node: turn.foldedInto }) }, badge("folded", "accent")) : "",
      turn.memory ? el("a", { href: ctx.link("memory", { id: turn.memory }) }, "memory") : ""),
    body(turn.text));
}

function verdict(turn) {
  if (!turn.verdict) return badge("not judged");
  const { words, isAdmitted, veto, score } = turn.verdict;
  const label = isAdmitted ? "kept" : veto ? "vetoed" : "not kept";
  return el("span", { title: words }, badge(`${label} ${number(score)}`, isAdmitted ? "good" : veto ? "warn" : ""), el("span.small", {}, ` ${veto}`));
}

function body(text) {
  if (text.length <= LONG) return said(text, { tag: "p" });
  const node = el("div", {}, said(`${text.slice(0, LONG)} …`, { tag: "p" }),
    button(`Show all ${count(text.length)} characters`, () => fill(node, said(text, { tag: "p" })), { kind: "bare" }));
  return node;
}

const markdown = (turns) => turns.map((turn) => `- **${turn.speaker || turn.role}** (${new Date(turn.at).toISOString()}, ${turn.session}): ${turn.text.replaceAll("\n", "\n  ")}${turn.verdict ? `\n  - gate: ${turn.verdict.words}` : ""}`).join("\n");
