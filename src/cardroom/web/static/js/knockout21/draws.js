// The last draws of Knockout 21, a block each: narrow or wide, nothing is cut off.
import { h } from "../dom.js";
import { counted, chips } from "../words.js";

/** @typedef {import("../types/knockout21.js").ShownDraw} ShownDraw */

/** @param {ShownDraw["games"][number]} game */
const gameLine = (game) =>
  h(
    "div",
    {},
    h("dt", {}, `Game ${game.game}`),
    h(
      "dd",
      { class: "num" },
      game.winners ? `${counted(game.winners, "winner")} × ${chips(game.prize_cents)}` : "no winner",
    ),
  );

/**
 * With the `address` of the game there is a link to the record of each draw.
 * @param {ShownDraw[]} draws
 * @param {{address?: string | null}} options
 */
export function lastDraws(draws, { address = null } = {}) {
  const lines = draws.map((draw) => {
    const record = h("a", { href: `/api/v1${address}/draws/${draw.draw}/record` }, "record");
    const tickets = h("span", { class: "soft" }, counted(draw.tickets, "ticket"));
    const head = [h("b", {}, `Draw ${draw.draw}`), tickets, address === null ? null : record];
    const games = draw.tickets ? h("dl", {}, draw.games.map(gameLine)) : null;
    return h("li", {}, h("p", { class: "row spread" }, head), games);
  });
  return h("ul", { class: "t-draws" }, lines);
}
