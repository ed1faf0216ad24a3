// A paged list that is loaded anew in place: what changed elsewhere appears, and nobody loses their place.

import { el, fill } from "../dom.js";
import { pages } from "../parts.js";

const MOST = 500;

/** `load(after, limit)` gives {items, next}. `renew()` loads as many items as are shown, and puts them there only if
 * something is different. */
export function steadyList({ load, show, nothing, label, size = 25 }) {
  const node = el("div.steady", { "aria-busy": "true" });
  const list = { node, items: [], ready: null, renew };
  async function renew() {
    const first = Math.min(Math.max(size, list.items.length), MOST);
    const made = pages({ load: (after) => load(after, after ? size : first), show, nothing, label });
    await made.ready;
    node.removeAttribute("aria-busy");
    if (node.childElementCount && made.items.length && same(made.items, list.items)) return;
    list.items = made.items;
    keepFocus(node, () => fill(node, made.node));
  }
  list.ready = renew();
  return list;
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Change what a node holds; who stood on a button of a row stands on it again. */
export function keepFocus(node, change) {
  const held = node.contains(document.activeElement) ? document.activeElement : null;
  const row = held?.closest("[data-id]")?.dataset.id;
  const controls = (node) => [...node.querySelectorAll("a, button")];
  const place = row ? controls(held.closest("[data-id]")).indexOf(held) : -1;
  change();
  if (!held || held.isConnected) return;
  const again = row && [...node.querySelectorAll("[data-id]")].find((each) => each.dataset.id === row);
  if (again) (controls(again)[place] ?? controls(again)[0])?.focus();
}
