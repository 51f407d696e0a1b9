// The spots: each is built once, with its circles in their places, and then shows what lies there.
import { chipsOf, stackOf } from "../chips.js";
import { $, h } from "../dom.js";
import { chips } from "../words.js";
import { showHands, showStakes } from "./hands.js";
import { openMenu } from "./menu.js";
import { chipInHand, frontSpot, layout, open, page, roundShown, tooSmall } from "./page.js";
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
const chipButton = (number, bet, look, ...parts) =>
  h(
    "button",
    {
      class: look,
      type: "button",
      "data-wager": bet?.wager,
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
const sideButton = (bet, number) =>
  chipButton(
    number,
    bet,
    "b-sidebet",
    h("span", { class: "b-bet" }, bet.title),
    h("span", { class: "b-money num" }),
    h("span", { class: "b-meter num" }),
    h("span", { class: "b-words" }),
    h("span", { class: "sr" }, `, spot ${number}`),
  );

/** @param {number} number @param {number} count */
function buildSpot(number, count) {
  const half = Math.ceil(layout.side_bets.length / 2);
  const sides = (/** @type {SideBet[]} */ bets) =>
    h(
      "div",
      { class: "b-sides" },
      bets.map((bet) => sideButton(bet, number)),
    );
  const box = h(
    "div",
    { class: "b-spot", "data-spot": number },
    h("div", { class: "b-hands" }),
    h(
      "div",
      { class: "b-place" },
      sides(layout.side_bets.slice(0, half)),
      chipButton(
        number,
        null,
        "b-circle",
        h("span", { class: "b-stakes" }),
        h("span", { class: "b-amount" }),
      ),
      sides(layout.side_bets.slice(half)),
    ),
    h("button", { class: "b-who", type: "button", click: () => openMenu(number) }),
    h("ul", { class: "b-tags" }),
  );
  box.style.setProperty("--t", String((2 * number - 1 - count) / count));
  return box;
}

/**
 * The chips in the circle: a wager for the next round, or the one hand in play with what was paid beside it.
 * @param {HTMLButtonElement} circle
 * @param {Spot} spot
 * @param {Wager} wager
 * @param {PlayedSpot | undefined} played
 * @param {Outcome[]} outcomes
 */
function showCircle(circle, spot, wager, played, outcomes) {
  const [hand] = played?.hands ?? [];
  const inPlay = played && played.hands.length === 1;
  const cents = inPlay ? hand.stake_cents : played ? 0 : wager.stake_cents;
  const amount = $(".b-amount", circle);
  amount.textContent = cents ? chips(cents) : spot.number;
  amount.classList.toggle("bare", !cents);
  const stakes = $(".b-stakes", circle);
  if (inPlay) {
    showStakes(stakes, { played, hand, outcome: outcomes.find((one) => one.wager === layout.main_wager) });
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
function showSideBet(button, spot, cents, outcome) {
  const meter = page.state.meters[button.dataset.wager ?? ""];
  $(".b-meter", button).textContent = meter ? ` meter ${chips(meter)}` : "";
  const won = outcome && chips(outcome.net_cents, { plus: true });
  const words = outcome ? (outcome.net_cents ? won : "back") : cents ? chips(cents) : "";
  button.className = `b-sidebet ${cents ? "staked" : ""} ${outcome ? `decided ${outcome.result}` : ""}`;
  $(".b-money", button).textContent = words;
  $(".b-words", button).textContent = outcome?.words ?? "";
  button.disabled = !open() || (Boolean(spot.player) && !spot.you);
}

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
 * What became of the wagers of a spot, in words, under its circles.
 * @param {HTMLElement} list
 * @param {PlayedSpot | undefined} played
 * @param {Outcome[]} outcomes
 */
function showTags(list, played, outcomes) {
  const lines = outcomes
    .filter((one) => one.wager !== layout.main_wager || played?.hands.length === 1)
    .map((one) => [one.words, one.result, layout.side_bets.some((bet) => bet.wager === one.wager)]);
  if (played?.insurance_cents) lines.unshift([`Insurance ${chips(played.insurance_cents)}`, "", false]);
  const key = JSON.stringify(lines);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(
    ...lines.map(([words, look, side]) =>
      h("li", { class: `${look} ${side ? "of-side" : ""}` }, String(words)),
    ),
  );
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
  showHands($(".b-hands", box), played, outcomes);
  showCircle($(".b-circle", box), spot, wager, played, outcomes);
  for (const bet of layout.side_bets) {
    const outcome = outcomes.find((one) => one.wager === bet.wager);
    showSideBet($(`[data-wager="${bet.wager}"]`, box), spot, side[bet.wager] ?? 0, outcome);
  }
  const who = $(".b-who", box);
  who.textContent = whose(spot, played);
  who.disabled = Boolean(spot.player) && !spot.you;
  showTags($(".b-tags", box), played, outcomes);
}

/** Build the spots where they are missing, and show what lies on each. */
export function showSpots() {
  const { spots } = page.state;
  const box = $("#b-spots");
  if (!box.childElementCount) box.append(...spots.map((spot) => buildSpot(spot.number, spots.length)));
  for (const spot of spots) showSpot(spot);
}
