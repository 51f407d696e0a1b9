// The spots: each is built once, with its circles in their places, and then shows what lies there.
import { $, h } from "../dom.js";
import { showHands } from "../hands.js";
import { showInsured, showTags, spotBox } from "../spot.js";
import { chipButton, showCircle, showSideBet, sideButton } from "./circles.js";
import { openMenu } from "./menu.js";
import { frontSpot, layout, page, roundShown } from "./page.js";

/** @typedef {import("../types/table.js").Spot} Spot */
/** @typedef {import("../types/table.js").PlayedSpot} PlayedSpot */

/** @param {number} number @param {number} count */
const buildSpot = (number, count) =>
  spotBox(
    layout,
    { number, count },
    {
      side: (bet) => sideButton(bet, number),
      circle: chipButton(
        number,
        null,
        "b-circle",
        h("span", { class: "b-stakes" }),
        h("span", { class: "b-amount" }),
      ),
      who: h("button", { class: "b-who", type: "button", click: () => openMenu(number) }),
    },
  );

/**
 * @param {Spot} spot
 * @param {PlayedSpot | undefined} played
 */
function whose(spot, played) {
  if (!spot.player) return played ? played.player : "free";
  const ready = spot.ready && page.state.phase === "wagers";
  return `${spot.you ? "You" : spot.player}${ready ? " · ready" : ""}`;
}

/** @param {Spot} spot */
function showSpot(spot) {
  const box = $(`.b-spot[data-spot="${spot.number}"]`);
  const round = roundShown();
  const own = spot.you || !spot.player ? page.wanted[spot.number] : undefined;
  const wager = own ?? { stake_cents: spot.stake_cents, side: spot.side };
  const staked = wager.stake_cents > 0 && page.state.phase !== "round";
  const played = staked ? undefined : round?.spots.find((one) => one.number === spot.number);
  const outcomes = played?.outcomes ?? [];
  const side = played ? played.side : wager.side;
  box.classList.toggle("turn", page.state.turn?.spot === spot.number);
  box.classList.toggle("you", spot.you || Boolean(own));
  box.classList.toggle("front", frontSpot() === spot.number);
  box.classList.toggle("alone", !round?.spots.some((one) => Math.abs(one.number - spot.number) === 1));
  const { phase, round_number: number } = page.state;
  const felt = { layout, round: number, inPlay: phase === "round" };
  showHands(felt, $(".b-hands", box), played, outcomes);
  showCircle($(".b-circle", box), spot, wager, played, outcomes);
  for (const bet of layout.side_bets) {
    const outcome = outcomes.find((one) => one.wager === bet.wager);
    showSideBet($(`[data-wager="${bet.wager}"]`, box), spot, side[bet.wager] ?? 0, outcome);
  }
  showInsured(layout, box, played);
  const who = $(".b-who", box);
  who.textContent = whose(spot, played);
  who.disabled = Boolean(spot.player) && !spot.you;
  showTags(layout, $(".b-tags", box), played, outcomes);
}

/** Build the spots where they are missing, and show what lies on each. */
export function showSpots() {
  const { spots } = page.state;
  const box = $("#b-spots");
  if (!box.childElementCount) box.append(...spots.map((spot) => buildSpot(spot.number, spots.length)));
  for (const spot of spots) showSpot(spot);
}
