// The terminal: buy, choose, print; check and claim.
import { $, api, card, counted, dollars, h, newKey, refused, say, serverClock, toast } from "./lib.js";
import { lastDraws } from "./draws21.js";
import { hands } from "./hands21.js";

let state = JSON.parse($("#terminal").dataset.state);
let clock = serverClock(state.now);
let tickets = 1;
let draws = 1;
let first = null;
let changes = {};
/** The purchase whose choices are not final; it is the server's, and a reload finds it again. */
let purchase = JSON.parse($("#terminal").dataset.begun);
const two = (number) => String(number).padStart(2, "0");
const left = (moment) => {
  const seconds = Math.max(0, Math.floor((Date.parse(moment) - clock()) / 1000));
  return seconds >= 3600
    ? `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
    : `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
};
const wall = (moment, options = {}) =>
  new Intl.DateTimeFormat("en-CA", {
    timeZone: state.sales.timezone,
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h23",
    ...options,
  }).format(new Date(moment));

// What may be bought now.
const buyable = () => state.on_sale.filter((draw) => draw.buyable);
const wanted = () => buyable().find((draw) => draw.draw === first) ?? buyable()[0];
const inARow = () => {
  const from = wanted()?.draw ?? 0;
  return buyable().filter((draw) => draw.draw >= from && draw.draw < from + state.sales.draws).length;
};
const button = (text, pressed, click) =>
  h("button", { class: "btn", type: "button", "aria-pressed": String(pressed), click }, text);
const numbers = (most, chosen, set) =>
  Array.from({ length: most }, (_, index) =>
    button(String(index + 1), chosen === index + 1, () => {
      set(index + 1);
      order();
    }),
  );
function order() {
  const draw = wanted();
  $("#t-order").hidden = !draw || purchase !== null;
  if (!draw) return;
  draws = Math.min(draws, inARow());
  const focus = document.activeElement?.closest("#t-order .row")?.id;
  const text = document.activeElement?.textContent;
  $("#t-tickets").replaceChildren(
    ...numbers(state.sales.tickets_per_draw, tickets, (value) => {
      tickets = value;
    }),
  );
  $("#t-first").replaceChildren(
    ...buyable().map((one) =>
      button(`${one.draw} · ${wall(one.draw_at)}`, one === draw, () => {
        first = one.draw;
        order();
        next();
      }),
    ),
  );
  $("#t-draws").replaceChildren(
    ...numbers(inARow(), draws, (value) => {
      draws = value;
    }),
  );
  if (focus) [...($(`#${focus}`)?.children ?? [])].find((one) => one.textContent === text)?.focus();
  $("#t-buy").textContent = `Buy for ${dollars(tickets * draws * state.price_cents)}`;
}
function next() {
  const draw = wanted();
  const sales = state.sales;
  $("#t-buy-title").textContent = draw ? "Buy a ticket" : "Tickets";
  if (draw) {
    $("#t-next").replaceChildren(
      h(
        "div",
        { class: "t-next" },
        h(
          "div",
          {},
          h("p", { class: "m-label" }, `Draw ${draw.draw} · sales close in`),
          h("div", { class: "t-count", id: "t-count" }, left(draw.closes_at)),
          h("p", { class: "tiny soft" }, `${counted(draw.tickets, "ticket")} in it so far`),
        ),
        h(
          "div",
          {},
          h("p", { class: "m-label" }, "Dealer's first cards of Game 2"),
          h(
            "div",
            { class: "t-firsts" },
            draw.first_cards.map((text) => card(text)),
          ),
        ),
      ),
    );
    return;
  }
  const hours = `Tickets are sold from ${sales.hours[0]} to ${sales.hours[1]} Pacific time.`;
  if (sales.switched_off) {
    $("#t-next").replaceChildren(h("p", { id: "t-closed" }, "The house does not sell tickets now."));
  } else if (sales.opens_at) {
    $("#t-next").replaceChildren(
      h(
        "div",
        { id: "t-closed" },
        h(
          "p",
          { class: "m-label" },
          `Sales are closed. They open at ${wall(sales.opens_at)} Pacific time, in`,
        ),
        h("div", { class: "t-count", id: "t-count" }, left(sales.opens_at)),
        h("p", { class: "tiny soft" }, hours),
      ),
    );
  } else $("#t-next").replaceChildren(h("p", { id: "t-closed" }, `No draw is on sale now. ${hours}`));
}
function last() {
  if (!state.last.length) {
    $("#t-last").replaceChildren(h("p", { class: "soft" }, "No draw has been shown yet."));
    return;
  }
  $("#t-last").replaceChildren(lastDraws(state.last.slice(0, 6), { links: true }));
}
async function refresh() {
  if (document.hidden) return;
  try {
    state = await api("GET", "/knockout-21/draws");
    clock = serverClock(state.now);
    next();
    order();
    last();
  } catch {
    /* again at the next turn */
  }
}

// Choosing. Every choice is kept with the purchase as it is made; the print makes them final.
const choosing = () => purchase?.tickets.filter((ticket) => ticket.state === "choosing") ?? [];
/** The choices of the tickets: all of them, or only those that are not the charts'. */
const chosen = (all) =>
  Object.fromEntries(
    choosing().map((ticket) => [
      ticket.id,
      Object.fromEntries(
        ticket.hands
          .filter((hand) => hand.choice)
          .map((hand) => [hand.position, changes[ticket.id][hand.position] ?? hand.choice, hand.advice])
          .filter(([, now, advice]) => all || now !== advice)
          .map(([position, now]) => [position, now]),
      ),
    ]),
  );
let keeping = Promise.resolve();
function keep() {
  const number = purchase.purchase;
  const overrides = chosen(false);
  $("#t-kept").textContent = "Keeping your choices…";
  keeping = keeping
    .then(() => api("PUT", `/knockout-21/purchases/${number}/choices`, { overrides }, { key: newKey() }))
    .then(
      () => {
        $("#t-kept").textContent = "Your choices are kept with the purchase.";
      },
      (error) => {
        $("#t-kept").textContent = "";
        refused(error);
      },
    );
}
function showPurchase() {
  const open = choosing();
  changes = Object.fromEntries(open.map((ticket) => [ticket.id, {}]));
  $("#t-choose").hidden = false;
  $("#t-order").hidden = true;
  $("#t-hands").replaceChildren(
    ...open.map((ticket) =>
      h(
        "div",
        { class: "t-ticket" },
        h(
          "p",
          {},
          h("b", {}, `Draw ${ticket.draw}`),
          ` · ticket ${ticket.id.slice(0, 8)} · sales close in `,
          h("span", { class: "num", "data-closes": ticket.closes_at }, left(ticket.closes_at)),
        ),
        hands(ticket, changes[ticket.id], { editable: true, changed: keep }),
      ),
    ),
  );
  $("#t-print").textContent =
    open.length > 1 ? `Print ${counted(open.length, "ticket")}` : "Print the ticket";
}
const printed = (done) => {
  location.href = done.length === 1 ? `/knockout-21/tickets/${done[0].id}` : "/knockout-21";
};
const pause = () =>
  new Promise((done) => {
    setTimeout(done, 2500);
  });
const tooLate = (late) =>
  toast(
    `Sales closed before the choices of ${counted(late, "ticket")} were final: the charts' choices stand.`,
    "KO21-2.8",
  );
/** A close has come: its tickets are printed with the charts' choices, the others can still be chosen. */
async function closed() {
  let now;
  try {
    now = await api("GET", `/knockout-21/purchases/${purchase.purchase}`);
  } catch {
    return;
  }
  const caught = choosing().filter((ticket) =>
    now.tickets.some((other) => other.id === ticket.id && other.state !== "choosing"),
  );
  if (!caught.length) return;
  await keeping;
  tooLate(caught.length);
  try {
    purchase = await api("GET", `/knockout-21/purchases/${purchase.purchase}`);
  } catch {
    return;
  }
  if (choosing().length) showPurchase();
  else {
    await pause();
    printed(purchase.tickets);
  }
}

$("#t-buy").addEventListener("click", async () => {
  const draw = wanted();
  if (!draw) return;
  $("#t-buy").disabled = true;
  try {
    purchase = await api(
      "POST",
      "/knockout-21/purchases",
      { tickets_per_draw: tickets, draws, first_draw: draw.draw },
      { key: newKey() },
    );
    showPurchase();
    $("#t-print").focus();
    say("Bought. Your hands are shown with the charts' choices.");
  } catch (error) {
    refused(error);
    refresh();
  }
  $("#t-buy").disabled = false;
});
$("#t-print").addEventListener("click", async () => {
  $("#t-print").disabled = true;
  try {
    await keeping;
    const done = await api(
      "POST",
      `/knockout-21/purchases/${purchase.purchase}/choices`,
      { overrides: chosen(true) },
      { key: newKey() },
    );
    const late = done.tickets.filter((ticket) => !ticket.accepted).length;
    if (late) {
      tooLate(late);
      await pause();
    }
    printed(done.tickets);
  } catch (error) {
    refused(error);
    $("#t-print").disabled = false;
  }
});

const words = {
  "not found": "No ticket has this number.",
  "not yet drawn": "Its draw is not over yet.",
  "no prize": "No prize this time.",
  "paid already": "Its prize was paid already.",
  expired: "Its prize has expired.",
  "void print": "This print is not valid: the ticket was altered, or the code is wrong.",
};
const tell = (answer) => {
  $("#t-answer").textContent =
    answer.verdict === "prize" ? `A prize of ${dollars(answer.prize_cents)}.` : words[answer.verdict];
};
const claimed = () => ({ control_number: $("#t-number").value, code: $("#t-code").value.trim() });
$("#t-check").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!$("#t-number").value) return;
  try {
    tell(await api("POST", "/knockout-21/check", claimed()));
  } catch (error) {
    refused(error);
  }
});
$("#t-claim").addEventListener("click", async () => {
  if (!$("#t-number").value) return;
  try {
    const answer = await api("POST", "/knockout-21/claims", claimed(), { key: newKey() });
    tell(answer);
    if (answer.verdict === "prize") {
      $("#t-answer").textContent = `Paid: ${dollars(answer.prize_cents)} in chips.`;
    }
  } catch (error) {
    refused(error);
  }
});
next();
order();
last();
if (purchase) showPurchase();
let looking = false;
setInterval(async () => {
  for (const one of document.querySelectorAll("[data-closes]")) one.textContent = left(one.dataset.closes);
  const count = $("#t-count");
  const until = wanted()?.closes_at ?? state.sales.opens_at;
  if (count && until) count.textContent = left(until);
  if (looking) return;
  looking = true;
  if (count && until && Date.parse(until) <= clock()) await refresh();
  if (choosing().some((ticket) => Date.parse(ticket.closes_at) <= clock())) await closed();
  looking = false;
}, 500);
setInterval(refresh, 5000);
