// The hands of a spot, at the table and in the replay: cards in their fans, totals, and the wager of each split hand
// above it.
import { card, laidOut } from "./cards.js";
import { chipsOfWager } from "./chips.js";
import { h } from "./dom.js";
import { chips as words } from "./words.js";

/** @typedef {import("./types/table.js").PlayedSpot} PlayedSpot */
/** @typedef {import("./types/table.js").Hand} Hand */
/** @typedef {import("./types/table.js").Outcome} Outcome */
/** @typedef {import("./types/table.js").Layout} Layout */

/**
 * Where hands lie: what is printed there, a name for the round, and whether it is in play.
 * @typedef {{layout: Layout, round: string | number, inPlay: boolean}} Felt
 */

/**
 * The cards that lie in a box, by its name: what was not there before is seen coming.
 * @type {Map<string, string[]>}
 */
const lying = new Map();

/**
 * Cards come from left to right as they lie: the last one dealt is the leftmost (PROC-17).
 * @param {HTMLElement} box
 * @param {string} name
 * @param {string[]} texts
 */
export function layCards(box, name, texts, sideways = 0) {
  const before = lying.get(name) ?? [];
  const same = JSON.stringify(before) === JSON.stringify(texts);
  if (same && box.dataset.lying === name && box.childElementCount === texts.length) return;
  const added = texts.length - before.length;
  const cards = texts.map((text, index) => {
    const was = before[index - added];
    const dealt = was === undefined || (was === "back" && text !== "back");
    return card(text, { dealt: dealt && !same, sideways: index < sideways });
  });
  laidOut(box, cards);
  box.dataset.lying = name;
  if (lying.size > 200) lying.clear();
  lying.set(name, [...texts]);
}

/**
 * The wager of a hand as chips: the original, what a double put beside it, and what was paid beside both.
 * @param {Layout} layout
 * @param {PlayedSpot} played
 * @param {Hand} hand
 * @param {Outcome | undefined} outcome
 */
function stakesOf(layout, played, hand, outcome) {
  const original = Math.min(played.stake_cents, hand.stake_cents);
  return chipsOfWager(layout, original, outcome, hand.stake_cents - original);
}

/**
 * What a hand is and came to: its total, why, where no other words say so, and its money.
 * @param {Hand} hand
 * @param {Outcome | undefined} outcome
 */
function handWords(hand, outcome) {
  if (!hand.cards.length) return [];
  if (!outcome) return [hand.total];
  const money = outcome.result === "returned" ? "push" : words(outcome.net_cents, { plus: true });
  const why = outcome.line && outcome.line !== "push" && !hand.total.includes(outcome.line);
  return [hand.total, why ? h("span", { class: "b-why" }, `, ${outcome.line},`) : "", ` ${money}`];
}

const NUMBERS = ["none", "one", "two", "three", "four"];

/**
 * Show the hands of a spot in its box, which never changes its size; nothing is touched that is as it was.
 * @param {Felt} felt
 * @param {HTMLElement} box
 * @param {PlayedSpot | undefined} played
 * @param {Outcome[]} outcomes
 */
export function showHands(felt, box, played, outcomes) {
  const hands = played?.hands ?? [];
  box.className = `b-hands ${NUMBERS[Math.min(4, hands.length)]}`;
  while (box.childElementCount > hands.length) box.lastElementChild?.remove();
  hands.forEach((_, index) => {
    const outcome = outcomes.find((one) => one.wager === felt.layout.main_wager && one.hand === index + 1);
    const made = box.children[index] ?? box.appendChild(handBox());
    showHand(felt, /** @type {HTMLElement} */ (made), /** @type {PlayedSpot} */ (played), index, outcome);
  });
}

const handBox = () =>
  h(
    "div",
    { class: "b-hand" },
    h("div", { class: "b-stakes" }),
    h("div", { class: "b-fan" }),
    h("span", { class: "b-total num" }),
  );

/**
 * @param {Felt} felt
 * @param {HTMLElement} box
 * @param {PlayedSpot} played
 * @param {number} index
 * @param {Outcome | undefined} outcome
 */
function showHand(felt, box, played, index, outcome) {
  const hand = played.hands[index];
  const [stakes, fan, total] = /** @type {HTMLElement[]} */ ([...box.children]);
  const turn = hand.turn && felt.inPlay;
  const award = outcome?.result === "won" && hand.natural;
  box.className = `b-hand ${turn ? "turn" : ""} ${hand.status} ${award ? "award" : ""}`;
  layCards(fan, `${felt.round}-${played.number}-${index}`, hand.cards, hand.sideways);
  const key = `${hand.total} ${outcome?.words}`;
  if (total.dataset.key !== key) total.replaceChildren(...handWords(hand, outcome));
  total.dataset.key = key;
  const split = played.hands.length > 1;
  showStakes(felt.layout, stakes, split ? { played, hand, outcome } : null, { said: true });
}

/**
 * Stacks of chips, with their amount where it is to be said, drawn anew only when they change.
 * @param {Layout} layout
 * @param {HTMLElement} box
 * @param {{played: PlayedSpot, hand: Hand, outcome: Outcome | undefined} | null} wager
 */
export function showStakes(layout, box, wager, { said = false } = {}) {
  const key = wager ? `${wager.played.stake_cents} ${wager.hand.stake_cents} ${wager.outcome?.words}` : "";
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren(...(wager ? stakesOf(layout, wager.played, wager.hand, wager.outcome) : []));
  if (said && wager && !wager.outcome) {
    box.append(h("span", { class: "b-staked num" }, words(wager.hand.stake_cents)));
  }
}
