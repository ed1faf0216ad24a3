// Whether a memory was useful: two buttons, and what people's answers say about the threshold.

import { el, fill } from "../dom.js";
import { work } from "../parts.js";
import { calibrationChange } from "./gate_scores.js";

/** Useful, or not. `answered(account, words)` is told how the account of the gate changed. */
export function usefulness(record, ctx, answered = () => {}) {
  const node = el("span.answers", { role: "group", "aria-label": "Was it worth keeping?" });
  draw();
  return node;

  function draw() {
    fill(node, [[true, "Useful"], [false, "Not useful"]].map(([value, text]) =>
      work(text, () => answer(value, text), { toast: ctx.toast, "aria-pressed": String(record.metadata.useful === value) })));
  }

  async function answer(value, text) {
    const before = await ctx.call("gate_report");
    await ctx.call("feedback", { id: record.id, useful: value });
    record.metadata.useful = value;
    const after = await ctx.call("gate_report");
    draw();
    [...node.children].find((each) => each.textContent === text)?.focus();
    const words = calibrationChange(before, after);
    ctx.toast(words, { seconds: 8 });
    answered(after, words);
  }
}
