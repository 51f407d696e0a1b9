// Insurance: up to half the wager, by a slider of whole chips.
import { $, h } from "../dom.js";
import { keyFor } from "../keys.js";
import { chips, dollars } from "../words.js";
import { layout } from "./page.js";

/** @typedef {import("../types/table.js").Option} Option */

/** The most that may be insured now, in cents. */
let most = 0;

/** How much the slider says: so many chips, and the whole at its end. */
const chosenCents = () => Math.min(most, Number($("#b-insure-amount").value) * layout.chip_cents);

/** The action that the slider stands for, in the words of the engine. */
export const insureAction = () => `insure ${dollars(chosenCents()).replaceAll(",", "")}`;

/**
 * The group of insurance, where this table offers it.
 * @param {(action: string) => void} move
 */
export function insuranceParts(move) {
  const button = (/** @type {string} */ action) => {
    const printed = layout.actions.find((one) => one.action === action);
    if (!printed) return null;
    return h(
      "button",
      { class: "btn", type: "button", "data-action": action, disabled: true, click: () => move(action) },
      h("span", { class: "b-word" }, printed.title),
      h("span", {}, keyFor(action), " ", h("small", { class: "num" })),
    );
  };
  if (!layout.actions.some((one) => one.action === "insure")) return [h("div", { class: "b-insurance" })];
  const slider = h("input", { type: "range", id: "b-insure-amount", min: 1, max: 1, disabled: true });
  slider.addEventListener("input", showChosen);
  return [
    h(
      "div",
      { class: "b-insurance" },
      button("no insurance"),
      h(
        "label",
        { class: "b-amount-of-insurance off" },
        h("span", { id: "b-insure-words" }, "Insurance"),
        slider,
      ),
      button("insure"),
      button("even money"),
    ),
  ];
}

function showChosen() {
  $("#b-insure-words").textContent = most ? `${chips(chosenCents())} of ${chips(most)}` : "Insurance";
  $("[data-action='insure'] small").textContent = most ? chips(chosenCents()) : "";
}

/** @param {Option | undefined} option */
export function showInsurance(option) {
  const slider = $("#b-insure-amount");
  if (!slider) return;
  const now = option?.adds_cents ?? 0;
  if (now !== most) {
    most = now;
    slider.max = Math.max(1, Math.ceil(most / layout.chip_cents));
    slider.value = slider.max;
  }
  slider.disabled = !option;
  slider.parentElement.classList.toggle("off", !option);
  showChosen();
}
