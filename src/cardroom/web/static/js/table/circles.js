// The circles of a spot: its wager and its side bets, with their chips and what became of them.
import { chipsOf, stackOf } from "../chips.js";
import { $, h } from "../dom.js";
import { showStakes } from "../hands.js";
import { betParts, showDecided } from "../spot.js";
import { chips } from "../words.js";
import { chipInHand, layout, open, page, tooSmall } from "./page.js";
import { add } from "./wagers.js";

/** @typedef {import("../types/table.js").Spot} Spot */
/** @typedef {import("../types/table.js").PlayedSpot} PlayedSpot */
/** @typedef {import("../types/table.js").Wager} Wager */
/** @typedef {import("../types/table.js").SideBet} SideBet */
/** @typedef {import("../types/table.js").Outcome} Outcome */

/**
 * A button on which chips are put: a click adds one, with Shift or the other button it is taken off.
 * @param {number} number
 * @param {SideBet | null} bet
 * @param {string} look
 * @param {import("../dom.js").Children[]} parts
 */
export const chipButton = (number, bet, look, ...parts) =>
  h(
    "button",
    {
      class: look,
      type: "button",
      "data-wager": bet?.wager,
      title: bet?.title,
      click: (event) => add(number, bet, event.shiftKey ? -page.chip : chipInHand()),
      contextmenu: (event) => {
        event.preventDefault();
        add(number, bet, -page.chip);
      },
      keydown: (event) => {
        if (event.key === "Backspace" || event.key === "Delete") add(number, bet, -page.chip);
      },
    },
    ...parts,
  );

/** @param {SideBet} bet @param {number} number */
export const sideButton = (bet, number) =>
  chipButton(
    number,
    bet,
    "b-sidebet",
    ...betParts(bet.printed),
    h("span", { class: "sr" }, `, spot ${number}`),
  );

/**
 * The chips in the circle: a wager for the next round, or the one hand in play with what was paid beside it.
 * @param {HTMLButtonElement} circle
 * @param {Spot} spot
 * @param {Wager} wager
 * @param {PlayedSpot | undefined} played
 * @param {Outcome[]} outcomes
 */
export function showCircle(circle, spot, wager, played, outcomes) {
  const [hand] = played?.hands ?? [];
  const inPlay = played && played.hands.length === 1;
  const cents = inPlay ? hand.stake_cents : played ? 0 : wager.stake_cents;
  const amount = $(".b-amount", circle);
  amount.textContent = cents ? chips(cents) : spot.number;
  amount.classList.toggle("bare", !cents);
  const stakes = $(".b-stakes", circle);
  if (inPlay) {
    showStakes(layout, stakes, {
      played,
      hand,
      outcome: outcomes.find((one) => one.wager === layout.main_wager),
    });
  } else if (stakes.dataset.key !== String(cents)) {
    stakes.dataset.key = cents;
    stakes.replaceChildren(cents ? stackOf(chipsOf(layout.denominations_cents, cents)) : "");
  }
  const few = !played && wager.stake_cents > 0 && tooSmall(wager);
  circle.classList.toggle("staked", cents > 0);
  circle.classList.toggle("few", few);
  circle.disabled = !open() || (Boolean(spot.player) && !spot.you);
  const player = spot.you ? "you" : (spot.player ?? "free");
  circle.setAttribute("aria-label", `Spot ${spot.number}, ${player}: ${cents ? chips(cents) : "no wager"}`);
}

/**
 * A side bet: what stands on it, or what became of it.
 * @param {HTMLButtonElement} button
 * @param {Spot} spot
 * @param {number} cents
 * @param {Outcome | undefined} outcome
 */
export function showSideBet(button, spot, cents, outcome) {
  const meter = page.state.meters[button.dataset.wager ?? ""];
  $(".b-meter", button).textContent = meter ? ` meter ${chips(meter)}` : "";
  showDecided(layout, button, cents, outcome);
  button.disabled = !open() || (Boolean(spot.player) && !spot.you);
}
