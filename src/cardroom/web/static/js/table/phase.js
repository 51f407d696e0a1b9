// What happens at the table now, in a line.
import { chips } from "../words.js";
import { FIXED, layout, page, roundShown, secondsUntil, tooSmall } from "./page.js";

export function phaseText() {
  const { state } = page;
  if (state.frozen) return `The floor has frozen this table: ${state.frozen.reason}`;
  if (!state.enabled) return "This table is closed by the house.";
  if (state.phase === "shuffle") return resultText() || "The cards are shuffled.";
  if (state.phase === "salts") return "No more wagers. The browsers reveal their salts.";
  return state.phase === "round" ? inRound() : beforeRound();
}

function inRound() {
  const { turn, round, you } = page.state;
  if (!turn) return round?.phase === "dealer" ? "The dealer plays." : "The cards are dealt.";
  const mine = you.options.length > 0;
  if (round?.phase === "insurance") {
    return mine ? "The dealer shows an ace. Insurance?" : `Insurance: ${turn.player} decides.`;
  }
  if (!mine) return `${turn.player} decides.`;
  const hands = round?.spots.find((one) => one.number === turn.spot)?.hands ?? [];
  const which = hands.length > 1 ? `spot ${turn.spot}, hand ${turn.hand}` : `spot ${turn.spot}`;
  return `Your turn on ${which}: ${hands[turn.hand - 1]?.total}.`;
}

/** The visitor's result, as long as the round lies on the felt. */
export function resultText() {
  const { phase, you } = page.state;
  return phase !== "round" && roundShown() ? (you.result?.words ?? "") : "";
}

function beforeRound() {
  const { deal_at: dealAt, full, you } = page.state;
  const result = resultText();
  if (dealAt) {
    const seconds = secondsUntil(dealAt);
    if (result) return `${result} · next deal in ${seconds} s`;
    return seconds ? `The deal begins in ${seconds} s, or when everybody is ready.` : "The deal begins.";
  }
  if (result) return result;
  if (full && !you.spots.length) return "Every spot is taken.";
  const few = Object.entries(page.wanted).find(([, wager]) => tooSmall(wager));
  if (few) {
    const [number, wager] = few;
    return `${chips(wager.stake_cents)} on spot ${number}: the smallest wager is ${chips(layout.min_cents)}.`;
  }
  if (Object.keys(page.wanted).length) return "Your wagers stand. Deal when you are ready.";
  return FIXED ? layout.limits.words : "Choose a chip and put it on a spot.";
}
