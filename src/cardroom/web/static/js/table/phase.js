// What happens at the table now, in a line.
import { chips } from "../words.js";
import { layout, page, secondsUntil } from "./page.js";

export function phaseText() {
  const { state } = page;
  if (state.frozen) return `The floor has frozen this table: ${state.frozen.reason}`;
  if (!state.enabled) return "This table is closed by the house.";
  if (state.phase === "shuffle") return "The cards are shuffled.";
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
  return mine ? `Your hand on spot ${turn.spot}.` : `${turn.player} decides.`;
}

function beforeRound() {
  const { deal_at: dealAt, full, you } = page.state;
  if (dealAt) {
    const seconds = secondsUntil(dealAt);
    return seconds ? `The deal begins in ${seconds} s, or when everybody is ready.` : "The deal begins.";
  }
  if (full && !you.spots.length) return "Every spot is taken.";
  const few = Object.entries(page.building)[0];
  if (few) {
    const [number, wager] = few;
    return `${chips(wager.stake_cents)} on spot ${number}: the smallest wager is ${chips(layout.min_cents)}.`;
  }
  return Object.keys(page.wanted).length
    ? "Your wagers stand. Deal when you are ready."
    : "Choose a chip and put it on a spot.";
}
