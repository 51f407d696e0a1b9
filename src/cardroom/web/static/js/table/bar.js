// The bar of actions. Every button is built once and keeps its place; what cannot be done now is pale.
import { $, $$, h } from "../dom.js";
import { keyFor, KEYS } from "../keys.js";
import { average, chips } from "../words.js";
import { insuranceParts, showInsurance } from "./insurance.js";
import { layout, open, page, redraw, staked } from "./page.js";
import { act, advise } from "./play.js";
import { clear, deal, repeat } from "./wagers.js";

/** @typedef {import("../types/table.js").Option} Option */

/**
 * @param {string} action
 * @param {string} title
 * @param {() => void} click
 * @param {{look?: string, id?: string}} rest
 */
const button = (action, title, click, { look = "", id } = {}) =>
  h(
    "button",
    { class: `btn ${look}`, type: "button", id, "data-action": action, disabled: true, click },
    h("span", { class: "b-word" }, title),
    h("span", {}, KEYS[action] ? keyFor(action) : "", " ", h("small", { class: "num" })),
  );

/**
 * The option of an action that is offered now.
 * @param {string} action
 */
export const offered = (action) =>
  page.state.you.options.find((one) => one.action === action || one.action.startsWith(`${action} `));

/** @param {string} action */
function move(action) {
  const option = offered(action);
  if (option) act(option);
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
      "aria-label": `${chips(cents)} chip`,
      click: () => choose(cents),
    },
    String(cents / 100),
  );

/** @param {number} cents */
export function choose(cents) {
  page.chip = cents;
  redraw();
}

export function takeBack() {
  page.taking = !page.taking;
  redraw();
}

/** The moves of a hand in their rows: what is rare first, what is frequent where the thumb is. */
const FREQUENT = ["double", "stand", "hit"];

function build() {
  const titles = layout.actions.filter(
    ({ action }) => !["no insurance", "insure", "even money"].includes(action),
  );
  const moves = titles.map(({ action, title }) => ({
    action,
    made: button(action, title, () => move(action)),
  }));
  const rare = moves.filter(({ action }) => !FREQUENT.includes(action)).map(({ made }) => made);
  const frequent = moves.filter(({ action }) => FREQUENT.includes(action)).map(({ made }) => made);
  const tray = h(
    "div",
    { class: "b-tray" },
    h(
      "div",
      { class: "b-chips", role: "radiogroup", "aria-label": "Chip" },
      layout.chips_cents.map(chipButton),
    ),
    button("take back", "Take back", takeBack),
    button("clear", "Clear", clear),
    button("repeat", "Same again", repeat),
  );
  const last = h(
    "div",
    { class: "b-moves" },
    h("div", {}, button("advice", "Advice", advise, { id: "b-advice" }), rare),
    h("div", {}, frequent, button("deal", "Deal", deal, { look: "main", id: "b-deal" })),
  );
  $("#b-actions").append(tray, ...insuranceParts(move), last);
}

/**
 * What a move is worth where advice was asked for, what it adds or gives up.
 * @param {Option} option
 */
function underneath(option) {
  const { advice, state } = page;
  const values = advice?.ready && advice.step === state.step ? advice.values : [];
  const worth = values.find((line) => line.action === option.action)?.value_cents;
  const best = values[0]?.action === option.action;
  if (worth !== undefined) return { best, words: `${best ? "best " : ""}${average(worth, { plus: true })}` };
  if (option.gives_up_cents) return { best, words: `lose ${chips(option.gives_up_cents)}` };
  return { best, words: option.adds_cents ? `${chips(option.adds_cents)} more` : "" };
}

/** @param {string} action */
function showMove(action) {
  const made = $(`#b-actions [data-action="${action}"]`);
  const option = offered(action);
  const { best, words } = option ? underneath(option) : { best: false, words: "" };
  made.disabled = !option || page.acting;
  made.classList.toggle("best", best);
  $("small", made).textContent = words;
  const title = layout.actions.find((one) => one.action === action)?.title ?? "";
  $(".b-word", made).textContent = option?.title ?? title;
}

/**
 * @param {string} action
 * @param {boolean} may
 * @param {string | null} title
 */
function showButton(action, may, title = null, words = "") {
  const made = $(`#b-actions [data-action="${action}"]`);
  made.disabled = !may;
  if (title !== null) $(".b-word", made).textContent = title;
  $("small", made).textContent = words;
}

const previousCents = () =>
  Object.values(page.previous ?? {}).reduce(
    (sum, wager) => sum + wager.stake_cents + Object.values(wager.side).reduce((all, one) => all + one, 0),
    0,
  );

export function showBar() {
  if (!$("#b-actions").childElementCount) build();
  const { ready, options } = page.state.you;
  for (const { action } of layout.actions) showMove(action);
  for (const chip of $$("#b-actions .chip")) {
    const inHand = Number(chip.dataset.cents) === page.chip;
    chip.setAttribute("aria-checked", String(inHand));
    chip.tabIndex = inHand ? 0 : -1;
  }
  const again = open() && Boolean(page.previous) && !staked();
  showButton("take back", open() && staked());
  $("#b-actions [data-action='take back']").setAttribute("aria-pressed", String(page.taking));
  showButton("clear", open() && staked());
  showButton("repeat", again, null, page.previous ? chips(previousCents()) : "");
  showButton("deal", open() && staked() && !ready, ready ? "Waiting" : "Deal");
  showButton("advice", options.length > 0);
  showInsurance(offered("insure"));
}
