// What a preview is made for: a session, a question, a budget, a mode.

import { el } from "../dom.js";
import { field } from "../parts.js";
import { sessionSelect } from "./session_select.js";

export const BUDGET = 2000;
export const NEW_SESSION = "a new conversation";

/** What an address tells of a preview. */
export function readAsked(params) {
  return {
    session: params.get("session") ?? "",
    prompt: params.get("prompt") ?? "",
    budget: Number(params.get("budget")) || BUDGET,
    mode: params.get("mode") === "window" ? "window" : "augment",
  };
}

/** A preview as an address tells it, without what is usual. */
export function tellAsked({ session, prompt, budget, mode }) {
  const told = { session, prompt, budget: budget === BUDGET ? "" : String(budget), mode: mode === "augment" ? "" : mode };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value));
}

/** Parameters of `preview_prompt`. */
export const previewOf = ({ session, prompt, budget, mode }) => ({ sessionId: session || NEW_SESSION, prompt, tokenBudget: budget, mode });

/** The controls, and `read()` of what stands in them. */
export function askedForm(ctx, asked, { all, onsession = null, rows = 2 }) {
  const sessions = sessionSelect(ctx, asked.session, { all, onchange: onsession });
  const prompt = el("textarea", { name: "prompt", rows: String(rows), maxlength: "20000", placeholder: "What is asked of the agent" });
  prompt.value = asked.prompt;
  const budget = el("input", { name: "budget", type: "number", min: "50", max: "1000000", step: "50", value: String(asked.budget) });
  const mode = el("select", { name: "mode" }, el("option", { value: "augment" }, "augment: beside the host's own messages"), el("option", { value: "window" }, "window: the whole conversation"));
  mode.value = asked.mode;
  return {
    sessions, prompt,
    nodes: { session: field("Session", sessions.node), prompt: field("Question", prompt, "grow"), budget: field("Budget in tokens", budget, "short"), mode: field("Mode", mode) },
    read: () => ({ session: sessions.node.value, prompt: prompt.value.trim(), budget: Math.max(1, Math.round(Number(budget.value)) || BUDGET), mode: mode.value }),
  };
}
