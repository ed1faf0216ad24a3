// Tabs as people who use the keyboard expect them: one stop for Tab, arrows between them.

import { el, freshId } from "../dom.js";

/** Tabs over `rooms` ({id, title, open}). A room is opened when it is chosen first; `open(panel)` may give {changed, close}. */
export function tabs({ label, rooms, chosen, onChoose = () => {} }) {
  const made = rooms.map((room) => {
    const [tabId, panelId] = [freshId("tab"), freshId("panel")];
    const tab = el("button", { type: "button", role: "tab", id: tabId, "aria-controls": panelId, onclick: () => choose(room.id, onChoose) }, room.title);
    return { room, tab, panel: el("div.panel", { role: "tabpanel", id: panelId, "aria-labelledby": tabId, hidden: true }), shown: null };
  });
  let current = null;
  const list = el("div.tabs", { role: "tablist", "aria-label": label, onkeydown: move }, made.map((each) => each.tab));

  async function choose(id, told = () => {}) {
    current = made.find((each) => each.room.id === id) ?? made[0];
    for (const each of made) {
      const isChosen = each === current;
      each.tab.setAttribute("aria-selected", String(isChosen));
      each.tab.tabIndex = isChosen ? 0 : -1;
      each.panel.hidden = !isChosen;
    }
    told(current.room.id);
    const { panel, room } = current;
    if (!current.shown) current.shown = room.open(panel);
    return current.shown;
  }

  function move(event) {
    const place = made.findIndex((each) => each.tab === document.activeElement);
    const steps = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: made.length - 1 };
    if (place < 0 || !(event.key in steps)) return;
    event.preventDefault();
    const next = made[(steps[event.key] + made.length) % made.length];
    next.tab.focus();
    choose(next.room.id, onChoose);
  }

  return {
    node: el("div", {}, list, made.map((each) => each.panel)),
    ready: choose(chosen),
    chosen: () => current.room.id,
    /** What changed is shown in the room that is open; the others are opened anew when they are chosen. */
    changed: async () => {
      for (const each of made) if (each !== current && each.shown) { (await each.shown)?.close?.(); each.shown = null; }
      await (await current.shown)?.changed?.();
    },
    close: async () => { for (const each of made) (await each.shown)?.close?.(); },
  };
}
