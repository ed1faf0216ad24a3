// The frame: who is asked, whose memory is shown, which view; everything else is the views' own.

import { call, caller, keepToken, listen, takeToken } from "./api.js";
import { el, fill } from "./dom.js";
import { button, confirm, failed, field, note, toast } from "./parts.js";

const VIEWS = ["Timeline", "Search", "Prompt", "Gate", "Memory", "Rules", "Compaction", "Health"].map((title) => ({ id: title.toLowerCase(), title }));
const ROLES = ["read", "write", "admin"];
const main = document.getElementById("main");
const state = { who: null, namespace: "", shown: null, view: null, listening: null };

/* ── where we are: #/view?namespace=…&… ── */

function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: VIEWS.find((view) => view.id === path) ?? VIEWS[0], params: new URLSearchParams(query ?? "") };
}

function address(view, params = {}) {
  const told = new URLSearchParams({ namespace: state.namespace, ...params });
  return `#/${view}?${told}`;
}

function go(view, params = {}) {
  const to = address(view, params);
  if (location.hash === to) open();
  else location.hash = to;
}

/** What a view is handed. */
function context(params) {
  const namespace = state.namespace;
  return {
    namespace,
    params,
    go,
    toast,
    confirm,
    canWrite: ROLES.indexOf(state.who.role) >= 1,
    isAdmin: state.who.role === "admin",
    isOfAll: state.who.isOfAll,
    link: address,
    call: (method, given = {}, options) => call(method, { namespace, ...given }, options),
    ask: (method, given = {}, options) => call(method, given, options),
  };
}

async function open() {
  const { view, params } = place();
  const asked = params.get("namespace") ?? "";
  if (asked && asked !== state.namespace) await choose(asked);
  state.shown?.close?.();
  state.shown = null;
  state.view = view;
  document.title = `${view.title} · LibraVDB Memory`;
  for (const link of document.querySelectorAll(".rooms a")) {
    if (link.dataset.view === view.id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    link.setAttribute("href", address(link.dataset.view));
  }
  const room = el("section", { "aria-label": view.title });
  fill(main, room);
  main.focus({ preventScroll: true });
  window.scrollTo(0, 0);
  try {
    const { default: found } = await import(`./views/${view.id}.js`); // each is loaded when it is first opened
    if (!room.isConnected) return;
    const shown = await found.open(room, context(params));
    if (place().view === view && room.isConnected) state.shown = shown ?? {};
    else shown?.close?.();
  } catch (error) {
    fill(room, failed(error));
    if (error.kind === "Unauthenticated" || error.kind === "401") askForToken(error);
  }
}

/* ── whose memory ── */

async function choose(namespace) {
  state.namespace = namespace;
  showChosen();
  state.listening?.abort();
  state.listening = new AbortController();
  const light = document.getElementById("live");
  listen(namespace, {
    signal: state.listening.signal,
    onChange: () => state.shown?.changed?.(),
    onState: (isOn) => { light.classList.toggle("on", isOn); light.title = isOn ? "Live: changes are shown as they happen" : "Not live"; },
  });
}

/** The picker follows the address, wherever that came from. */
function showChosen() {
  const select = document.getElementById("namespace");
  if (!select) return;
  if (![...select.options].some((option) => option.value === state.namespace)) select.append(el("option", { value: state.namespace }, state.namespace));
  select.value = state.namespace;
}

async function pickers() {
  const page = await call("list_namespaces", { limit: 500, withSizes: false });
  const names = [...new Set([...page.namespaces.map((each) => each.name), ...(state.namespace ? [state.namespace] : [])])].sort();
  if (!state.namespace) await choose(names[0] ?? "default");
  const select = el("select", { id: "namespace", onchange: () => go(state.view?.id ?? "timeline", { namespace: select.value }) },
    (names.length ? names : [state.namespace]).map((name) => el("option", { value: name, selected: name === state.namespace }, name)));
  select.value = state.namespace;
  fill(document.getElementById("whose"), el("label.soft.wide", { for: "namespace" }, "memory of"), select);
  select.setAttribute("aria-label", "Whose memory");
}

/* ── the frame ── */

function frame() {
  fill(document.getElementById("rooms"), VIEWS.map((view, index) =>
    el("a", { href: address(view.id), "data-view": view.id }, el("span", {}, view.title), el("kbd", { "aria-hidden": "true" }, String(index + 1)))));
  fill(document.getElementById("tools"),
    el("span.live", { id: "live", role: "img", "aria-label": "live", title: "Not live" }),
    el("span.soft.small.wide", {}, `${state.who.name} · ${state.who.role}`),
    button("Theme", turnTheme, { kind: "bare", title: "Light, dark, or as the system says" }),
    button("?", help, { kind: "bare", title: "Keys and words", "aria-label": "Help" }));
}

const THEMES = ["", "light", "dark"];
function turnTheme() {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme ?? "") + 1) % THEMES.length];
  if (next) document.documentElement.dataset.theme = next;
  else delete document.documentElement.dataset.theme;
  localStorage.setItem("libravdb.theme", next);
  toast(next ? `Theme: ${next}` : "Theme: as the system says", { seconds: 2 });
}

function help() {
  confirm({ title: "Keys", action: "Close", words: ["1 to 8: the views. /: the field of a view. r: load anew. ?: this.", "Everything shown comes from the daemon with its reasons; this page decides nothing.", "What is forgotten waits a few seconds and can be taken back until then."] });
}

// The address tells which view is shown: the skip link must not change it.
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
  const number = Number(event.key);
  if (number >= 1 && number <= VIEWS.length) go(VIEWS[number - 1].id);
  else if (event.key === "/") { const found = main.querySelector("input[type=search], textarea, input"); if (found) { event.preventDefault(); found.focus(); } }
  else if (event.key === "r") open();
  else if (event.key === "?") help();
});

/* ── beginning ── */

function askForToken(error = null) {
  const input = el("input", { type: "password", autocomplete: "off", size: "40" });
  const form = el("form.card", { onsubmit: (event) => { event.preventDefault(); keepToken(input.value); begin(); } },
    el("h2", {}, "A token is needed"),
    el("p.soft", {}, "'libravdb inspect' opens this page with one. For a daemon that serves HTTP, make one with 'libravdb token create'."),
    error && error.kind !== "Unauthenticated" ? failed(error) : error ? note("warn", error.message) : "",
    el("div.row", {}, field("Token", input), button("Open", () => form.requestSubmit(), { kind: "main" })));
  fill(main, form);
  input.focus();
}

async function begin() {
  try {
    state.who = await caller();
  } catch (error) {
    askForToken(error);
    return;
  }
  frame();
  const asked = place().params.get("namespace") ?? "";
  if (asked) await choose(asked);
  try {
    await pickers();
  } catch (error) {
    fill(main, failed(error));
    return;
  }
  await open();
}

const theme = localStorage.getItem("libravdb.theme");
if (theme) document.documentElement.dataset.theme = theme;
window.addEventListener("hashchange", () => { if (state.who) open(); });
takeToken();
begin();
