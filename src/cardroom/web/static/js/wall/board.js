// The board of the wall: a tile for each hand, which keeps its cards until the next draw.
import { card, rankOf } from "../cards.js";
import { $, h } from "../dom.js";
import { chips, signed } from "../words.js";

/** @typedef {import("../types/knockout21.js").Layout} Layout */
/** @typedef {import("../types/knockout21.js").ShowEvent} ShowEvent */
/** @typedef {{game: number, hand: number}} Place */

/** @param {string} text */
const smallCard = (text) => card(text, { large: true });

/** A hand of more cards than this is written by its ranks: suits do not count. */
const MOST_PICTURES = 4;

/**
 * @param {HTMLElement} root
 * @param {Layout} layout
 */
export function board(root, layout) {
  /** The cards of the hand in play. */
  const play = { hit: "", dealer: /** @type {string[]} */ ([]) };

  for (const { game, hands } of layout.games) {
    const head = h(
      "div",
      { class: "w-game" },
      h("b", {}, `Game ${game}`),
      h("span", { id: `w-won-${game}` }),
    );
    const own = Array.from({ length: hands }, (_, index) =>
      h("div", { class: "w-tile", id: `w-${game}-${index + 1}` }),
    );
    root.append(h("div", { class: "w-line" }, head, own));
  }

  /** @param {Place} place */
  const tileOf = ({ game, hand }) => $(`#w-${game}-${hand}`);

  /** @param {string[]} firstCards */
  function clear(firstCards) {
    for (const { game, hands } of layout.games) {
      $(`#w-won-${game}`).textContent =
        game === layout.first_cards_game && firstCards.length ? "first cards" : "";
      for (let hand = 1; hand <= hands; hand += 1) {
        const first = game === layout.first_cards_game ? firstCards[hand - 1] : null;
        const tile = tileOf({ game, hand });
        tile.className = "w-tile";
        tile.replaceChildren(
          h("span", { class: "w-hand" }, `Hand ${hand}`),
          cards(null, first ? [first] : []),
        );
      }
    }
  }

  /**
   * @param {Place} place
   * @param {string} total
   * @param {string} rest
   */
  function fill(place, total, rest) {
    tileOf(place).replaceChildren(
      h("div", { class: "w-result" }, h("b", {}, total), h("span", {}, rest)),
      cards(play.hit, play.dealer),
    );
  }

  /** @param {Extract<ShowEvent, {kind: "hit"}>} event */
  function showHit(event) {
    play.hit = event.card;
    play.dealer = event.first_card ? [event.first_card] : [];
    tileOf(event).classList.add("now");
    fill(event, "", "");
  }

  /** @param {Extract<ShowEvent, {kind: "hand"}>} event */
  function showHand(event) {
    const inIt = `${signed(event.staying, 0)} in`;
    const tile = tileOf(event);
    tile.className = event.lucky_losers ? "w-tile done lucky" : "w-tile done";
    fill(event, event.bust ? "bust" : String(event.total), event.lucky_losers ? `★ ${inIt}` : inIt);
  }

  /** @param {ShowEvent} event */
  function show(event) {
    if (event.kind === "started") clear(event.first_cards);
    else if (event.kind === "hit") showHit(event);
    else if (event.kind === "dealer") {
      play.dealer.push(event.card);
      fill(event, event.total > layout.best_total ? "bust" : String(event.total), "");
    } else if (event.kind === "hand") showHand(event);
    else if (event.kind === "game") {
      const won = `${signed(event.winners, 0)} × ${chips(event.prize_cents)}`;
      $(`#w-won-${event.game}`).textContent = event.winners ? won : "no winner";
    }
  }
  clear([]);
  return { show, clear };
}

/**
 * The hit card, then the dealer's hand: as pictures, or by the ranks where they are many.
 * @param {string | null} hit
 * @param {string[]} dealer
 */
function cards(hit, dealer) {
  const many = dealer.length > MOST_PICTURES;
  const hand = dealer.map((text) => (many ? h("span", {}, rankOf(text)) : smallCard(text)));
  return h(
    "div",
    { class: "w-small" },
    hit && h("div", { class: "w-one" }, smallCard(hit)),
    h("div", { class: many ? "w-ranks" : "w-few" }, hand),
  );
}
