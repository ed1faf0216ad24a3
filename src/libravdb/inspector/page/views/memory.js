// Everything that lasts: memories, the profile made of them, and standing wishes; to be read, mended and deleted.

import { el, fill } from "../dom.js";
import { head, save } from "../parts.js";
import { openGuidance } from "./memory_guidance.js";
import { openMemories } from "./memory_list.js";
import { openOne } from "./memory_one.js";
import { openProfile } from "./memory_profile.js";
import { wholeNamespace } from "./memory_whole.js";
import { tabs } from "./tabs.js";

export default { id: "memory", title: "Memory", open };

async function open(room, ctx) {
  const id = ctx.params.get("id") ?? "";
  const saved = { what: "memories", json: () => [], markdown: () => "" };
  const saves = (what, told) => Object.assign(saved, { what, ...told });
  const made = tabs({
    label: "Kinds of memory",
    chosen: ctx.params.get("tab") ?? "memories",
    onChoose: (tab) => { if (!id || tab !== "memories") history.replaceState(null, "", ctx.link("memory", addressed(ctx, tab))); },
    rooms: [
      { id: "memories", title: id ? "Memory" : "Memories", open: (panel) => (id ? openOne(panel, ctx, { id, saves }) : openMemories(panel, ctx, { saves })) },
      { id: "profile", title: "Profile", open: (panel) => openProfile(panel, ctx, { saves }) },
      { id: "guidance", title: "Guidance", open: (panel) => openGuidance(panel, ctx, { saves }) },
    ],
  });
  fill(room,
    head("Memory", "What lasts beyond a conversation. Everything here can be corrected, and everything can be forgotten.",
      ...save(`memory-${ctx.namespace}`, { json: () => saved.json(), markdown: () => saved.markdown() })),
    made.node, ctx.isAdmin && !id ? wholeNamespace(ctx) : "");
  await made.ready;
  return { changed: made.changed, close: made.close };
}

/** What of the address stays when another tab is chosen: filters belong to the list alone. */
function addressed(ctx, tab) {
  const told = Object.fromEntries([...ctx.params].filter(([name]) => !["namespace", "tab", "id"].includes(name)));
  return tab === "memories" ? { ...told, tab } : { tab };
}
