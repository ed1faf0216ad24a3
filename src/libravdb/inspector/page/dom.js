// Elements without markup: every text becomes a text node, nothing is ever parsed.

const LISTENERS = /^on[a-z]/;

/** An element. Props: `class`, attributes, `onclick` and other listeners; false, null and undefined leave one out. */
export function el(tag, props = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (LISTENERS.test(key)) node.addEventListener(key.slice(2), value);
    else if (key === "class") node.className = [node.className, value].filter(Boolean).join(" ");
    else if (key === "value") node.value = value;
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

export function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

/** Put children in the place of what a node holds. */
export function fill(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

// Characters that turn or hide text: what somebody wrote must not rearrange what stands around it.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/u;

/** What somebody said, as he said it: isolated from its surroundings, with what cannot be seen made visible. */
export function said(text, { ranges = [], passage = null, tag = "span" } = {}) {
  const node = el(`${tag}.said`, { dir: "auto" });
  const letters = Array.from(String(text));
  const kinds = new Uint8Array(letters.length);
  for (const [start, end] of ranges) kinds.fill(1, start, end);
  if (passage) for (let place = passage[0]; place < Math.min(passage[1], letters.length); place += 1) kinds[place] |= 2;
  for (let start = 0; start < letters.length; ) {
    let end = start + 1;
    while (end < letters.length && kinds[end] === kinds[start]) end += 1;
    node.append(dressed(letters.slice(start, end), kinds[start]));
    start = end;
  }
  return node;
}

function dressed(letters, kind) {
  const plain = document.createDocumentFragment();
  let run = "";
  for (const letter of letters) {
    if (!CONTROL.test(letter)) { run += letter; continue; }
    if (run) plain.append(run);
    run = "";
    const code = letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    plain.append(el("span.control-char", { title: "a character that cannot be seen" }, `U+${code}`));
  }
  if (run) plain.append(run);
  if (kind === 0) return plain;
  const inner = kind & 1 ? el("mark", {}, plain) : plain;
  return kind & 2 ? el("span.passage", {}, inner) : inner;
}

let counter = 0;
/** A fresh id, for labels and descriptions. */
export const freshId = (name) => `${name}-${(counter += 1)}`;
