// A ticket plays along with the wall: each of its hands turns when the wall has shown it, and no earlier.
import { card } from "../cards.js";
import { $ } from "../dom.js";
import { api } from "../server.js";
import { hands, resultWords } from "./hands.js";
import { followDraws } from "./show.js";

/** @typedef {import("../types/knockout21.js").Layout} Layout */
/** @typedef {import("../types/knockout21.js").PrintedTicket} PrintedTicket */
/** @typedef {import("../types/knockout21.js").ShowEvent} ShowEvent */

/** All phones of a draw ask for their prize when it is over: within so long, not all at once. */
const CROWD_MS = 1500;

/**
 * @param {string} selector
 * @param {string[]} texts
 */
const lay = (selector, texts) =>
  $(selector).replaceChildren(...texts.map((text) => card(text, { large: true })));

/** @param {string} words */
const tell = (words) => {
  $("#k-verdict").textContent = words;
};

/**
 * The results of the hands so far are the server's; the cards come as the wall shows them.
 * @param {string} address where the game is played
 * @param {PrintedTicket} ticket
 * @param {Layout} layout
 * @param {{over: () => void}} then what to do when the draw is over
 */
export function playAlong(address, ticket, layout, { over }) {
  let isAsking = false;
  let isStale = false;

  /** Show the hands that the wall has shown; of those that come while the answer is under way, the newest. */
  async function turn() {
    isStale = true;
    if (isAsking) return;
    isAsking = true;
    try {
      while (isStale) {
        isStale = false;
        showResults(await api("GET", `${address}/tickets/${ticket.id}`));
      }
    } catch {
      // with the next hand
    }
    isAsking = false;
  }

  /** @param {PrintedTicket} now */
  function showResults({ results }) {
    $("#k-hands").replaceChildren(hands(ticket, layout, {}, { results: results ?? [] }));
    const last = results?.at(-1);
    const where = last && ticket.hands[last.position];
    if (where) tell(`Game ${where.game}, hand ${where.hand}: ${resultWords(last)}`);
  }

  /** @param {Extract<ShowEvent, {kind: "hit"}>} event */
  function hit(event) {
    $("#k-where").textContent = `Game ${event.game}, hand ${event.hand}`;
    lay("#k-you", ticket.hands[event.position].cards);
    lay("#k-hit", [event.card]);
    lay("#k-dealer", event.first_card ? [event.first_card] : []);
  }

  /** @param {ShowEvent} event */
  function show(event) {
    if (event.draw !== ticket.draw) return;
    if (event.kind === "started") {
      tell(event.say);
      turn();
    } else if (event.kind === "hit") hit(event);
    else if (event.kind === "dealer") $("#k-dealer").append(card(event.card, { large: true }));
    else if (event.kind === "hand") turn();
    else if (event.kind === "settled") setTimeout(over, CROWD_MS * Math.random());
  }
  $("#k-live").hidden = false;
  followDraws(address, layout.beat_seconds, { draw: show });
}
