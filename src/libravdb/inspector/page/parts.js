// What several views are made of.

import { append, el, fill, freshId } from "./dom.js";

/* ── words and numbers ── */

const DAY = new Intl.DateTimeFormat(undefined, { weekday: "short", year: "numeric", month: "short", day: "numeric" });
const MOMENT = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const COUNT = new Intl.NumberFormat();

export const day = (at) => DAY.format(at);
export const moment = (at) => MOMENT.format(at);
export const clock = (at) => CLOCK.format(at);
export const count = (value) => COUNT.format(value);
export const number = (value, digits = 2) => Number(value).toFixed(digits);
export const isoDay = (at) => { const date = new Date(at); return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`; };
export const plural = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;
export const when = (at) => el("time", { datetime: new Date(at).toISOString(), title: moment(at) }, moment(at));
export function size(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let left = bytes;
  while (left >= 1000 && unit < units.length - 1) { left /= 1000; unit += 1; }
  return `${unit && left < 10 ? left.toFixed(1) : Math.round(left)} ${units[unit]}`;
}

/* ── small pieces ── */

export const badge = (text, kind = "") => el(`span.badge${kind ? `.${kind}` : ""}`, {}, text);
export const id = (value) => el("code.id", { title: "id" }, value);

/** What to show where there is nothing: what it would be, and what to do. */
export const empty = (title, ...words) => el("div.empty", {}, el("b", {}, title), ...words);

export const note = (kind, ...words) => el(`div.note${kind ? `.${kind}` : ""}`, { role: kind === "bad" ? "alert" : "note" }, ...words);

/** An error as a person should meet it: what happened, and the remedy. */
export const failed = (error) => note("bad", el("b", {}, error.message), error.remedy ? el("p", {}, error.remedy) : "");

/** A bar of parts {label, value, kind}; `total` is its whole length. Numbers stand in the key, never in colour alone. */
export function bar(parts, { total, label, tall = false, key = true, unit = "" } = {}) {
  const whole = total ?? parts.reduce((sum, part) => sum + part.value, 0);
  const told = parts.map((part) => `${part.label} ${part.text ?? count(part.value)}${unit}`).join(", ");
  const drawn = el(`div.bar${tall ? ".tall" : ""}`, { role: "img", "aria-label": `${label ?? ""} ${told}`.trim() });
  for (const part of parts) {
    if (!(part.value > 0) || !(whole > 0)) continue;
    const piece = el("span", { class: part.kind, title: `${part.label}: ${part.text ?? count(part.value)}${unit}` });
    piece.style.width = `${Math.min(100, (part.value / whole) * 100)}%`;
    drawn.append(piece);
  }
  if (!key) return drawn;
  return el("div", {}, drawn, el("ul.key", {}, parts.map((part) => el("li", {}, el("i", { class: part.kind }), `${part.label} `, el("b.num", {}, `${part.text ?? count(part.value)}${unit}`)))));
}

/** A table: columns of {title, isNumber}, rows of cells. */
export function table(columns, rows, { caption = "" } = {}) {
  const cell = (tag, column, value) => el(tag, { class: column.isNumber ? "num" : "" , scope: tag === "th" ? "col" : null }, value);
  return el("div.scroll", { tabindex: "0", role: "region", "aria-label": caption || "Table" }, el("table", {}, caption ? el("caption.soft.small", {}, caption) : "",
    el("thead", {}, el("tr", {}, columns.map((column) => cell("th", column, column.title)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map((value, place) => cell("td", columns[place], value)))))));
}

/** A labelled control; gives the label. */
export const field = (text, control, kind = "") => el("label", { class: kind }, kind === "inline" ? [control, text] : [text, control]);

export function button(text, onclick, { kind = "", ...props } = {}) {
  return el("button", { type: "button", class: kind, onclick, ...props }, text);
}

/** A button that works once at a time, and tells where it failed. */
export function work(text, action, { kind = "", toast, ...props } = {}) {
  let isBusy = false;
  const node = button(text, async () => {
    if (isBusy) return;
    isBusy = true;
    node.setAttribute("aria-disabled", "true"); // not `disabled`: that would take the focus away
    try { await action(); } catch (error) { toast(error.message, { kind: "bad", remedy: error.remedy }); } finally { isBusy = false; node.removeAttribute("aria-disabled"); }
  }, { kind, ...props });
  return node;
}

/* ── lists, page by page ── */

/** A list that loads more on request. `load(after)` gives {items, next}; `show` makes a node of an item. */
export function pages({ load, show, nothing, label }) {
  const list = el("ul.list", { "aria-label": label });
  const more = el("div.more");
  const items = [];
  async function next(after) {
    fill(more, el("span.soft", {}, "Loading …"));
    try {
      const page = await load(after);
      items.push(...page.items);
      append(list, page.items.map((item) => { const shown = show(item); return shown.tagName === "LI" ? shown : el("li", {}, shown); }));
      fill(more, page.next ? button("Show more", () => next(page.next)) : "");
      if (!items.length) fill(more, nothing());
    } catch (error) {
      fill(more, failed(error));
    }
  }
  return { node: el("div", {}, list, more), ready: next(null), items, list };
}

/* ── asking and telling ── */

/** Ask before something is done. With `name`, it has to be typed: for what cannot be taken back. */
export function confirm({ title, words = [], action = "Do it", danger = false, name = "" }) {
  return new Promise((resolve) => {
    const label = freshId("dialog");
    const typed = el("input", { type: "text", autocomplete: "off", "aria-label": `Type ${name} to go on` });
    const go = button(action, () => finish(true), { kind: danger ? "danger" : "main" });
    const asked = el("dialog", { "aria-labelledby": label }, el("h2", { id: label }, title), words.map((word) => el("p", {}, word)),
      name ? el("p", {}, "Type ", el("code", {}, name), " to go on: ", typed) : "",
      el("div.do", {}, button("Cancel", () => finish(false)), go));
    function finish(value) { asked.close(); asked.remove(); resolve(value); }
    if (name) { go.disabled = true; typed.addEventListener("input", () => { go.disabled = typed.value !== name; }); }
    asked.addEventListener("cancel", () => { asked.remove(); resolve(false); });
    document.body.append(asked);
    asked.showModal();
    (name ? typed : go).focus();
  });
}

/** A short word at the edge of the page. With `undo` it waits, and `done` is called when nobody undid it. */
export function toast(text, { kind = "", remedy = "", undo = null, done = null, seconds = 6 } = {}) {
  const node = el(`div.toast${kind ? `.${kind}` : ""}`, {}, el("span", {}, text, remedy ? el("span", {}, ` ${remedy}`) : ""));
  let timer = setTimeout(end, seconds * 1000);
  function end() { clearTimeout(timer); timer = 0; node.remove(); if (done) done(); }
  if (undo) node.append(button("Undo", () => { clearTimeout(timer); timer = 0; node.remove(); undo(); }));
  if (undo && done) node.append(button("Now", end));
  document.getElementById("toasts").append(node);
  return { end: () => { if (timer) end(); } };
}

/** Let somebody keep a text as a file. */
export function download(name, text, media) {
  const url = URL.createObjectURL(new Blob([text], { type: media }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Save a view: as JSON, or as Markdown where the view can tell itself so. */
export function save(name, { json, markdown }) {
  return [
    button("JSON", () => download(`${name}.json`, JSON.stringify(json(), null, 2), "application/json"), { title: "Save this view as JSON" }),
    markdown ? button("Markdown", () => download(`${name}.md`, markdown(), "text/markdown"), { title: "Save this view as Markdown" }) : "",
  ];
}

/** The head of a view: its title, a line about it, and what can be done with all of it. */
export const head = (title, about, ...actions) => el("div.head", {}, el("h2", {}, title), el("div.do", {}, ...actions), el("p.about", {}, about));
