// Judged turns over the axis of scores, drawn. Every number in it also stands in a table.

import { el, freshId } from "../dom.js";
import { count, number } from "../parts.js";
import { KINDS, KIND_WORDS, bins, counts, pieces } from "./gate_scores.js";

const SVG = "http://www.w3.org/2000/svg";
const BINS = 50;
const TOP = 22;
const LEAST_EACH = 4;

function svg(tag, props = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(props)) if (value !== null && value !== undefined) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

const percent = (value) => `${(Math.min(Math.max(value, 0), 1) * 100).toFixed(2)}%`;

/** The turns as stacks over the axis, the threshold, and `mark` ({score, label}) if there is one. Widths are shares of the
 * room, heights pixels: it stays readable on a phone. */
export function chart(turns, { threshold, t = threshold, mark = null, height = 150, label = "Judged turns by their score" }) {
  const hatch = freshId("hatch");
  const made = bins(turns, { size: BINS, t });
  const floor = height - 20;
  const tallest = Math.max(1, ...made.map((bin) => bin.total));
  const unit = Math.min(9, (floor - TOP) / tallest);
  const isEach = unit >= LEAST_EACH;
  const drawn = svg("svg", { class: "chart", height, role: "img", "aria-label": spoken(turns, { threshold, t, mark, label }) }, hatching(hatch));
  drawn.append(svg("rect", { class: "room-kept", x: percent(t), y: TOP, width: percent(1 - t), height: floor - TOP }));
  for (const bin of made) drawn.append(...stack(bin, { unit, isEach, floor, hatch }));
  drawn.append(svg("line", { class: "axis", x1: "0%", x2: "100%", y1: floor, y2: floor }), ...[0, 0.25, 0.5, 0.75, 1].map((at) => tick(at, height)));
  drawn.append(...line(threshold, `threshold ${number(threshold)}`, { kind: "today", floor }));
  if (Math.abs(t - threshold) > 1e-9) drawn.append(...line(t, "", { kind: "tried", floor }));
  if (mark) drawn.append(svg("line", { class: "mark", x1: percent(mark.score), x2: percent(mark.score), y1: TOP, y2: floor }), svg("circle", { class: "mark", cx: percent(mark.score), cy: floor, r: 5 }));
  return el("div.chart-room", {}, drawn);
}

function spoken(turns, { threshold, t, mark, label }) {
  const told = counts(turns, t);
  const parts = KINDS.map((kind) => `${count(told[kind])} ${KIND_WORDS[kind]}`).join("; ");
  return `${label}. Threshold ${number(threshold)}. ${turns.length ? `${count(turns.length)} turns at ${number(t)}: ${parts}.` : ""}${mark ? ` This text: ${number(mark.score)}.` : ""}`;
}

/** Refused ones are hatched: colour alone tells nothing. */
function hatching(id) {
  return svg("defs", {}, svg("pattern", { id, width: 4, height: 4, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { class: "hatch-ground", width: 4, height: 4 }), svg("rect", { class: "hatch-line", width: 2, height: 4 })));
}

function stack(bin, { unit, isEach, floor, hatch }) {
  let height = 0;
  return pieces(bin, { isEach }).map(({ kind, amount, turn }) => {
    const tall = amount * unit;
    height += tall;
    const told = turn ? `${number(turn.score)} · ${turn.veto || turn.admission || KIND_WORDS[kind]}\n${turn.text}` : `${number(bin.low)} to ${number(bin.high)}: ${count(amount)} ${KIND_WORDS[kind]}`;
    return svg("rect", { class: `dot ${kind}`, x: percent(bin.low + 0.1 / BINS), y: floor - height, width: percent(0.8 / BINS), height: Math.max(tall - (isEach ? 1.5 : 0), 0.5), fill: kind === "vetoed" ? `url(#${hatch})` : null }, svg("title", {}, told));
  });
}

const anchor = (at) => (at < 0.12 ? "start" : at > 0.88 ? "end" : "middle");
const tick = (at, height) => svg("text", { class: "tick", x: percent(at), y: height - 5, "text-anchor": at === 0 ? "start" : at === 1 ? "end" : "middle" }, String(at));
const line = (at, text, { kind, floor }) => [
  svg("line", { class: `line ${kind}`, x1: percent(at), x2: percent(at), y1: TOP - 4, y2: floor }),
  ...(text ? [svg("text", { class: `line-label ${kind}`, x: percent(at), y: TOP - 9, "text-anchor": anchor(at) }, text)] : []),
];

/** What the pieces mean, with how many there are. */
export function chartKey(turns, t) {
  const told = counts(turns, t);
  return el("ul.key", { "aria-label": "What the pieces mean" }, KINDS.map((kind) => el("li", {}, el("i", { class: `dot-key ${kind}` }), `${KIND_WORDS[kind]} `, el("b.num", {}, count(told[kind])))));
}

/** A measure's spread as a small histogram; the bins come from the daemon. */
export function spread(distribution) {
  const most = Math.max(1, ...distribution.bins.map((bin) => bin.count));
  const bars = distribution.bins.map((bin, place) => {
    const tall = (bin.count / most) * 40;
    return svg("rect", { class: "spread-bar", x: percent(place / distribution.bins.length + 0.005), y: 42 - Math.max(tall, bin.count ? 1.5 : 0), width: percent(1 / distribution.bins.length - 0.01), height: Math.max(tall, bin.count ? 1.5 : 0) }, svg("title", {}, `${number(bin.low, 1)} to ${number(bin.high, 1)}: ${count(bin.count)}`));
  });
  const told = distribution.bins.filter((bin) => bin.count).map((bin) => `${number(bin.low, 1)} to ${number(bin.high, 1)}: ${bin.count}`).join(", ");
  return svg("svg", { class: "spread", height: 44, role: "img", "aria-label": `Spread. ${told || "nothing yet"}` }, svg("line", { class: "axis", x1: "0%", x2: "100%", y1: 42.5, y2: 42.5 }), ...bars);
}
