// Settings that are tried: which differ from what is in force, and how a link tells them.

/** Read settings out of an address: "dense_weight:0.5,k1:1.2". What is no number is left out. */
export function readSettings(text) {
  const chosen = {};
  for (const part of (text ?? "").split(",")) {
    const [name, value] = part.split(":");
    if (name && value !== undefined && value.trim() !== "" && Number.isFinite(Number(value))) chosen[name.trim()] = Number(value);
  }
  return chosen;
}

/** Settings as an address tells them, in the order of their names, so that equal choices give equal links. */
export const tellSettings = (chosen) => Object.keys(chosen).sort().map((name) => `${name}:${chosen[name]}`).join(",");

/** Only what differs from what is in force: {name: number}. What is not known is sent too, so that it is refused with words. */
export function changedSettings(settings, chosen) {
  const inForce = new Map(settings.map((setting) => [setting.name, setting.value]));
  return Object.fromEntries(Object.entries(chosen).filter(([name, value]) => inForce.get(name) !== value));
}

/** Why a value cannot be taken, in words; empty when it can. The daemon has the last word. */
export function problemOf({ least, most }, value) {
  if (!Number.isFinite(value)) return "Type a number.";
  if (least !== undefined && least !== null && value < least) return `At least ${least}.`;
  if (most !== undefined && most !== null && value > most) return `At most ${most}.`;
  return "";
}

/** Settings in which every word that was typed stands, in the name or in what it does. */
export function matchingSettings(settings, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter(({ name, help }) => {
    const told = `${name} ${name.replaceAll("_", " ")} ${help}`.toLowerCase();
    return words.every((word) => told.includes(word));
  });
}

/** How far one press of an arrow goes: counts by one, weights by a twentieth, what is tiny by a tenth of itself. */
export function stepOf({ default: usual, most }) {
  if (usual >= 10) return 1;
  if (usual > 0 && usual < 0.05) return Number((usual / 10).toPrecision(1));
  return most !== undefined && most !== null && most <= 1 ? 0.05 : 0.1;
}

/** The range in words. */
export function rangeOf({ least, most }) {
  const from = least ?? null;
  const to = most ?? null;
  if (from !== null && to !== null) return `${from} to ${to}`;
  if (from !== null) return `${from} or more`;
  return to !== null ? `up to ${to}` : "any number";
}
