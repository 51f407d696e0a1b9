// What is heard and celebrated when a state comes: cards, the visitor's turn, a result, a blackjack, a bonus.
import { $ } from "../dom.js";
import { say } from "../notices.js";
import { layout } from "./page.js";
import { sounds } from "./sound.js";

/** @typedef {import("../types/table.js").TableView} TableView */
/** @typedef {import("../types/table.js").Outcome} Outcome */

/** @param {TableView} view */
const cardCount = ({ round }) =>
  (round?.dealer.length ?? 0) +
  (round?.spots.flatMap((spot) => spot.hands).reduce((sum, hand) => sum + hand.cards.length, 0) ?? 0);

/**
 * The visitor's own outcomes in a state.
 * @param {TableView} view
 */
const ownOutcomes = ({ round }) =>
  (round?.spots ?? []).filter((spot) => spot.you).flatMap((spot) => spot.outcomes ?? []);

/**
 * Whether an outcome is a moment: a blackjack, or a bonus or meter that the house pays as a sum.
 * @param {TableView} view
 * @param {Outcome} outcome
 */
export function isAward({ round }, outcome) {
  if (outcome.result !== "won") return false;
  if (!outcome.stake_cents) return true;
  const hand = round?.spots.find((spot) => spot.number === outcome.spot)?.hands[outcome.hand - 1];
  return outcome.wager === layout.main_wager && Boolean(hand?.natural);
}

/** @param {Outcome} outcome */
function celebrate(outcome) {
  const felt = $(".b-felt");
  felt.classList.remove("moment");
  requestAnimationFrame(() => felt.classList.add("moment"));
  felt.dataset.moment = outcome.words;
  sounds.award();
}

/**
 * What is new in a state, heard by those who asked for sound and said to those who hear the page.
 * @param {TableView} before
 * @param {TableView} next
 */
export function notice(before, next) {
  const same = before.round_number === next.round_number;
  const known = same ? ownOutcomes(before).length : 0;
  const fresh = ownOutcomes(next).slice(known);
  const award = fresh.find((one) => isAward(next, one));
  if (fresh.length) say(fresh.map((one) => one.words).join(". "));
  if (award) celebrate(award);
  else if (next.last?.id !== before.last?.id && (next.last?.your_net_cents ?? 0) > 0) sounds.won();
  else if (next.you.options.length && !before.you.options.length) sounds.turn();
  else if (cardCount(next) > cardCount(before)) sounds.card();
}
