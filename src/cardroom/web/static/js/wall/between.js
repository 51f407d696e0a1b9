// Between draws: when the next one is, what can be won in it, how the last ones went, whether tickets are sold.
import { $, h } from "../dom.js";
import { chips, countdown, counted, signed } from "../words.js";

/** @typedef {import("../types/knockout21.js").House} House */
/** @typedef {import("../types/knockout21.js").ShownDraw} ShownDraw */

const LINES = 3;

/** @param {ShownDraw["games"][number]} game */
const gameWords = (game) =>
  game.winners ? `${signed(game.winners, 0)} × ${chips(game.prize_cents)}` : "no winner";

/** @param {ShownDraw} draw */
const line = (draw) =>
  h(
    "li",
    {},
    h("b", {}, `Draw ${draw.draw}`),
    draw.tickets ? draw.games.map((game) => h("span", {}, gameWords(game))) : h("span", {}, "no tickets"),
  );

/** @param {House} house */
export function showBetween(house) {
  const draws = house.last.slice(0, LINES).map(line);
  $("#w-last").replaceChildren(...(draws.length ? draws : [h("li", {}, h("span", {}, "None yet today."))]));
  $("#w-sales").textContent = house.sales.say;
  $("#w-top").textContent = house.next ? chips(house.next.top_prize_cents) : "–";
}

/**
 * @param {House} house
 * @param {() => number} clock
 */
export function tick(house, clock) {
  const { next } = house;
  const seconds = next ? Math.max(0, Math.ceil((Date.parse(next.draw_at) - clock()) / 1000)) : 0;
  const left = next ? countdown(seconds) : "–";
  const words = next && [
    `${counted(next.tickets, "ticket")} sold`,
    next.closed && "sales closed",
    `Draw ${next.draw} in`,
  ];
  $("#w-next").textContent = words ? words.filter(Boolean).join(" · ") : "No draw comes now";
  $("#w-count").textContent = left;
  $("#w-later").textContent = left;
}
