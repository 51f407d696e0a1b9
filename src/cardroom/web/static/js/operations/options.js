// House options as a form: every one as it is now, in groups; what is changed is marked and kept.
import { inputOf, label, valueIn } from "../controls.js";
import { h } from "../dom.js";

/** @typedef {import("../types/lab.js").Control} Control */
/** @typedef {import("../types/lab.js").OptionValue} OptionValue */

/**
 * Show the options in a box; what is changed there comes into the record that is given back.
 * @param {HTMLElement} box
 * @param {Control[]} controls
 * @param {(count: number) => void} changed
 * @returns {Record<string, OptionValue>}
 */
export function optionsForm(box, controls, changed) {
  /** @type {Record<string, OptionValue>} */
  const changes = {};
  const line = (/** @type {Control} */ one) => {
    const id = `o-rule-${one.key}`;
    const input = inputOf(one, id);
    const before = JSON.stringify(valueIn(one, input));
    const made = h(
      "div",
      { class: "o-option", title: one.words },
      h("label", { for: id }, label(one)),
      input,
      h("span", { class: "clause" }, one.clause ?? ""),
    );
    input.addEventListener("input", () => {
      const value = valueIn(one, input);
      if (JSON.stringify(value) === before) delete changes[one.key];
      else changes[one.key] = value;
      made.classList.toggle("changed", one.key in changes);
      changed(Object.keys(changes).length);
    });
    return made;
  };
  /** @type {Map<string, Control[]>} */
  const groups = new Map();
  for (const one of controls) groups.set(one.group_title, [...(groups.get(one.group_title) ?? []), one]);
  const boxes = [...groups].map(([title, own]) =>
    h("details", {}, h("summary", {}, title), h("div", { class: "o-options" }, own.map(line))),
  );
  box.replaceChildren(...boxes);
  return changes;
}
