// The vectors of a store: what state they are in, how far a rebuild is, what was done. Nothing here draws.

import { count, plural } from "../parts.js";

/** What a space of vectors is called. */
export const spaceName = (space) => space.description?.name || space.fingerprint;

const STATES = {
  active: ["in use", "good", "search uses these"],
  building: ["being made", "warn", "search does not use these yet"],
  retired: ["kept", "", "former ones, to go back to"],
};

const FOREIGN = ["of another model", "warn", "the configured model did not make these: search goes by words until new ones are made"];

/** The state of a space as {label, kind, about}; `fingerprint` is the configured embedder's. */
export function spaceState(space, fingerprint = "") {
  const isForeign = space.state === "active" && fingerprint && space.fingerprint !== fingerprint;
  const [label, kind, about] = isForeign ? FOREIGN : STATES[space.state] ?? [space.state, "", ""];
  return { label, kind, about };
}

/** How many of the store's texts have vectors in a space. In use, the daemon counts what is missing: a text without words
 *  never gets one, and is not missing. */
export function coverage(space, store) {
  const whole = Math.max(store.texts, space.texts);
  const done = space.state === "active" ? Math.max(0, whole - store.unembedded) : space.texts;
  return { done, whole, share: whole ? done / whole : 1 };
}

/** How far a rebuild is; null when none is under way that can be seen. */
export function rebuilding(state) {
  const space = state.spaces.find((each) => each.state === "building");
  if (space) return { name: spaceName(space), ...coverage(space, state.store) };
  const active = state.spaces.find((each) => each.state === "active");
  return active && state.store.unembedded > 0 ? { name: spaceName(active), ...coverage(active, state.store) } : null;
}

/** What can be done with the vectors now: only what would do something, or could. */
export function stepsFor(state) {
  const fingerprint = state.embedder?.fingerprint ?? "";
  const active = state.spaces.find((space) => space.state === "active");
  return {
    isOther: Boolean(fingerprint) && active !== undefined && active.fingerprint !== fingerprint,
    missing: state.store.unembedded > 0,
    rollback: state.spaces.some((space) => space.state === "retired"),
    prune: state.spaces.some((space) => space.state !== "active"),
  };
}

/** What a step did, in words. */
export function reembeddedWords(step, done) {
  const degraded = done.degraded ? ` ${done.degraded}` : "";
  if (step === "rollback") return `The former vectors are in place again: ${done.active}.${degraded}`;
  if (step === "prune") return done.dropped?.length ? `Deleted: ${done.dropped.join(", ")}.${degraded}` : `There was nothing to delete.${degraded}`;
  if (step === "missing") return `${madeWords(done.embedded ?? 0)}${degraded}`;
  const { embedded = 0, switched = false, found, required } = done.run ?? {};
  const checked = found === undefined ? "" : ` The check found ${percent(found)} of known texts again${required === undefined ? "" : `; ${percent(required)} were needed`}.`;
  return `${madeWords(embedded)}${switched ? " Search uses the new vectors now." : ""}${checked}${degraded}`;
}

const madeWords = (texts) => (texts ? `${plural(texts, "text")} got vectors.` : "Every text had its vectors already.");
const percent = (share) => `${count(Math.round(Math.max(0, share) * 100))} %`;
