// One hand: cards are tapped or typed, and every action's exact value comes.
import { $, $$, h } from "../dom.js";
import { capitalized, counted, dollars, signed } from "../words.js";
import { ask } from "./asking.js";
import { actionTable } from "./cell.js";
import { about, inputs, page } from "./page.js";

/** @typedef {import("../types/lab.js").HandValues} HandValues */

const result = $("#l-hand-values");
/** @type {HTMLInputElement[]} */
const fields = $$("#l-hand input[type=text]");
const [cards, upCard, removed] = fields;
/** Where a tapped card goes. */
let target = cards;
/** Where the last one went: its suit may follow. */
let tapped = cards;
const SUIT_AT_END = new RegExp(`[${about.suits.map((suit) => suit.letter).join("")}]$`);
/** How long nobody types before a hand is computed, in milliseconds. */
const PAUSE = 500;
/** @type {number | undefined} */
let later;
/** Counts up with every hand: the answer to an older one is thrown away. */
let latest = 0;

/** @param {HTMLInputElement} field */
function aim(field) {
  target = field;
  for (const one of fields) one.classList.toggle("l-target", one === field);
}

/**
 * A tapped card. After two of yours the dealer's is next, and then further ones of yours.
 * @param {string} rank
 */
function tap(rank) {
  tapped = target;
  if (target === upCard) {
    upCard.value = rank;
    aim(cards);
  } else {
    target.value += rank;
    if (target === cards && !upCard.value && ranksIn(cards) === 2) aim(upCard);
  }
  calculate();
}

/**
 * The suit of the card that was tapped last; another one takes its place.
 * @param {string} letter
 */
function tapSuit(letter) {
  const text = tapped.value.replace(SUIT_AT_END, "");
  if (!text) return;
  tapped.value = text + letter;
  calculate();
}

/** @param {HTMLInputElement} field */
const ranksIn = (field) => about.ranks.reduce((sum, rank) => sum + field.value.split(rank).length - 1, 0);

/** Nothing of other rules stays in view. */
export function clearHand() {
  clearTimeout(later);
  latest += 1;
  result.replaceChildren();
}

/** Compute the hand that is there, if one is. */
export async function calculate() {
  clearHand();
  const mine = latest;
  if (!cards.value.trim() || !upCard.value.trim()) return;
  const { turn } = page;
  const isWanted = () => mine === latest && turn === page.turn;
  result.replaceChildren(h("p", { class: "soft", role: "status" }, "Being computed …"));
  const hand = { cards: cards.value, up_card: upCard.value, removed: removed.value };
  try {
    /** @type {HandValues} */
    const answer = await ask("/lab/hand", { ...inputs(), ...hand }, isWanted);
    if (isWanted() && answer.rules_hash === page.rules.rules_hash) show(answer);
  } catch (error) {
    if (isWanted()) {
      const words = capitalized(/** @type {Error} */ (error).message);
      result.replaceChildren(h("p", { class: "alert", role: "alert" }, words));
    }
  }
}

/** @param {HandValues} hand */
function show(hand) {
  const title = `${hand.cards}, ${hand.total}, against ${hand.up_card}`;
  const shoe = hand.cards_in_shoe === null ? "" : `, from ${counted(hand.cards_in_shoe, "card")}`;
  const condition = hand.given_no_blackjack ? "; given no blackjack of the dealer's" : "";
  const size = `For each unit of a wager of ${dollars(hand.wager_cents)}${shoe}${condition}.`;
  const averaged = hand.averaged_over_suits ? " Averaged over suits and tens that were not told apart." : "";
  const partly = hand.not_with_all_cards.map((action) => ` Only some of these cards may ${action}.`).join("");
  const value = signed(hand.expected_value.decimal, 6, { plus: true });
  const body = hand.actions.length
    ? actionTable(hand.actions)
    : h("p", {}, `Nothing is to be decided. Expected value ${value}.`);
  result.replaceChildren(
    h("h3", {}, title),
    body,
    h("p", { class: "small soft" }, `${size}${averaged}${partly}`),
  );
}

for (const field of fields) {
  field.addEventListener("focus", () => aim(field));
  field.addEventListener("input", () => {
    clearHand();
    later = setTimeout(calculate, PAUSE);
  });
}
aim(cards);
/**
 * @param {string} name
 * @param {string} label
 * @param {() => void} click
 */
const key = (name, label, click) =>
  h("button", { class: "btn small", type: "button", "aria-label": label, click }, name);
$("#l-ranks").append(...about.ranks.map((rank) => key(rank, `Add ${rank}`, () => tap(rank))));
$("#l-suits").append(
  ...about.suits.map(({ letter, sign, name }) => key(sign, `of ${name}`, () => tapSuit(letter))),
);
$("#l-hand").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  calculate();
});
$("#l-hand-clear").addEventListener("click", () => {
  for (const field of fields) field.value = "";
  aim(cards);
  clearHand();
});
