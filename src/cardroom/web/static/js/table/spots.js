// The spots: circles and side bets before the round, hands in it.
import { card, fanned } from "../cards.js";
import { h } from "../dom.js";
import { handBox } from "../hands.js";
import { chips } from "../words.js";
import { layout, open, page, titleOf, tooSmall } from "./page.js";
import { add, release } from "./wagers.js";

/** @typedef {import("../types/table.js").Spot} Spot */
/** @typedef {import("../types/table.js").PlayedSpot} PlayedSpot */
/** @typedef {import("../types/table.js").Wager} Wager */

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
  const added = texts.length - before.length;
  if (JSON.stringify(before) === JSON.stringify(texts) && box.childElementCount === texts.length) return;
  const cards = texts.map((text, index) => {
    const was = before[index - added];
    const dealt = was === undefined || (was === "back" && text !== "back");
    return card(text, { dealt, sideways: index < sideways });
  });
  box.replaceChildren(...cards);
  if (box.classList.contains("b-fan")) fanned(cards);
  lying.set(name, [...texts]);
}

/**
 * A button on which chips are put: a click adds one, with Shift or the other button it is taken off.
 * @param {number} number
 * @param {import("../types/table.js").SideBet | null} bet
 * @param {Record<string, string | boolean>} attributes
 * @param {string} text
 */
const chipButton = (number, bet, attributes, text) =>
  h(
    "button",
    {
      ...attributes,
      type: "button",
      click: (event) => add(number, bet, event.shiftKey ? -page.chip : page.chip),
      contextmenu: (event) => {
        event.preventDefault();
        add(number, bet, -page.chip);
      },
    },
    text,
  );

/**
 * @param {Spot} spot
 * @param {Wager} wager
 * @param {boolean} taken
 */
function circle(spot, wager, taken) {
  const stake = wager.stake_cents ? chips(wager.stake_cents) : "";
  const few = wager.stake_cents && tooSmall(wager);
  return chipButton(
    spot.number,
    null,
    {
      class: `b-circle ${stake ? "staked" : ""} ${few ? "few" : ""}`,
      disabled: !open() || taken,
      "aria-label": `Spot ${spot.number}, ${spot.player ?? "free"}: ${stake || "no wager"}`,
    },
    stake || (taken ? "" : String(spot.number)),
  );
}

/**
 * The side bets that may be placed or that stand.
 * @param {Spot} spot
 * @param {Wager} wager
 * @param {boolean} taken
 */
function sideBets(spot, wager, taken) {
  const offered = open() && (spot.you || (!spot.player && !tooSmall(wager)));
  const bets = layout.side_bets.filter((bet) => offered || wager.side[bet.wager]);
  return bets.map((bet) => {
    const stake = wager.side[bet.wager] ? chips(wager.side[bet.wager]) : "";
    return chipButton(
      spot.number,
      bet,
      {
        class: `b-sidebet ${stake ? "staked" : ""}`,
        disabled: !open() || taken,
        "aria-label": `${bet.title} on spot ${spot.number}: ${stake || "none"}`,
      },
      stake ? `${bet.title} ${stake}` : bet.title,
    );
  });
}

/**
 * The bets beside the hands in a round.
 * @param {PlayedSpot | undefined} played
 */
function betsInPlay(played) {
  if (!played) return [];
  const side = page.state.phase === "round" ? Object.entries(played.side) : [];
  const lines = side.map(([bet, cents]) => `${titleOf(bet)} ${chips(cents)}`);
  if (played.insurance_cents) lines.push(`Insurance ${chips(played.insurance_cents)}`);
  return lines.map((line) => h("span", { class: "b-sidebet staked" }, line));
}

/** @param {PlayedSpot} played */
const hands = (played) =>
  played.hands.map((hand, index) => {
    const fan = h("div", { class: "b-fan" });
    layCards(fan, `${page.state.round_number}-${played.number}-${index}`, hand.cards, hand.sideways);
    return handBox(hand, fan, { turn: hand.turn && page.state.phase === "round", total: hand.total });
  });

/**
 * @param {Spot} spot
 * @param {PlayedSpot | undefined} played
 */
function whose(spot, played) {
  if (!spot.player) return played ? played.player : "free";
  const ready = spot.ready && page.state.phase === "wagers";
  return `${spot.you ? "You" : spot.player}${ready ? " · ready" : ""}`;
}

/**
 * A spot as it stands.
 * @param {Spot} spot
 */
export function spotBox(spot) {
  const { round, phase, turn } = page.state;
  const played = round?.spots.find((one) => one.number === spot.number);
  const own = spot.you || !spot.player ? page.wanted[spot.number] : undefined;
  const wager = own ?? { stake_cents: spot.stake_cents, side: spot.side };
  const taken = Boolean(spot.player) && !spot.you;
  const full = played || spot.you || (wager.stake_cents && !taken);
  const inPlay = betsInPlay(played);
  const sides = phase === "round" ? [] : sideBets(spot, wager, taken);
  const giveUp = { class: "b-release", type: "button", "aria-label": `Give spot ${spot.number} up` };
  return h(
    "div",
    {
      class: `b-spot ${turn?.spot === spot.number ? "turn" : ""} ${full ? "full" : ""}`,
      "data-spot": spot.number,
    },
    played ? h("div", { class: "b-hands" }, hands(played)) : null,
    inPlay.length ? h("div", { class: "b-sides" }, inPlay) : null,
    phase === "round" && played ? null : circle(spot, wager, taken),
    sides.length ? h("div", { class: "b-sides" }, sides) : null,
    spot.you && phase !== "round" && phase !== "salts"
      ? h("button", { ...giveUp, click: () => release(spot.number) }, "give up")
      : null,
    h("span", { class: `b-who ${spot.you ? "you" : ""}` }, whose(spot, played)),
  );
}
