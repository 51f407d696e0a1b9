// House rules as controls, in groups that open and close.
import { $, $$, h } from "../dom.js";
import { inputOf, label, valueIn } from "../controls.js";
import { about, page } from "./page.js";

/** @typedef {import("../types/lab.js").Control} Control */
/** @typedef {import("../types/lab.js").OptionValue} OptionValue */

/**
 * Show every control of the rules as they stand.
 * @param {(key: string, value: OptionValue) => void} change
 */
export function showControls(change) {
  const box = (/** @type {Control} */ one) => {
    const id = `o-${one.key}`;
    const favours = about.levers.find((lever) => lever.option === one.key)?.words;
    const input = inputOf(one, id);
    input.addEventListener("change", () => change(one.key, valueIn(one, input)));
    return h(
      "div",
      { class: `l-control ${one.key in page.options ? "changed" : ""}`, title: one.words },
      h("label", { for: id }, label(one)),
      input,
      h("span", { class: "clause" }, one.clause ?? ""),
      favours ? h("span", { class: "small soft l-favours" }, favours) : "",
    );
  };
  /** @type {Map<string, Control[]>} */
  const groups = new Map();
  for (const one of page.rules.controls) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  const opened = new Set($$("#l-controls details[open]").map((details) => details.dataset.group));
  const boxes = [...groups].map(([group, own], index) => {
    const isFirst = index === 0 && !opened.size;
    const open = opened.has(group) || isFirst || own.some((one) => one.key in page.options);
    return h("details", { "data-group": group, open }, h("summary", {}, own[0].group_title), own.map(box));
  });
  $("#l-controls").replaceChildren(...boxes);
}
