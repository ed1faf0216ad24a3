// Forgetting waits a few seconds, in whatever view one goes on; then it is done, unless somebody took it back.

import { toast } from "../parts.js";
import { Pending } from "./pending.js";

const SECONDS = 10;
const TOLD = "libravdb-going";
export const going = new Pending();

// Who closes the page while something waits is asked by the browser: it would stay, and nobody would know.
window.addEventListener("beforeunload", (event) => { if (going.size) event.preventDefault(); });

/** Let something go, with a way back. */
export function letGo(key, { words, carryOut }) {
  const tell = (isGone) => document.dispatchEvent(new CustomEvent(TOLD, { detail: { key, isGone } }));
  going.add(key, {
    ask: ({ undo, done }) => toast(words, { undo, done, seconds: SECONDS }),
    carryOut,
    back: (error) => { if (error) toast(error.message, { kind: "bad", remedy: error.remedy }); tell(false); },
    gone: () => tell(true),
  });
  tell(false);
}

/** Be told, as long as a node is shown, of everything that begins to go, stays after all, or is gone. */
export function whenGoing(node, told) {
  const listen = ({ detail }) => (node.isConnected ? told(detail) : document.removeEventListener(TOLD, listen));
  document.addEventListener(TOLD, listen);
}
