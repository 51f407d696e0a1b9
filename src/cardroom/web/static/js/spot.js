// What lies on a spot beside its hands, at the table and in the replay: side bets, and what became of its wagers.
import { $, h } from "./dom.js";
import { chipsOfWager } from "./hands.js";
import { chips } from "./words.js";

/** @typedef {import("./types/table.js").PlayedSpot} PlayedSpot */
/** @typedef {import("./types/table.js").SideBet} SideBet */
/** @typedef {import("./types/table.js").Outcome} Outcome */
/** @typedef {import("./types/table.js").Layout} Layout */

/**
 * The parts of a side bet's place: chips, its name, money, meter, and what became of it in words.
 * @param {SideBet} bet
 */
export const sideBetParts = (bet) => [
  h("span", { class: "b-stakes" }),
  h("span", { class: "b-bet" }, bet.printed),
  h("span", { class: "b-money num" }),
  h("span", { class: "b-meter num" }),
  h("span", { class: "b-words" }),
];

/**
 * What stands on a side bet, or what became of it.
 * @param {Layout} layout
 * @param {HTMLElement} box
 * @param {number} cents
 * @param {Outcome | undefined} outcome
 */
export function showDecided(layout, box, cents, outcome) {
  const won = outcome && chips(outcome.net_cents, { plus: true });
  const words = outcome ? (outcome.net_cents ? won : "back") : cents ? chips(cents) : "";
  box.className = `b-sidebet ${cents ? "staked" : ""} ${outcome ? `decided ${outcome.result}` : ""}`;
  $(".b-money", box).textContent = words;
  $(".b-words", box).textContent = outcome?.words ?? "";
  const stakes = $(".b-stakes", box);
  const key = `${cents} ${outcome?.words}`;
  if (stakes.dataset.key === key) return;
  stakes.dataset.key = key;
  stakes.replaceChildren(...chipsOfWager(layout, outcome?.stake_cents ?? cents, outcome));
}

/**
 * Words whose last one, an amount, is never broken over two lines.
 * @param {string} words
 */
function withSum(words) {
  const end = words.lastIndexOf(" ") + 1;
  return [words.slice(0, end), h("span", { class: "b-sum" }, words.slice(end))];
}

/**
 * What became of the wagers of a spot, in words, under its circles.
 * @param {Layout} layout
 * @param {HTMLElement} list
 * @param {PlayedSpot | undefined} played
 * @param {Outcome[]} outcomes
 */
export function showTags(layout, list, played, outcomes) {
  const lines = outcomes
    .filter((one) => one.wager !== layout.main_wager || played?.hands.length === 1)
    .map((one) => [one.words, one.result, layout.side_bets.some((bet) => bet.wager === one.wager)]);
  if (played?.insurance_cents) lines.unshift([`Insurance ${chips(played.insurance_cents)}`, "", false]);
  const key = JSON.stringify(lines);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(
    ...lines.map(([words, look, side]) =>
      h("li", { class: `${look} ${side ? "of-side" : ""}` }, ...withSum(String(words))),
    ),
  );
}
