// Settings of search that can be tried: found by words, changed, taken back. Nothing is saved.

import { el, fill } from "../dom.js";
import { badge, button, field, plural } from "../parts.js";
import { changedSettings, matchingSettings, problemOf, rangeOf, stepOf } from "./settings_diff.js";

/** The panel. `onChange(chosen)` hears every change that can be taken; `reset()` takes all back without telling. */
export function settingsPanel(settings, chosen, onChange) {
  const rows = settings.map((setting) => row(setting, chosen[setting.name], (value) => {
    if (value === null) delete chosen[setting.name]; else chosen[setting.name] = value;
    tell();
    onChange(chosen);
  }));
  const typed = el("input", { name: "find-setting", type: "search", placeholder: "words, recency, session …", oninput: show });
  const only = el("input", { name: "only-changed", type: "checkbox", onchange: show });
  const nothing = el("p.soft", { hidden: true }, "No setting of that name.");
  const changed = el("span");
  const again = button("Reset all", () => { reset(); onChange(chosen); });
  const groups = [["The ones to begin with", false], ["Set by measurement: change them to understand, not to tune by hand", true]]
    .map(([title, isTuned]) => ({ isTuned, title: el("h3.soft.small", {}, title), list: el("ul.settings", { "aria-label": title }, rows.filter((each) => each.setting.isTuned === isTuned).map((each) => each.node)) }));
  const node = el("details.card.tuning", { open: Object.keys(chosen).length > 0 },
    el("summary", {}, "Try other settings ", changed),
    el("p.soft.small", {}, "What you change holds for this question on this page alone and is shown beside what is configured. Nothing is saved."),
    el("div.row.mid", {}, field("Find a setting", typed, "grow"), field("Only changed ones", only, "inline"), again),
    el("div.choices", {}, groups.map(({ title, list }) => [title, list]), nothing));

  function show() {
    const found = new Set(matchingSettings(settings, typed.value));
    for (const each of rows) each.node.hidden = !found.has(each.setting) || (only.checked && !(each.setting.name in chosen));
    for (const { isTuned, title } of groups) title.hidden = !rows.some((each) => each.setting.isTuned === isTuned && !each.node.hidden);
    nothing.hidden = rows.some((each) => !each.node.hidden);
  }

  function tell() {
    const many = Object.keys(changedSettings(settings, chosen)).length;
    fill(changed, many ? badge(`${plural(many, "change")}`, "accent") : "");
    again.disabled = !many;
  }

  function reset() {
    for (const name of Object.keys(chosen)) delete chosen[name];
    for (const each of rows) each.take(undefined);
    tell();
    show();
  }

  tell();
  return { node, reset };
}

/** One setting: what it is called, what it does, and its value. `onValue` hears a number, or null when it is as usual again. */
function row(setting, value, onValue) {
  const step = stepOf(setting);
  const number = el("input", { name: setting.name, type: "number", min: setting.least, max: setting.most, inputmode: "decimal", "aria-label": setting.name, onchange: () => set(number.value === "" ? setting.value : Number(number.value)) });
  number.step = String(step);
  const hasSlider = setting.most <= 2 && step >= 0.01;
  // the field beside it is the same for the keyboard, so that Tab meets each setting once
  const slider = hasSlider ? el("input", { type: "range", min: setting.least ?? 0, max: setting.most, step: 0.01, tabindex: "-1", "aria-hidden": "true", oninput: () => { number.value = slider.value; }, onchange: () => set(Number(slider.value)) }) : null;
  const problem = el("span.small.bad-words", { role: "status" });
  const back = button("Reset", () => { take(undefined); onValue(null); number.focus(); }, { kind: "bare", "aria-label": `Reset ${setting.name}` });
  const node = el("li", {},
    el("div", {}, el("b.name", {}, setting.name), el("p.soft.small", {}, setting.help)),
    el("div.value", {}, number, slider ?? "", back),
    el("p.soft.small.range", {}, `default ${setting.default}${setting.value === setting.default ? "" : `, configured ${setting.value}`}, may be ${rangeOf(setting)} `, problem));

  function set(to) {
    fill(problem, problemOf(setting, to));
    number.setAttribute("aria-invalid", String(Boolean(problemOf(setting, to))));
    if (problemOf(setting, to)) return;
    take(to);
    onValue(to === setting.value ? null : to);
  }

  function take(to) {
    const now = to ?? setting.value;
    number.value = String(now);
    if (slider) slider.value = String(now);
    fill(problem);
    number.removeAttribute("aria-invalid");
    const isChanged = now !== setting.value;
    node.classList.toggle("changed", isChanged);
    back.hidden = !isChanged;
  }

  take(value);
  return { setting, node, take };
}
