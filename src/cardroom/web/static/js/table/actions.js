// What the visitor may do now: the actions of a hand, or chips and the deal.
import { $, h } from "../dom.js";
import { keyFor, walksByKeyboard } from "../keys.js";
import { average, chips } from "../words.js";
import { layout, open, page } from "./page.js";
import { act, advise } from "./play.js";
import { clear, deal, repeat } from "./wagers.js";

/** @typedef {import("../types/table.js").Option} Option */

/**
 * An action of the hand, with what it is worth where advice was asked for.
 * @param {Option} option
 */
function actionButton(option) {
  const { advice, state, acting } = page;
  const values = advice?.ready && advice.step === state.step ? advice.values : [];
  const worth = values.find((line) => line.action === option.action)?.value_cents;
  const best = values[0]?.action === option.action;
  const attributes = {
    class: `btn ${best ? "best" : ""}`,
    type: "button",
    "data-action": option.action,
    disabled: acting,
    click: () => act(option),
  };
  const words = worth === undefined ? "" : `${best ? "best " : ""}${average(worth, { plus: true })}`;
  return h(
    "button",
    attributes,
    option.title,
    option.adds_cents ? h("small", { class: "num" }, `${chips(option.adds_cents)} more`) : null,
    option.key ? h("kbd", {}, option.key.toUpperCase()) : null,
    words ? h("small", { class: "num b-worth" }, words) : null,
  );
}

/** @param {number} cents */
const chipButton = (cents) =>
  h(
    "button",
    {
      class: "chip",
      type: "button",
      role: "radio",
      "data-cents": cents,
      "data-action": `chip${cents}`,
      "aria-checked": String(cents === page.chip),
      "aria-label": `${chips(cents)} chip`,
      tabindex: cents === page.chip ? 0 : -1,
      click: () => choose(cents),
    },
    String(cents / 100),
  );

/** @param {number} cents */
export function choose(cents) {
  page.chip = cents;
  showActions();
}

/**
 * @param {string} action
 * @param {string} text
 * @param {{look?: string, id?: string | null, disabled?: boolean, click: () => void}} rest
 */
const button = (action, text, { look = "small", id = null, disabled = false, click }) =>
  h(
    "button",
    { class: `btn ${look}`, type: "button", id, "data-action": action, disabled, click },
    text,
    keyFor(action),
  );

function wagerButtons() {
  const { ready } = page.state.you;
  const staked = Object.keys(page.wanted).length > 0;
  const few = Object.keys(page.building).length > 0;
  return [
    h(
      "div",
      { class: "b-chips", role: "radiogroup", "aria-label": "Chip" },
      layout.chips_cents.map(chipButton),
    ),
    button("clear", "Clear", { disabled: !open() || !staked, click: clear }),
    button("repeat", "Repeat", { disabled: !open() || !page.previous || staked, click: repeat }),
    button("deal", ready ? "Waiting" : "Deal", {
      look: "main",
      id: "b-deal",
      disabled: !open() || !staked || few || ready,
      click: deal,
    }),
  ];
}

/** The buttons; who walks by keyboard keeps the place. */
export function showActions() {
  const box = $("#b-actions");
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.action;
  const { you, phase, turn } = page.state;
  if (you.options.length) {
    const advice = button("advice", "Advice", { look: "quiet", id: "b-advice", click: advise });
    box.replaceChildren(...you.options.map(actionButton), advice);
  } else if (phase === "wagers") box.replaceChildren(...wagerButtons());
  else box.replaceChildren(h("p", { class: "soft" }, turn ? "It is another player's turn." : ""));
  if (focused && walksByKeyboard()) $(`[data-action="${focused}"]`, box)?.focus();
}
