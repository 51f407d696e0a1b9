// The strip of all spots, where one spot alone is shown large: a tap brings another one to the front.
import { $, h } from "../dom.js";
import { chips } from "../words.js";
import { frontSpot, page, redraw, roundShown } from "./page.js";

/** @typedef {import("../types/table.js").Spot} Spot */

/** @param {Spot} spot */
function words(spot) {
  const played = roundShown()?.spots.find((one) => one.number === spot.number);
  const stake = page.wanted[spot.number]?.stake_cents ?? spot.stake_cents;
  if (played && (page.state.phase === "round" || !stake)) {
    if (played.hands.length > 1) return `${played.hands.length} hands`;
    const [hand] = played.hands;
    return hand?.natural ? "natural" : (hand?.total ?? ""); // a longer word than the strip of a phone has room for
  }
  if (stake) return chips(stake);
  return spot.player ? "taken" : "free";
}

/** @param {Spot} spot */
function buildOne(spot) {
  const choose = () => {
    page.chosen = spot.number;
    redraw();
  };
  return h(
    "button",
    { type: "button", "data-strip": spot.number, click: choose },
    String(spot.number),
    h("span", {}),
  );
}

export function showStrip() {
  const box = $("#b-strip");
  const { spots, turn } = page.state;
  if (!box.childElementCount) box.append(...spots.map(buildOne));
  spots.forEach((spot, index) => {
    const made = box.children[index];
    made.className = `${spot.you ? "you" : ""} ${turn?.spot === spot.number ? "turn" : ""}`;
    made.setAttribute("aria-pressed", String(frontSpot() === spot.number));
    $("span", made).textContent = spot.you && !spot.stake_cents && !roundShown() ? "you" : words(spot);
  });
}
