// The wall: every card when the server shows it; the countdown by the server's clock; resumes after a break.
import { $, card, counted, dollars, h, serverClock } from "./lib.js";
import { lastDraws } from "./draws21.js";

const HANDS = { 1: 4, 2: 5, 3: 6 };
let house = JSON.parse($("#monitor").dataset.state);
let clock = serverClock(house.now);
let draw = null;
const two = (number) => String(number).padStart(2, "0");

for (const game of [1, 2, 3]) {
  $("#m-board").append(
    h(
      "div",
      { class: "m-game" },
      h(
        "div",
        {},
        h("b", {}, `Game ${game}`),
        h("br"),
        h("span", { class: "tiny soft", id: `m-prize-${game}` }),
      ),
      h(
        "div",
        { class: "m-tiles" },
        Array.from({ length: HANDS[game] }, (_, index) =>
          h(
            "div",
            { class: "m-tile", id: `m-${game}-${index + 1}` },
            h("span", { class: "soft" }, `Hand ${index + 1}`),
          ),
        ),
      ),
    ),
  );
}

function clear(number) {
  draw = { number, tickets: 0, hit: null, dealer: [] };
  $("#m-hit").replaceChildren();
  $("#m-dealer").replaceChildren();
  $("#m-say").textContent = "";
  for (const game of [1, 2, 3]) {
    $(`#m-prize-${game}`).textContent = "";
    for (let hand = 1; hand <= HANDS[game]; hand += 1) {
      const tile = $(`#m-${game}-${hand}`);
      tile.className = "m-tile";
      tile.replaceChildren(h("span", { class: "soft" }, `Hand ${hand}`));
    }
  }
}
function show(event) {
  if (draw?.number !== event.draw) clear(event.draw);
  const tile = event.game && event.hand ? $(`#m-${event.game}-${event.hand}`) : null;
  switch (event.kind) {
    case "started":
      draw.tickets = event.tickets;
      draw.in = event.tickets;
      $("#m-draw").textContent = `Draw ${event.draw} · ${counted(event.tickets, "ticket")}`;
      $("#m-in").textContent = event.tickets;
      $("#m-say").textContent = "The draw begins.";
      break;
    case "hit":
      if (event.hand === 1) $("#m-in").textContent = draw.tickets;
      document.querySelector(".m-tile.now")?.classList.remove("now");
      tile.classList.add("now");
      draw.hit = event.card;
      draw.dealer = event.first_card ? [event.first_card] : [];
      $("#m-hit").replaceChildren(card(event.card, { dealt: true }));
      $("#m-dealer").replaceChildren(...(event.first_card ? [card(event.first_card)] : []));
      $("#m-where").textContent = `Dealer · Game ${event.game}, hand ${event.hand} of ${HANDS[event.game]}`;
      $("#m-say").textContent = "";
      break;
    case "dealer":
      draw.dealer.push(event.card);
      $("#m-dealer").append(card(event.card, { dealt: true }));
      $("#m-where").textContent =
        `Dealer · Game ${event.game}, hand ${event.hand} of ${HANDS[event.game]} · ${event.total > 21 ? "bust" : event.total}`;
      break;
    case "hand":
      tile.classList.remove("now");
      tile.classList.add("done");
      tile.classList.toggle("lucky", event.lucky_losers);
      tile.replaceChildren(
        h("span", {}, h("b", {}, event.bust ? "bust" : String(event.total))),
        h("span", { class: "tiny" }, event.lucky_losers ? "Lucky Losers" : `${event.staying} in`),
        h(
          "div",
          { class: "m-cards" },
          h("span", { class: "tiny" }, "hit"),
          card(draw.hit, { large: true }),
          h("span", { class: "tiny" }, "dealer"),
          draw.dealer.map((text) => card(text, { large: true })),
        ),
      );
      $("#m-in").textContent = event.staying;
      $("#m-say").textContent = event.lucky_losers
        ? `Nobody beat the dealer: all ${event.staying} still in stay in as Lucky Losers.`
        : event.bust
          ? "The dealer busts."
          : `${event.staying} still in Game ${event.game}.`;
      break;
    case "game":
      $(`#m-prize-${event.game}`).textContent = event.winners
        ? `${event.winners} × ${dollars(event.prize_cents)}`
        : "no winner";
      $("#m-say").textContent = event.winners
        ? `Game ${event.game}: ${counted(event.winners, "winner")}, ${dollars(event.prize_cents)} each.`
        : `Game ${event.game}: nobody won.`;
      break;
    case "settled":
      $("#m-say").textContent = `Draw ${event.draw} is over. Check your ticket.`;
      break;
  }
}
function last() {
  if (!house.last.length) {
    $("#m-last").replaceChildren(h("p", { class: "soft" }, "None yet."));
    return;
  }
  $("#m-last").replaceChildren(lastDraws(house.last.slice(0, 5)));
}
function count() {
  const next = house.on_sale[0];
  if (!next) {
    $("#m-next").textContent = "No draw is on sale";
    $("#m-count").textContent = "–";
    return;
  }
  const seconds = Math.max(0, Math.ceil((Date.parse(next.draw_at) - clock()) / 1000));
  $("#m-next").textContent = `Draw ${next.draw} in · ${counted(next.tickets, "ticket")}`;
  $("#m-count").textContent =
    seconds >= 3600
      ? `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
      : `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}
const source = new EventSource("/api/v1/knockout-21/monitor");
source.addEventListener("draw", (message) => show(JSON.parse(message.data)));
source.addEventListener("house", (message) => {
  house = JSON.parse(message.data);
  clock = serverClock(house.now);
  last();
  count();
});
source.onerror = () => {
  $("#m-link").hidden = false;
};
source.onopen = () => {
  $("#m-link").hidden = true;
};
addEventListener("pagehide", () => source.close());
last();
count();
setInterval(count, 250);
