// What lies on a spot beside its hands, at the table and in the replay: side bets, insurance, and what became of its
// wagers.
import { chipsOfWager } from "./chips.js";
import { $, h } from "./dom.js";
import { chips } from "./words.js";

/** @typedef {import("./types/table.js").PlayedSpot} PlayedSpot */
/** @typedef {import("./types/table.js").SideBet} SideBet */
/** @typedef {import("./types/table.js").Outcome} Outcome */
/** @typedef {import("./types/table.js").Layout} Layout */

const INSURANCE = "insurance";
/** So many side bets have a large circle each, one at either hand of the wager's. */
const BESIDE = 2;

/**
 * The parts of a side bet's place: chips, its name, money, meter, and what became of it in words.
 * @param {string} printed
 */
export const betParts = (printed) => [
  h("span", { class: "b-stakes" }),
  h("span", { class: "b-bet" }, printed),
  h("span", { class: "b-money num" }),
  h("span", { class: "b-meter num" }),
  h("span", { class: "b-words" }),
];

/**
 * A spot with everything in its place: hands, circles, insurance, whose it is, and words.
 * @param {Layout} layout
 * @param {{number: number, count: number}} place
 * @param {{side: (bet: SideBet) => HTMLElement, circle: HTMLElement, who: HTMLElement}} parts
 */
export function spotBox(layout, { number, count }, { side, circle, who }) {
  const half = Math.ceil(layout.side_bets.length / 2);
  const sides = (/** @type {SideBet[]} */ bets) => h("div", { class: "b-sides" }, bets.map(side));
  const insures = layout.actions.some((one) => one.action === "insure");
  const box = h(
    "div",
    { class: `b-spot ${layout.side_bets.length > BESIDE ? "crowded" : ""}`, "data-spot": number },
    h("div", { class: "b-hands" }),
    h(
      "div",
      { class: "b-place" },
      sides(layout.side_bets.slice(0, half)),
      circle,
      sides(layout.side_bets.slice(half)),
    ),
    insures ? h("div", { class: "b-insured" }, ...betParts("Insurance")) : "",
    who,
    h("ul", { class: "b-tags" }),
  );
  const across = (2 * number - 1 - count) / count;
  box.style.setProperty("--t", String(across));
  if (across) box.classList.add(across < 0 ? "at-left" : "at-right");
  return box;
}

/**
 * What stands on a side bet or as insurance, or what became of it.
 * @param {Layout} layout
 * @param {HTMLElement} box
 * @param {number} cents
 * @param {Outcome | undefined} outcome
 */
export function showDecided(layout, box, cents, outcome) {
  const won = outcome && chips(outcome.net_cents, { plus: true });
  const words = outcome ? (outcome.net_cents ? won : "back") : cents ? chips(cents) : "";
  box.classList.toggle("staked", cents > 0);
  box.classList.toggle("decided", Boolean(outcome));
  for (const result of ["won", "lost", "returned"]) box.classList.toggle(result, outcome?.result === result);
  $(".b-money", box).textContent = words;
  $(".b-words", box).replaceChildren(...withSum(outcome?.words ?? ""));
  const stakes = $(".b-stakes", box);
  const key = `${cents} ${outcome?.words}`;
  if (stakes.dataset.key === key) return;
  stakes.dataset.key = key;
  stakes.replaceChildren(...chipsOfWager(layout, outcome?.stake_cents ?? cents, outcome));
}

/**
 * The insurance of a spot where it lies.
 * @param {Layout} layout
 * @param {HTMLElement} spot
 * @param {PlayedSpot | undefined} played
 */
export function showInsured(layout, spot, played) {
  const box = $(".b-insured", spot);
  const outcome = played?.outcomes.find((one) => one.wager === INSURANCE);
  if (box) showDecided(layout, box, played?.insurance_cents ?? 0, outcome);
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
  const kindOf = (/** @type {Outcome} */ one) => {
    if (one.wager === layout.main_wager) return "of-hand";
    if (one.wager === INSURANCE) return "of-insurance";
    return layout.side_bets.some((bet) => bet.wager === one.wager) ? "of-side" : "";
  };
  const lines = outcomes
    .filter((one) => kindOf(one) !== "of-hand" || played?.hands.length === 1)
    .map((one) => [one.words, `${one.result} ${kindOf(one)}`]);
  const key = JSON.stringify(lines);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...lines.map(([words, look]) => h("li", { class: look }, ...withSum(words))));
}
