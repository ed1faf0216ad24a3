// The piece of a long text that is worth showing first.

const LEAD = 160;

/** What the engine says in passing, as a sentence of its own. */
export const sentence = (words) => (words ? `${words[0].toUpperCase()}${words.slice(1)}${/[.!?…]$/u.test(words) ? "" : "."}` : "");

/** The beginning of a text, for lists. */
export function brief(text, most = 140) {
  const letters = Array.from(text.trim());
  return letters.length > most ? `${letters.slice(0, most).join("")} …` : letters.join("");
}

/**
 * The part of a text around where a question is met: {text, ranges, passage, isCut}, all places in code points.
 * A text of up to `most` characters stays whole.
 */
export function windowOf(text, { ranges = [], passage = null, most = 700 } = {}) {
  const letters = Array.from(text);
  if (letters.length <= most) return { text, ranges, passage, isCut: false };
  const met = passage?.[0] ?? ranges[0]?.[0] ?? 0;
  const start = Math.max(0, Math.min(wordBefore(letters, met - Math.min(LEAD, Math.floor(most / 3))), letters.length - most));
  const end = Math.min(letters.length, start + most);
  const before = start > 0 ? "… " : "";
  const move = ([from, to]) => [Math.max(from, start) - start + before.length, Math.min(to, end) - start + before.length];
  const isInside = ([from, to]) => to > start && from < end;
  return {
    text: `${before}${letters.slice(start, end).join("")}${end < letters.length ? " …" : ""}`,
    ranges: ranges.filter(isInside).map(move),
    passage: passage && isInside(passage) ? move(passage) : null,
    isCut: true,
  };
}

/** The beginning of the word at a place, so that none is torn where there are words. */
function wordBefore(letters, place) {
  let start = Math.max(0, place);
  const least = Math.max(0, start - 30);
  while (start > least && !/\s/u.test(letters[start - 1])) start -= 1;
  return start;
}
