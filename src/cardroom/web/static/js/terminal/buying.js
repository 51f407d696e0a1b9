// What may be bought now, and what the visitor wants of it.
import { card } from "../cards.js";
import { $, h } from "../dom.js";
import { lastDraws } from "../knockout21/draws.js";
import { api, newKey, serverClock } from "../server.js";
import { counted, chips } from "../words.js";
import { address, layout, page, timeLeft, wallClock } from "./page.js";

/** @typedef {import("../types/knockout21.js").Draw} Draw */

/** What is wanted: tickets for each draw, draws in a row, and the number of the first one. */
const order = { tickets: 1, draws: 1, first: /** @type {number | null} */ (null) };

const buyable = () => page.state.on_sale.filter((draw) => draw.buyable);

/**
 * The first draw of the order.
 * @returns {Draw | undefined}
 */
export const firstDraw = () => buyable().find((draw) => draw.draw === order.first) ?? buyable()[0];

/** How many draws in a row may be bought from the first one on. */
function longestRow() {
  const from = firstDraw()?.draw ?? 0;
  return buyable().filter(({ draw }) => draw >= from && draw < from + page.state.sales.draws).length;
}

/**
 * @param {string} text
 * @param {boolean} pressed
 * @param {() => void} click
 */
const button = (text, pressed, click) =>
  h("button", { class: "btn", type: "button", "aria-pressed": String(pressed), click }, text);

/**
 * A button for each number from one on.
 * @param {number} most
 * @param {"tickets" | "draws"} what
 */
const numbers = (most, what) =>
  Array.from({ length: most }, (_, index) =>
    button(String(index + 1), order[what] === index + 1, () => {
      order[what] = index + 1;
      showOrder();
    }),
  );

/** @param {Draw} draw */
const drawButton = (draw) =>
  button(`${draw.draw} · ${wallClock(draw.draw_at)}`, draw === firstDraw(), () => {
    order.first = draw.draw;
    showOrder();
    showNext();
  });

/** The order; the button that has the focus keeps it. */
function showOrder() {
  const draw = firstDraw();
  $("#t-order").hidden = !draw || page.purchase !== null;
  if (!draw) return;
  order.draws = Math.min(order.draws, longestRow());
  const focused = document.activeElement;
  const row = focused?.closest("#t-order .row");
  $("#t-tickets").replaceChildren(...numbers(page.state.sales.tickets_per_draw, "tickets"));
  $("#t-first").replaceChildren(...buyable().map(drawButton));
  $("#t-draws").replaceChildren(...numbers(longestRow(), "draws"));
  if (row) {
    const same = [...row.children].find((one) => one.textContent === focused?.textContent);
    /** @type {HTMLElement | undefined} */ (same)?.focus();
  }
  $("#t-buy").textContent = `Buy for ${chips(order.tickets * order.draws * page.state.price_cents)}`;
}

/** @param {Draw} draw */
const nextDraw = (draw) =>
  h(
    "div",
    { class: "t-next" },
    h(
      "div",
      {},
      h("p", { class: "m-label" }, `Draw ${draw.draw} · sales close in`),
      h("div", { class: "t-count", id: "t-count" }, timeLeft(draw.closes_at)),
      h("p", { class: "tiny soft" }, `${counted(draw.tickets, "ticket")} in it so far`),
    ),
    h(
      "div",
      {},
      h("p", { class: "m-label" }, `Dealer's first cards of Game ${layout.first_cards_game}`),
      h(
        "div",
        { class: "t-firsts" },
        draw.first_cards.map((text) => card(text)),
      ),
    ),
  );

/** Why nothing is sold, and when it is again. */
function closedBox() {
  const { sales } = page.state;
  if (sales.switched_off) return h("p", { id: "t-closed" }, "The house does not sell tickets now.");
  const hours = `Tickets are sold from ${sales.hours[0]} to ${sales.hours[1]} Pacific time.`;
  if (!sales.opens_at) return h("p", { id: "t-closed" }, `No draw is on sale now. ${hours}`);
  const head = `Sales are closed. They open at ${wallClock(sales.opens_at)} Pacific time, in`;
  return h(
    "div",
    { id: "t-closed" },
    h("p", { class: "m-label" }, head),
    h("div", { class: "t-count", id: "t-count" }, timeLeft(sales.opens_at)),
    h("p", { class: "tiny soft" }, hours),
  );
}

function showNext() {
  const draw = firstDraw();
  $("#t-buy-title").textContent = draw ? "Buy a ticket" : "Tickets";
  $("#t-next").replaceChildren(draw ? nextDraw(draw) : closedBox());
}

/** The moment that is counted down to, if there is one. */
export const countedMoment = () => firstDraw()?.closes_at ?? page.state.sales.opens_at;

/** Everything that is not of one purchase. */
export function showHouse() {
  showNext();
  showOrder();
  const draws = page.state.last.slice(0, 6);
  const none = h("p", { class: "soft" }, "No draw has been shown yet.");
  $("#t-last").replaceChildren(draws.length ? lastDraws(draws, { address }) : none);
}

/** Ask the server how its draws stand. */
export async function refresh() {
  if (document.hidden) return;
  try {
    page.state = await api("GET", `${address}/draws`);
    page.clock = serverClock(page.state.now);
    showHouse();
  } catch {
    // again at the next turn
  }
}

/** @param {Draw} draw */
export const buy = (draw) =>
  api(
    "POST",
    `${address}/purchases`,
    { tickets_per_draw: order.tickets, draws: order.draws, first_draw: draw.draw },
    { key: newKey() },
  );
