// Choosing. Every choice is kept with the purchase as it is made, until they are final and the ticket is printed.
import { $, h, keep, kept } from "../dom.js";
import { hands } from "../knockout21/hands.js";
import { refused, toast } from "../notices.js";
import { api, newKey } from "../server.js";
import { counted } from "../words.js";
import { address, layout, page, timeLeft } from "./page.js";

/** @typedef {import("../types/knockout21.js").Choices} Choices */
/** @typedef {import("../types/knockout21.js").Ticket} Ticket */

/**
 * Choices that differ from those of the state, by ticket.
 * @type {Record<string, Choices>}
 */
let changes = {};
/** @type {Promise<void>} */
let keeping = Promise.resolve();

export const choosing = () => page.purchase?.tickets.filter((ticket) => ticket.state === "choosing") ?? [];

/**
 * The choices of a ticket: all of them, or only those that are not the charts'.
 * @param {Ticket} ticket
 * @param {boolean} all
 * @returns {Choices}
 */
function choicesOf(ticket, all) {
  const made = ticket.hands.flatMap((hand) => {
    if (!hand.choice) return [];
    const now = changes[ticket.id][hand.position] ?? hand.choice;
    return all || now !== hand.advice ? [[hand.position, now]] : [];
  });
  return Object.fromEntries(made);
}
/** @param {boolean} all */
const chosen = (all) => Object.fromEntries(choosing().map((ticket) => [ticket.id, choicesOf(ticket, all)]));

/** @returns {string} */
const purchasePath = () => `${address}/purchases/${page.purchase?.purchase}`;

/** Choices on their way to the server: what it has not confirmed when the page is loaded anew is sent again. */
const draftName = () => `${purchasePath()}/draft`;

/**
 * The changes to a ticket that the server had not confirmed.
 * @param {Ticket} ticket
 * @param {Record<string, Choices> | null} draft
 * @returns {Choices}
 */
function unconfirmed(ticket, draft) {
  const own = draft?.[ticket.id];
  const lost = ticket.hands.flatMap((hand) => {
    const wanted = own?.[hand.position] ?? hand.advice;
    return own && hand.choice && wanted && wanted !== hand.choice ? [[hand.position, wanted]] : [];
  });
  return Object.fromEntries(lost);
}

function keepChoices() {
  const path = `${purchasePath()}/choices`;
  const overrides = chosen(false);
  keep(draftName(), overrides);
  const tell = (/** @type {string} */ words) => {
    $("#t-kept").textContent = words;
  };
  tell("Keeping your choices…");
  keeping = keeping
    .then(() => api("PUT", path, { overrides }, { key: newKey() }))
    .then(
      () => {
        if (JSON.stringify(kept(draftName())) === JSON.stringify(overrides)) keep(draftName(), null);
        tell("Your choices are kept with the purchase.");
      },
      (error) => {
        tell("");
        refused(error);
      },
    );
}

/** @param {Ticket} ticket */
function ticketBox(ticket) {
  const left = h("span", { class: "num", "data-closes": ticket.closes_at }, timeLeft(ticket.closes_at));
  const head = [
    h("b", {}, `Draw ${ticket.draw}`),
    ` · ticket ${ticket.id.slice(0, 8)} · sales close in `,
    left,
  ];
  return h(
    "div",
    { class: "t-ticket" },
    h("p", {}, head),
    hands(ticket, layout, changes[ticket.id], { changed: keepChoices }),
  );
}

export function showPurchase() {
  const open = choosing();
  const draft = kept(draftName());
  changes = Object.fromEntries(open.map((ticket) => [ticket.id, unconfirmed(ticket, draft)]));
  $("#t-choose").hidden = false;
  $("#t-order").hidden = true;
  $("#t-hands").replaceChildren(...open.map(ticketBox));
  $("#t-final").textContent =
    open.length > 1
      ? `Make the choices of ${counted(open.length, "ticket")} final`
      : "Make the choices final";
  if (draft) keepChoices();
}

/** @param {{id: string}[]} tickets */
const showPrint = (tickets) => {
  location.href = tickets.length === 1 ? `${address}/tickets/${tickets[0].id}` : address;
};

/** @param {number} late */
const tellTooLate = (late) =>
  toast(
    `Sales closed before the choices of ${counted(late, "ticket")} were final: the charts' choices stand.`,
    "KO21-2.8",
  );

/** Time to read what was told. */
const pause = () =>
  new Promise((done) => {
    setTimeout(done, 2500);
  });

/** A close has come: its tickets are printed with the charts' choices, the others can still be chosen. */
export async function lookAfterClose() {
  try {
    /** @type {import("../types/knockout21.js").Purchase} */
    const now = await api("GET", purchasePath());
    const done = now.tickets.filter((ticket) => ticket.state !== "choosing").map((ticket) => ticket.id);
    const caught = choosing().filter((ticket) => done.includes(ticket.id));
    if (!caught.length) return;
    await keeping;
    tellTooLate(caught.length);
    page.purchase = await api("GET", purchasePath());
  } catch {
    return; // again at the next turn
  }
  if (choosing().length) showPurchase();
  else {
    await pause();
    showPrint(page.purchase?.tickets ?? []);
  }
}

/** Make the choices final; from then on there is a print, which is shown. */
export async function makeFinal() {
  await keeping;
  const overrides = chosen(true);
  /** @type {{tickets: {id: string, accepted: boolean}[]}} */
  const done = await api("POST", `${purchasePath()}/choices`, { overrides }, { key: newKey() });
  const late = done.tickets.filter((ticket) => !ticket.accepted).length;
  if (late) {
    tellTooLate(late);
    await pause();
  }
  showPrint(done.tickets);
}
