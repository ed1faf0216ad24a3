// What the account of a prompt is drawn from: the budget by parts, items and what was left out by groups.

/** The parts of a budget as a person thinks of them; the ledger tells finer claims. */
export const PARTS = [
  { name: "rules", label: "rules", kind: "c1", tranches: ["hard rules", "soft rules"] },
  { name: "profile", label: "profile", kind: "c6", tranches: ["profile"] },
  { name: "guidance", label: "guidance", kind: "c5", tranches: ["elevated"] },
  { name: "tail", label: "recent turns", kind: "c3", tranches: ["mandatory tail", "tail extension"] },
  { name: "summaries", label: "summaries", kind: "c2", tranches: ["summaries"] },
  { name: "recall", label: "recalled", kind: "c4", tranches: ["recall"] },
  { name: "host", label: "the host's own", kind: "c7", tranches: ["host's own"] },
  { name: "notice", label: "notice", kind: "c8", tranches: ["notice"] },
];

const ALWAYS = 6; // parts that are told even where they took nothing

/** The ledger of a receipt as parts of a bar, with what is free behind them; `over` is what exceeds the budget. */
export function budgetParts(receipt) {
  const known = new Set(PARTS.flatMap((part) => part.tranches));
  const other = receipt.ledger.filter((line) => !known.has(line.tranche)).reduce((sum, line) => sum + line.tokens, 0);
  const parts = PARTS.map((part) => ({ name: part.name, label: part.label, kind: part.kind, value: takenBy(receipt, part) })).filter((part, place) => place < ALWAYS || part.value);
  if (other) parts.push({ name: "other", label: "other", kind: "c7", value: other });
  parts.push({ name: "free", label: "free", kind: "c9", value: Math.max(0, receipt.budget - receipt.tokens) });
  return { parts, total: Math.max(receipt.budget, receipt.tokens), over: Math.max(0, receipt.tokens - receipt.budget) };
}

/** What stands in a prompt, by the parts of the budget; parts without items are left out. */
export function itemGroups(receipt) {
  const groups = PARTS.map((part) => ({ ...part, limit: limitOf(receipt, part), items: receipt.items.filter((item) => part.tranches.includes(item.tranche)) }));
  const known = new Set(PARTS.flatMap((part) => part.tranches));
  const rest = receipt.items.filter((item) => !known.has(item.tranche));
  if (rest.length) groups.push({ name: "other", label: "other", kind: "c7", tranches: [], limit: 0, items: rest });
  return groups.filter((group) => group.items.length).map((group) => ({ ...group, tokens: takenBy(receipt, group) }));
}

const takenBy = (receipt, part) => receipt.ledger.filter((line) => part.tranches.includes(line.tranche)).reduce((sum, line) => sum + line.tokens, 0);
const limitOf = (receipt, part) => receipt.ledger.filter((line) => part.tranches.includes(line.tranche)).reduce((sum, line) => sum + line.limit, 0);

const WHY = {
  gate: "Not kept when it was said",
  score: "Too weak for this question",
  budget: "No room left in the budget",
  superseded: "Outdated: something newer holds",
  "already visible": "In the prompt already, in another place",
  "same turn": "Held back while the turn is the same",
  degraded: "The rules and the last turns took everything",
};

/** What does not stand in a prompt, by why; the largest group first. */
export function leftOutGroups(receipt) {
  const groups = new Map();
  for (const one of receipt.leftOut) groups.set(one.why, [...(groups.get(one.why) ?? []), one]);
  return [...groups].map(([why, items]) => ({ why, label: WHY[why] ?? why, items })).sort((one, other) => other.items.length - one.items.length);
}

const SECTIONS = {
  rules: "Rules", profile: "Profile", summaries: "Summaries of what was said before", gap: "What is left out between", tail: "Recent turns",
  message: "A message of the host", elevated: "Guidance: standing wishes", recalled: "Recalled memories", degraded: "Notice",
};
export const sectionTitle = (kind) => SECTIONS[kind] ?? kind;

const OUTCOMES = {
  full: ["complete", "good"], partial: ["a long task is shown in part", "warn"], "lexical-only": ["found by words alone", "warn"], degraded: ["degraded", "bad"],
};
/** How a prompt came out, in words, and how that is meant. */
export const outcomeOf = (outcome) => OUTCOMES[outcome] ?? [outcome, ""];

/** How much of a prompt is the unchanged beginning of the one before, from 0 to 1. */
export function leadingShare(receipt) {
  const whole = receipt.tokens + (receipt.hostTokens ?? 0);
  return whole > 0 ? Math.min(1, receipt.leadingTokens / whole) : 0;
}
