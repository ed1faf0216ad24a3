// Two prompts side by side: how far they are the same, and where they part.

/** How many characters (code units) two texts share at their beginning; a pair that makes one character is not torn. */
export function sharedLength(one, other) {
  const most = Math.min(one.length, other.length);
  let place = 0;
  while (place < most && one.charCodeAt(place) === other.charCodeAt(place)) place += 1;
  const last = one.charCodeAt(place - 1);
  return place > 0 && last >= 0xd800 && last <= 0xdbff ? place - 1 : place;
}

/** Characters as people and the page count them. */
export const letters = (text) => Array.from(text).length;

/**
 * Two prompts, given by their sections: what they share at the beginning in characters, about how many tokens of the
 * later one that is (a section that is shared in part counts by its share of characters), and for each section of each
 * whether it is the `same`, `differs` (from code point `from` on), or stands `behind` the first difference.
 * `isUnchanged`: the other prompt has the same section, wherever it stands.
 */
export function comparePrompts(before, after) {
  const [one, other] = [before, after].map((sections) => sections.map((section) => section.text).join(""));
  const shared = sharedLength(one, other);
  const tokens = sharedTokens(after, shared);
  const whole = after.reduce((sum, section) => sum + section.tokens, 0);
  const isSame = one === other;
  return {
    isSame,
    characters: letters(other.slice(0, shared)),
    tokens,
    whole,
    share: isSame ? 1 : whole ? Math.min(1, tokens / whole) : 0,
    before: placed(before, after, shared, isSame),
    after: placed(after, before, shared, isSame),
  };
}

function sharedTokens(sections, shared) {
  let start = 0;
  let tokens = 0;
  for (const { text, tokens: price } of sections) {
    if (text.length) tokens += price * Math.min(1, Math.max(0, shared - start) / text.length);
    start += text.length;
  }
  return Math.round(tokens);
}

/** Only the first section that goes on after the shared beginning differs there; what follows stands behind it. */
function placed(sections, others, shared, isSame) {
  const known = new Set(others.map(({ kind, text }) => `${kind}\n${text}`));
  let start = 0;
  let hasDiffered = false;
  return sections.map((section) => {
    const end = start + section.text.length;
    const state = isSame || end <= shared ? "same" : hasDiffered ? "behind" : "differs";
    const from = state === "differs" ? letters(section.text.slice(0, Math.max(0, shared - start))) : 0;
    hasDiffered ||= state === "differs";
    start = end;
    return { ...section, state, from, isUnchanged: known.has(`${section.kind}\n${section.text}`) };
  });
}

/** Where the first difference is marked: from where the texts part to the end of that line, and not far beyond. */
export function firstDifference(text, from, most = 240) {
  const all = Array.from(text);
  const line = all.indexOf("\n", from + 1);
  return [from, Math.min(all.length, line < 0 ? all.length : line, from + most)];
}
