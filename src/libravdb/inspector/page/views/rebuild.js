// The vectors of a store, and making them anew: shown while it happens, and reversible.

import { el, fill } from "../dom.js";
import { badge, bar, count, failed, note, plural, work } from "../parts.js";
import { coverage, rebuilding, reembeddedWords, spaceName, spaceState, stepsFor } from "./vectors.js";

const POLL = 1000;

/** A card with the store's vectors; `show` puts a state there, `renew` asks for a fresh one. */
export function vectorsCard(ctx, renew) {
  const progress = el("div.progress", { role: "status" });
  const told = el("div", { role: "status" });
  const spaces = el("div");
  const actions = el("div.row");
  let timer = 0;
  let isWorking = false;
  let isClosed = false;

  /** Look again and again while vectors are being made, here or by the daemon itself. */
  function watch() {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(async () => {
      try {
        show(await ctx.ask("describe"));
      } catch {
        watch(); // The next look may succeed; what failed is told by whoever asked for the work.
      }
    }, POLL);
  }

  function show(state) {
    const making = rebuilding(state);
    fill(progress, making ? progressBar(making, isWorking) : "");
    fill(spaces, state.spaces.length ? state.spaces.map((space) => spaceNode(space, state)) : el("p.soft", {}, "There are no vectors: search goes by words alone."));
    if (!isWorking) fill(actions, ...buttons(state));
    if (isWorking || state.spaces.some((space) => space.state === "building")) watch();
  }

  function buttons(state) {
    if (!ctx.isAdmin) return [el("p.small.soft", {}, "Making vectors anew needs an admin's token.")];
    const can = stepsFor(state);
    const name = state.embedder?.name;
    return [
      name ? step("run", can.isOther ? `Make all anew with ${name}` : "Bring vectors up to date", { kind: can.isOther ? "main" : "", title: can.isOther ? "Search goes on meanwhile" : "The configured embedder is the one in use: this adds what is missing" }) : "",
      can.missing ? step("missing", `Add the ${count(state.store.unembedded)} missing`) : "",
      can.rollback ? step("rollback", "Go back to the former") : "",
      can.prune ? step("prune", "Delete unused …", { kind: "danger" }) : "",
    ];
  }

  const step = (name, text, props = {}) => work(text, () => take(name), { toast: ctx.toast, ...props });

  async function take(name, force = false) {
    if (name === "prune" && !(await ctx.confirm({ title: "Delete unused vectors?", danger: true, action: "Delete", words: ["Those in use stay. The others can be made anew from the texts, which takes time; going back to them is then no longer possible."] }))) return;
    isWorking = true;
    fill(told, el("p.soft", {}, "Working … search goes on meanwhile, and it can be stopped and started again."));
    watch();
    try {
      const done = await ctx.ask("reembed", { step: name, ...(force ? { force } : {}) });
      fill(told, note("", reembeddedWords(name, done)));
    } catch (error) {
      fill(told, failed(error), error.kind === "SelfCheckFailed" ? work("Use them all the same", () => take("run", true), { toast: ctx.toast, kind: "danger" }) : "");
    } finally {
      isWorking = false;
      await renew();
    }
  }

  return {
    node: el("section.card", { "aria-label": "Vectors" }, el("h3", {}, "Vectors"), el("p.small.soft", {}, "What search by meaning compares. Those of two models are never mixed."), progress, spaces, told, actions),
    show,
    close: () => { isClosed = true; clearTimeout(timer); },
  };
}

function progressBar({ name, done, whole, share }, isWorking) {
  const words = `${count(done)} of ${plural(whole, "text")}`;
  return el("div", {}, el("p", {}, el("b", {}, isWorking ? `Making vectors with ${name}: ` : `${name}: `), el("span.num", {}, `${words} (${Math.floor(share * 100)} %)`)),
    el("progress", { max: String(Math.max(1, whole)), value: String(done), "aria-label": `Vectors made: ${words}` }));
}

function spaceNode(space, { store, embedder }) {
  const { label, kind, about } = spaceState(space, embedder?.fingerprint);
  const { done, whole } = coverage(space, store);
  return el("div.space", {}, el("div.meta", {}, el("b", {}, spaceName(space)), el("span", { title: about }, badge(label, kind)), el("span", {}, plural(space.vectors, "vector")), el("span", {}, plural(space.dimensions, "dimension"))),
    bar([{ label: "texts with vectors", value: done, kind: "c1", text: `${count(done)} of ${count(whole)}` }], { total: whole || 1, key: false }),
    el("p.small.soft", {}, `${count(done)} of ${plural(whole, "text")} · ${about} · `, el("code", {}, space.fingerprint)));
}
