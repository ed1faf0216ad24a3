// Forgetting waits a few seconds, in whatever view one goes on; then it is done, unless somebody took it back.

import { toast } from "../parts.js";
import { Pending } from "./pending.js";

const SECONDS = 10;
export const going = new Pending();

// Who closes the page while something waits is asked by the browser: it would stay, and nobody would know.
window.addEventListener("beforeunload", (event) => { if (going.size) event.preventDefault(); });

/** Let something go, with a way back. `changed` is told when it stays, and when it is gone. */
export function letGo(key, { words, carryOut, changed }) {
  going.add(key, {
    ask: ({ undo, done }) => toast(words, { undo, done, seconds: SECONDS }),
    carryOut,
    back: (error) => { if (error) toast(error.message, { kind: "bad", remedy: error.remedy }); changed(false); },
    gone: () => changed(true),
  });
}
