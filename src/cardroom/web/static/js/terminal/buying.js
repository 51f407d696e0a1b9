// What may be bought now, and what the visitor wants of it.
import { card } from "../cards.js";
import { $, h, keep, kept } from "../dom.js";
import { lastDraws } from "../knockout21/draws.js";
import { api, newKey, serverClock } from "../server.js";
import { counted, chips } from "../words.js";
import { refreshOwn } from "./own.js";
import { address, layout, page, timeLeft, wallClock, wallDay } from "./page.js";

/** @typedef {import("../types/knockout21.js").Draw} Draw */

const DRAFT = `${address}/order`;
/**
 * What is wanted: tickets for each draw, draws in a row, and the number of the first one; a reload finds it again.
 * @type {{tickets: number, draws: number, first: number | null}}
 */
const order = kept(DRAFT) ?? { tickets: 1, draws: 1, first: null };

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

/**
 * When a draw is, with the day where that is another.
 * @param {Draw} draw
 */
const drawTime = (draw) =>
  draw.day === wallDay() ? wallClock(draw.draw_at) : `${draw.day.slice(5)} ${wallClock(draw.draw_at)}`;

/** @param {Draw} draw */
const drawButton = (draw) =>
  button(`${draw.draw} · ${drawTime(draw)}`, draw === firstDraw(), () => {
    order.first = draw.draw;
    showOrder();
    showNext();
  });

/** The order; the button that has the focus keeps it. */
function showOrder() {
  const draw = firstDraw();
  $("#t-order").hidden = page.purchase !== null;
  $("#t-steps").hidden = !draw;
  $("#t-buy").disabled = !draw;
  showAdvance();
  if (!draw) {
    $("#t-buy").textContent = page.state.sales.closed_say;
    return;
  }
  order.tickets = Math.min(order.tickets, page.state.sales.tickets_per_draw);
  order.draws = Math.min(order.draws, longestRow());
  keep(DRAFT, order);
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

/** Until when the tickets of the order may be altered, where that is not until the close. */
function showAdvance() {
  const from = firstDraw()?.draw ?? 0;
  const wanted = buyable().filter(({ draw }) => draw >= from && draw < from + order.draws);
  const notes = wanted.flatMap((draw) => (draw.advance_say ? [h("p", {}, draw.advance_say)] : []));
  $("#t-advance").replaceChildren(...notes, notes.length ? h("span", { class: "clause" }, "KO21-2.9") : "");
}

/** @param {Draw} draw */
const nextDraw = (draw) =>
  h(
    "div",
    { class: "t-next" },
    h(
      "div",
      {},
      h("p", { class: "t-label" }, `Draw ${draw.draw} · sales close in`),
      h("div", { class: "t-count", id: "t-count" }, timeLeft(draw.closes_at)),
      h("p", { class: "tiny soft" }, `${counted(draw.tickets, "ticket")} in it so far`),
    ),
    h(
      "div",
      {},
      h("p", { class: "t-label" }, `Dealer's first cards of Game ${layout.first_cards_game}`),
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
  if (sales.switched_off || !sales.opens_at) return h("p", { id: "t-closed" }, sales.say);
  const hours = `Tickets are sold from ${sales.hours[0]} to ${sales.hours[1]} Pacific time.`;
  return h(
    "div",
    { id: "t-closed" },
    h("p", { class: "t-label" }, sales.say),
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

/** Which draws are on sale and which the wall has shown. */
const drawsKnown = () =>
  JSON.stringify([page.state.on_sale, page.state.last].map((draws) => draws.map(({ draw }) => draw)));

/** Ask the server how its draws stand; the visitor's own tickets stand otherwise when those do. */
export async function refresh() {
  if (document.hidden) return;
  const before = drawsKnown();
  try {
    page.state = await api("GET", `${address}/draws`);
    page.clock = serverClock(page.state.now);
    showHouse();
    if (drawsKnown() !== before) await refreshOwn();
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
