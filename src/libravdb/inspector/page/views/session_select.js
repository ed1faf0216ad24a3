// A choice among the sessions of a namespace.

import { el, fill } from "../dom.js";
import { day, plural } from "../parts.js";

/** A select of sessions, the newest first; `all` is the first choice, which stands for none. Filled when `ready` is. */
export function sessionSelect(ctx, chosen, { all = "All sessions", onchange = null } = {}) {
  const node = el("select", { name: "session", onchange });
  fill(node, el("option", { value: "" }, all), chosen ? el("option", { value: chosen }, chosen) : "");
  node.value = chosen;
  const ready = ctx.call("list_sessions", { limit: 200 }).then((page) => {
    const newest = [...page.sessions].sort((one, other) => other.last - one.last);
    const isListed = newest.some((each) => each.name === node.value);
    const kept = node.value;
    fill(node, all === null ? "" : el("option", { value: "" }, all), kept && !isListed ? el("option", { value: kept }, kept) : "",
      newest.map((each) => el("option", { value: each.name }, `${each.name} · ${plural(each.turns, "turn")} · ${day(each.last)}`)));
    node.value = kept;
    return newest;
  });
  return { node, ready };
}
