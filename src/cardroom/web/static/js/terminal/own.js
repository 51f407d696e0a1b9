// The visitor's own tickets: how each stands, its prize, and what can be done.
import { $, dataOf, h } from "../dom.js";
import { api } from "../server.js";
import { chips } from "../words.js";
import { address, wallClock } from "./page.js";

/** @typedef {import("../types/knockout21.js").TicketLine} TicketLine */

/** @param {TicketLine} ticket */
function line(ticket) {
  const place = `${address}/tickets/${ticket.id}`;
  const name = `Draw ${ticket.draw}, ticket ${ticket.id.slice(0, 8)}`;
  return h(
    "li",
    { "data-standing": ticket.standing },
    h(
      "div",
      { class: "row spread" },
      h("a", { href: place, "aria-label": name }, `Draw ${ticket.draw}`),
      h("span", { class: "soft num" }, wallClock(ticket.draw_at)),
      h("span", { class: "mono soft" }, ticket.id.slice(0, 8)),
    ),
    h(
      "div",
      { class: "row spread" },
      h("span", {}, ticket.say),
      ticket.prize_cents !== null && h("b", { class: "num" }, chips(ticket.prize_cents)),
      ticket.action &&
        h("a", { class: "btn small", href: place, "aria-label": `${ticket.action}: ${name}` }, ticket.action),
    ),
  );
}

/** @param {TicketLine[]} tickets */
function showOwn(tickets) {
  const none = h("p", { class: "soft" }, "None yet.");
  $("#t-own").replaceChildren(tickets.length ? h("ul", { class: "t-list" }, tickets.map(line)) : none);
}

export async function refreshOwn() {
  try {
    showOwn((await api("GET", `${address}/tickets`)).tickets);
  } catch {
    // when the draws change the next time
  }
}

showOwn(dataOf($("#terminal"), "own"));
