// Everything that lasts: memories, the profile made of them, and standing wishes; to be read, mended and deleted.

import { fill } from "../dom.js";
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
  const saved = {};
  const tab = (name, title, opener) => ({ id: name, title, open: (panel) => opener(panel, ctx, { id, saves: (told) => { saved[name] = told; } }) });
  const made = tabs({
    label: "Kinds of memory",
    chosen: ctx.params.get("tab") ?? "memories",
    rooms: [tab("memories", id ? "Memory" : "Memories", id ? openOne : openMemories), tab("profile", "Profile", openProfile), tab("guidance", "Guidance", openGuidance)],
    onChoose: (name) => history.replaceState(null, "", ctx.link("memory", addressed(ctx, name))),
  });
  fill(room,
    head("Memory", "What lasts beyond a conversation. Everything here can be corrected, and everything can be forgotten.",
      ...save(`memory-${ctx.namespace}`, { json: () => saved[made.chosen()]?.json() ?? null, markdown: () => saved[made.chosen()]?.markdown() ?? "" })),
    made.node);
  await made.ready;
  if (ctx.isAdmin && !id) room.append(wholeNamespace(ctx)); // afterwards: nothing moves
  return { changed: made.changed, close: made.close };
}

/** What of the address stays when a tab is chosen: filters and an open memory belong to the first one. */
function addressed(ctx, name) {
  if (name !== "memories") return { tab: name };
  return Object.fromEntries([...ctx.params].filter(([key]) => key !== "namespace" && key !== "tab"));
}
