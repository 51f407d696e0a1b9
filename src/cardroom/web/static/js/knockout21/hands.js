// The hands of a Knockout 21 ticket, game by game, with choices that can be changed while that is allowed.
import { card, rankOf } from "../cards.js";
import { h } from "../dom.js";

/** @typedef {import("../types/knockout21.js").Choice} Choice */
/** @typedef {import("../types/knockout21.js").Choices} Choices */
/** @typedef {import("../types/knockout21.js").Hand} Hand */
/** @typedef {import("../types/knockout21.js").Layout} Layout */
/** @typedef {import("../types/knockout21.js").Result} Result */

/** @type {[Choice, string][]} */
const CHOICES = [
  ["H", "Hit"],
  ["S", "Stand"],
];

/**
 * All hands of a ticket. `changes` collects the choices that differ; without `changed` none may be made.
 * @param {{hands: Hand[]}} ticket
 * @param {Layout} layout
 * @param {Choices} changes
 * @param {{changed?: (() => void) | null, results?: Result[] | null}} options
 */
export function hands(ticket, layout, changes, { changed = null, results = null }) {
  const box = (/** @type {Hand} */ hand) => {
    const result = results?.[hand.position];
    const element = handBox(hand, result);
    if (result) addResult(element, result, layout);
    else addWaiting(element, hand, { drawing: results !== null });
    if (hand.choice) addChoice(element, hand, hand.choice, changes, changed);
    else element.append(tiny("plays itself"));
    return element;
  };
  const blocks = layout.games.map(({ game }) => {
    const own = ticket.hands.filter((hand) => hand.game === game);
    return h(
      "div",
      { class: "t-game" },
      h("h3", {}, `Game ${game}`),
      h("div", { class: "t-row" }, own.map(box)),
    );
  });
  return h("div", { class: "t-games" }, blocks);
}

/** @param {string} words */
const tiny = (words) => h("span", { class: "tiny soft" }, words);

/**
 * @param {Hand} hand
 * @param {Result | undefined} result
 */
function handBox(hand, result) {
  const cards = hand.cards.map((text) => card(text, { large: true }));
  if (result?.took) cards.push(card(result.hit, { large: true }));
  return h(
    "div",
    { class: "t-hand", "data-position": hand.position },
    h("div", { class: "t-cards" }, cards),
    h("span", { class: "tiny num" }, result ? result.total_say : hand.total_say),
  );
}

/**
 * What a hand came to for the ticket.
 * @param {Result} result
 */
export function resultWords(result) {
  if (!result.in_before) return "out before";
  if (result.won) return "✓ stays in";
  return result.lucky ? "✓ Lucky Loser" : "✕ knocked out";
}

/**
 * The lines that a result will take: what is known of the dealer, and while it is drawn that it is not shown.
 * @param {HTMLElement} box
 * @param {Hand} hand
 * @param {{drawing: boolean}} options
 */
function addWaiting(box, hand, { drawing }) {
  if (hand.dealer || drawing) box.append(tiny(hand.dealer ? `dealer ${rankOf(hand.dealer)}` : "\u00a0"));
  if (drawing) box.append(tiny("not shown yet"));
}

/**
 * @param {HTMLElement} box
 * @param {Result} result
 * @param {Layout} layout
 */
function addResult(box, result, layout) {
  const dealer = result.dealer_total > layout.best_total ? "bust" : result.dealer_total;
  box.append(
    h("span", { class: "tiny num" }, `dealer ${dealer}`),
    h("span", { class: "tiny verdict" }, resultWords(result)),
  );
  box.classList.add(result.in_before && (result.won || result.lucky) ? "good" : "out");
}

/**
 * @param {HTMLElement} box
 * @param {Hand} hand
 * @param {Choice} printed
 * @param {Choices} changes
 * @param {(() => void) | null} changed
 */
function addChoice(box, hand, printed, changes, changed) {
  const choose = (/** @type {Choice} */ choice) => {
    if (choice === printed) delete changes[hand.position];
    else changes[hand.position] = choice;
    show();
    changed?.();
  };
  if (hand.advice_say) box.append(h("span", { class: "tiny" }, hand.advice_say));
  const buttons = CHOICES.map(([choice, word]) => {
    const advised = choice === hand.advice;
    const label = `Hand ${hand.hand} of Game ${hand.game}: ${word}${advised ? ", the chart's choice" : ""}`;
    const attributes = {
      type: "button",
      disabled: !changed,
      "aria-label": label,
      click: () => choose(choice),
    };
    return h("button", attributes, word);
  });
  const show = () => {
    const now = changes[hand.position] ?? printed;
    CHOICES.forEach(([choice], index) => buttons[index].setAttribute("aria-pressed", String(choice === now)));
    box.classList.toggle("changed", now !== hand.advice);
  };
  show();
  box.append(h("div", { class: "t-choice" }, buttons));
}
