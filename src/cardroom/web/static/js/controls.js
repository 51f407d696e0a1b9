// House rules as controls of a form, alike in the lab and in operations.
import { h } from "./dom.js";
import { titled } from "./words.js";

/** @typedef {import("./types/lab.js").Control} Control */
/** @typedef {import("./types/lab.js").OptionValue} OptionValue */

/** @param {Control} one */
export function label(one) {
  const name = titled(one.key.split(".").at(-1) ?? "");
  return one.kind === "switch" ? titled(one.words.split("; ")[0] || name) : name;
}

/**
 * @param {Control} one
 * @param {string} id
 */
export function inputOf(one, id) {
  if (one.kind === "switch") return h("input", { type: "checkbox", id, checked: Boolean(one.value) });
  if (one.kind === "choice") {
    const choices = one.choices.map((choice) =>
      h("option", { value: JSON.stringify(choice), selected: choice === one.value }, titled(String(choice))),
    );
    return h("select", { id }, choices);
  }
  const isNumber = one.kind === "number";
  return h("input", {
    id,
    type: isNumber ? "number" : "text",
    value: String(one.value),
    min: one.least,
    max: one.most,
    step: isNumber ? "any" : null,
  });
}

/**
 * What stands in the input of a control.
 * @param {Control} one
 * @param {any} input
 * @returns {OptionValue}
 */
export function valueIn(one, input) {
  if (one.kind === "switch") return input.checked;
  if (one.kind === "choice") return JSON.parse(input.value);
  return one.kind === "number" ? Number(input.value) : input.value.trim();
}
