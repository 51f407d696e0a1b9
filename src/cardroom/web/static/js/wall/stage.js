// The hand in play, large; beside it how many are in, what a prize is worth, and what was won so far.
import { card } from "../cards.js";
import { $ } from "../dom.js";
import { chips, counted, signed } from "../words.js";
import { countUp } from "./counting.js";

/** @typedef {import("../types/knockout21.js").Layout} Layout */
/** @typedef {import("../types/knockout21.js").ShowEvent} ShowEvent */

/** @param {number} number */
const whole = (number) => signed(number, 0);

/** @param {Layout} layout */
export function stage(layout) {
  /** Tickets in the draw, winners so far and what they won. */
  const draw = { tickets: 0, winners: 0, paidCents: 0 };

  /**
   * @param {string} selector
   * @param {string[]} texts
   * @param {boolean} dealt
   */
  function lay(selector, texts, dealt) {
    const cards = texts.map((text) => card(text, { dealt }));
    $(selector).replaceChildren(...cards);
    $(selector).style.setProperty("--cards", String(Math.max(cards.length, 2)));
  }

  /**
   * @param {string} label
   * @param {number} tickets
   */
  function showIn(label, tickets) {
    $("#w-in-label").textContent = label;
    countUp($("#w-in"), tickets, whole);
  }

  /**
   * @param {string} label
   * @param {number} cents
   */
  function showPrize(label, cents) {
    $("#w-prize-label").textContent = label;
    countUp($("#w-prize"), cents, chips);
  }

  function showWon() {
    countUp($("#w-won"), draw.winners, (number) => counted(number, "winner"));
    countUp($("#w-paid"), draw.paidCents, chips);
  }

  /** @param {Extract<ShowEvent, {kind: "started"}>} event */
  function begin(event) {
    Object.assign(draw, { tickets: event.tickets, winners: 0, paidCents: 0 });
    lay("#w-dealer", [], false);
    lay("#w-hit", [], false);
    $("#w-total").textContent = "";
    $("#w-of").textContent = `of ${counted(event.tickets, "ticket")}`;
    showIn("In the draw", event.tickets);
    showPrize("", 0);
    $("#w-prize").textContent = "";
    showWon();
  }

  /** @param {Extract<ShowEvent, {kind: "hit"}>} event */
  function hit(event) {
    lay("#w-hit", [event.card], true);
    lay("#w-dealer", event.first_card ? [event.first_card] : [], false);
    $("#w-total").textContent = "";
    showIn(`Still in Game ${event.game}`, event.active);
    showPrize("Prize now worth", event.prize_cents);
  }

  /** @param {Extract<ShowEvent, {kind: "dealer"}>} event */
  function dealer(event) {
    const box = $("#w-dealer");
    box.append(card(event.card, { dealt: true }));
    box.style.setProperty("--cards", String(Math.max(box.children.length, 2)));
    $("#w-total").textContent = event.total > layout.best_total ? "bust" : String(event.total);
  }

  /** @param {Extract<ShowEvent, {kind: "hand"}>} event */
  function decided(event) {
    showIn(`Still in Game ${event.game}`, event.staying);
    showPrize("Prize now worth", event.prize_cents);
    $("#w-lucky-say").textContent = event.lucky_losers ? event.say : "";
    $("#w-lucky").hidden = !event.lucky_losers;
  }

  /** @param {Extract<ShowEvent, {kind: "game"}>} event */
  function won(event) {
    draw.winners += event.winners;
    draw.paidCents += event.winners * event.prize_cents;
    showIn(`Won Game ${event.game}`, event.winners);
    showPrize(`Prize of Game ${event.game}`, event.prize_cents);
    showWon();
  }

  /** @param {ShowEvent} event */
  function show(event) {
    if (event.kind !== "dealer") $("#w-lucky").hidden = true;
    if (event.kind === "started") begin(event);
    else if (event.kind === "hit") hit(event);
    else if (event.kind === "dealer") dealer(event);
    else if (event.kind === "hand") decided(event);
    else if (event.kind === "game") won(event);
  }
  return { show };
}
