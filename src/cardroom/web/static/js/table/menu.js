// The menu of a spot: each of its wagers by name, a chip more or less, and giving the spot up.
import { $, h } from "../dom.js";
import { chips } from "../words.js";
import { layout, open, page } from "./page.js";
import { add, release } from "./wagers.js";

/** @typedef {import("../types/table.js").SideBet} SideBet */

let shown = 0;

/** @param {number} number */
export function openMenu(number) {
  shown = number;
  showMenu();
  $("#b-menu").showModal();
}

/**
 * @param {string} title
 * @param {number} cents
 * @param {SideBet | null} bet
 */
function line(title, cents, bet) {
  const step = (/** @type {string} */ sign, /** @type {number} */ by) =>
    h(
      "button",
      {
        class: "btn small",
        type: "button",
        "aria-label": `${title} ${sign} ${chips(page.chip)}`,
        disabled: !open() || (by < 0 && !cents),
        click: () => add(shown, bet, by * page.chip),
      },
      sign,
    );
  return h(
    "div",
    { class: "b-menu-line" },
    h("span", {}, title),
    step("−", -1),
    h("output", { class: "num" }, cents ? chips(cents) : "none"),
    step("+", 1),
  );
}

/** Draw it anew while it is open; who walks by keyboard keeps the place. */
export function showMenu() {
  if (!shown) return;
  const spot = page.state.spots[shown - 1];
  const focused = document.activeElement?.getAttribute("aria-label");
  const wager = page.wanted[shown] ?? { stake_cents: 0, side: {} };
  $("#b-menu-title").textContent = `Spot ${shown}, chips of ${chips(page.chip)}`;
  $("#b-menu-lines").replaceChildren(
    line("Primary wager", wager.stake_cents, null),
    ...layout.side_bets.map((bet) => line(bet.title, wager.side[bet.wager] ?? 0, bet)),
  );
  $("#b-menu-release").disabled = !spot.you || !open();
  if (focused) $(`#b-menu-lines [aria-label="${focused}"]`)?.focus();
}
$("#b-menu-close").addEventListener("click", () => $("#b-menu").close());
$("#b-menu").addEventListener("close", () => {
  shown = 0;
});
$("#b-menu-release").addEventListener("click", () => {
  const number = shown;
  $("#b-menu").close();
  release(number);
});
