// A hand of a blackjack-family game, at the table and in the replay.
import { h } from "./dom.js";
import { chips } from "./words.js";

/** @type {Record<string, string>} */
const STATUS = {
  won: "✓ won",
  lost: "✕ lost",
  pushed: "push",
  surrendered: "surrendered",
  rescued: "rescued",
  stood: "stands",
  void: "void",
};

/**
 * A hand with its cards, total, stake and how it went.
 * @param {import("./types/table.js").Hand} hand
 * @param {HTMLElement} fan
 * @param {{turn: boolean, total: string}} shown
 */
export function handBox(hand, fan, { turn, total }) {
  const status = STATUS[hand.status] ? ` · ${STATUS[hand.status]}` : "";
  return h(
    "div",
    { class: `b-hand ${turn ? "turn" : ""} ${hand.status}` },
    fan,
    h("span", { class: "b-total num" }, total),
    h("span", { class: "b-status num" }, `${chips(hand.stake_cents)}${status}`),
  );
}
