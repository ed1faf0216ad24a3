// All of a person's memory at once: take it along, or erase it with a proof. For an admin.

import { el, fill } from "../dom.js";
import { button, count, download, failed, moment, note, plural, table, work } from "../parts.js";

const PAGE = 500;

export function wholeNamespace(ctx) {
  const told = el("div", { "aria-live": "polite" });
  return el("section.card.danger-zone", { "aria-label": "All of it" }, el("h3", {}, `All of ${ctx.namespace}`),
    el("p.soft", {}, "Take the durable memories along as a file, or erase this person: every turn, memory, wish and line of the profile. Erasing cannot be taken back; it leaves a signed certificate."),
    el("div.row", {}, work("Save durable memories (JSON)", () => exportAll(ctx, told), { toast: ctx.toast }),
      work(`Erase ${ctx.namespace} …`, () => erase(ctx, told), { toast: ctx.toast, kind: "danger" })), told);
}

async function exportAll(ctx, told) {
  const records = [];
  for (let after = null; ;) {
    const page = await ctx.call("list_memories", { limit: PAGE, after });
    records.push(...page.records);
    fill(told, el("p.soft", {}, `${plural(records.length, "memory", "memories")} …`));
    if (!page.next) break;
    after = page.next;
  }
  download(`memories-${ctx.namespace}.json`, JSON.stringify(records, null, 2), "application/json");
  fill(told, el("p.soft", {}, `Saved ${plural(records.length, "memory", "memories")}.`));
}

async function erase(ctx, told) {
  const isSure = await ctx.confirm({
    title: `Erase ${ctx.namespace}?`, action: "Erase for good", danger: true, name: ctx.namespace,
    words: ["Everything that belongs to this name is deleted at once: turns, memories, wishes, profile, its part of sessions.", "Nobody can bring it back. Copies that you saved or backed up stay where they are."],
  });
  if (!isSure) return;
  fill(told, el("p.soft", {}, "Erasing, and looking whether anything is left …"));
  try {
    const { certificate, text } = await ctx.ask("erase_namespace", { namespace: ctx.namespace });
    fill(told, shown(certificate, text, ctx));
    told.querySelector("button").focus();
  } catch (error) {
    fill(told, failed(error));
  }
}

function shown(certificate, text, ctx) {
  const file = `erasure-${ctx.namespace}-${new Date(certificate.issuedAt).toISOString().slice(0, 10)}.json`;
  return el("div.certificate", {},
    note("", el("b", {}, `${ctx.namespace} was erased on ${moment(certificate.issuedAt)}.`), " Save the certificate: it is shown only now. It holds no word of what was deleted."),
    el("div.row", {}, button("Save the certificate", () => download(file, text, "application/json"), { kind: "main" }), el("span.soft.small", {}, "Checked later with ", el("code", {}, `libravdb verify-erasure ${file}`))),
    table([{ title: "Erased" }, { title: "How many", isNumber: true }], certificate.erased.filter((each) => each.count > 0).map((each) => [each.kind.replaceAll("_", " "), count(each.count)]), { caption: "What went" }),
    table([{ title: "Looked at" }, { title: "Outcome" }, { title: "Detail" }], certificate.checks.map((each) => [each.name, each.isPassed ? "✓ nothing left" : "✗", each.detail]), { caption: "What was looked at afterwards" }),
    certificate.copies.length ? table([{ title: "Copy" }, { title: "Where" }, { title: "Still there" }], certificate.copies.map((each) => [each.kind, each.path, each.exists ? "yes" : "no"]), { caption: "Copies that this store made: they hold it until you delete them" }) : "",
    el("details", {}, el("summary", {}, "The certificate as it is signed"), el("pre", {}, text)));
}
