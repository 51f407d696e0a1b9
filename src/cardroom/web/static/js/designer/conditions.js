// Conditions of a line by form: chosen from what the server offers, its fields filled in, added to the line.
import { h } from "../dom.js";

/** @typedef {{words: string, kind: "choice" | "number" | "list", first: string, choices: string[]}} Field */
/** @typedef {{words: string, text: string, fields: Field[]}} Condition */

/**
 * A condition as it stands in a file: each {} is a field's value, each doubled brace one brace.
 * @param {Condition} condition
 * @param {string[]} values
 */
function written(condition, values) {
  const rest = [...values];
  return condition.text.replace(/\{\}|\{\{|\}\}/g, (place) =>
    place === "{}" ? (rest.shift() ?? "") : place[0],
  );
}

/**
 * @param {Field} field
 * @param {string} value
 */
function valueOf(field, value) {
  if (field.kind === "number") return String(Number(value));
  return JSON.stringify(field.kind === "list" ? value.split(/[\s,]+/).filter(Boolean) : value);
}

/** @param {Field} field */
function control(field) {
  if (field.kind === "choice") {
    return h(
      "select",
      {},
      field.choices.map((choice) => h("option", { value: choice, selected: choice === field.first }, choice)),
    );
  }
  const type = field.kind === "number" ? "number" : "text";
  return h("input", { type, value: field.first, autocomplete: "off", min: type === "number" ? 0 : null });
}

/**
 * A row in which a condition is chosen and added.
 * @param {Condition[]} conditions
 * @param {(text: string) => void} add
 */
export function conditionChooser(conditions, add) {
  /** @type {HTMLElement[]} */
  let controls = [];
  const fields = h("span", { class: "d-condition-fields" });
  const kinds = h(
    "select",
    { input: (/** @type {Event} */ event) => event.stopPropagation(), change: show },
    conditions.map((one, place) => h("option", { value: String(place) }, one.words)),
  );
  const chosen = () => conditions[Number(/** @type {any} */ (kinds).value)];
  function show() {
    controls = chosen().fields.map(control);
    for (const one of controls) one.addEventListener("input", (event) => event.stopPropagation());
    fields.replaceChildren(
      ...chosen().fields.map((field, place) => h("label", {}, field.words, controls[place])),
    );
  }
  show();
  const put = () =>
    add(
      written(
        chosen(),
        chosen().fields.map((field, place) => valueOf(field, /** @type {any} */ (controls[place]).value)),
      ),
    );
  return h(
    "div",
    { class: "d-condition" },
    h("label", {}, "Condition", kinds),
    fields,
    h("button", { class: "btn small", type: "button", click: put }, "Add the condition"),
  );
}
