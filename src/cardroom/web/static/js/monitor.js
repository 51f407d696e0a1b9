// The wall: every card when the server shows it; the countdown by the server's clock; resumes after a break.
import { card } from "./cards.js";
import { $, given, h } from "./dom.js";
import { lastDraws } from "./knockout21/draws.js";
import { serverClock } from "./server.js";
import { counted, countdown, chips } from "./words.js";

/** @typedef {import("./types/knockout21.js").ShowEvent} ShowEvent */
/**
 * @template {ShowEvent["kind"]} Kind
 * @typedef {Extract<ShowEvent, {kind: Kind}>} Shown
 */

const root = $("#monitor");
/** @type {import("./types/knockout21.js").Layout} */
const layout = given(root, "layout");
/** @type {import("./types/knockout21.js").Draws} */
let house = given(root, "state");
let clock = serverClock(house.now);
/** The draw on show: how many tickets it has, and the cards of the hand that is played. */
const draw = { number: 0, tickets: 0, hit: "", dealer: /** @type {string[]} */ ([]) };

/** @param {string} words */
const tell = (words) => {
  $("#m-say").textContent = words;
};
/** @param {{game: number, hand: number}} place */
const tileOf = ({ game, hand }) => $(`#m-${game}-${hand}`);

for (const { game, hands } of layout.games) {
  const prize = h("span", { class: "tiny soft", id: `m-prize-${game}` });
  const tiles = Array.from({ length: hands }, (_, index) => h("div", { id: `m-${game}-${index + 1}` }));
  $("#m-board").append(
    h(
      "div",
      { class: "m-game" },
      h("div", {}, h("b", {}, `Game ${game}`), h("br"), prize),
      h("div", { class: "m-tiles" }, tiles),
    ),
  );
}
clearTiles();

function clearTiles() {
  for (const { game, hands } of layout.games) {
    $(`#m-prize-${game}`).textContent = "";
    for (let hand = 1; hand <= hands; hand += 1) {
      const tile = tileOf({ game, hand });
      tile.className = "m-tile";
      tile.replaceChildren(h("span", { class: "soft" }, `Hand ${hand}`));
    }
  }
}

/** @param {number} number */
function begin(number) {
  Object.assign(draw, { number, tickets: 0, hit: "", dealer: [] });
  $("#m-hit").replaceChildren();
  $("#m-dealer").replaceChildren();
  tell("");
  clearTiles();
}

/**
 * @param {{game: number, hand: number}} place
 * @param {string} rest
 */
function tellPlace({ game, hand }, rest = "") {
  const hands = layout.games.find((one) => one.game === game)?.hands;
  $("#m-where").textContent = `Dealer · Game ${game}, hand ${hand} of ${hands}${rest}`;
}

/** @param {Shown<"hit">} event */
function showHit(event) {
  if (event.hand === 1) $("#m-in").textContent = draw.tickets;
  $(".m-tile.now")?.classList.remove("now");
  tileOf(event).classList.add("now");
  draw.hit = event.card;
  draw.dealer = event.first_card ? [event.first_card] : [];
  $("#m-hit").replaceChildren(card(event.card, { dealt: true }));
  $("#m-dealer").replaceChildren(...draw.dealer.map((text) => card(text)));
  tellPlace(event);
  tell("");
}

/** @param {Shown<"dealer">} event */
function showDealer(event) {
  draw.dealer.push(event.card);
  $("#m-dealer").append(card(event.card, { dealt: true }));
  tellPlace(event, ` · ${event.total > layout.best_total ? "bust" : event.total}`);
}

/** @param {Shown<"hand">} event */
function showHand(event) {
  const tile = tileOf(event);
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
  if (event.lucky_losers) {
    tell(`Nobody beat the dealer: all ${event.staying} still in stay in as Lucky Losers.`);
  } else tell(event.bust ? "The dealer busts." : `${event.staying} still in Game ${event.game}.`);
}

/** @param {Shown<"game">} event */
function showGame({ game, winners, prize_cents: cents }) {
  $(`#m-prize-${game}`).textContent = winners ? `${winners} × ${chips(cents)}` : "no winner";
  const won = `Game ${game}: ${counted(winners, "winner")}, ${chips(cents)} each.`;
  tell(winners ? won : `Game ${game}: nobody won.`);
}

/** @param {Shown<"started">} event */
function showStart(event) {
  draw.tickets = event.tickets;
  $("#m-draw").textContent = `Draw ${event.draw} · ${counted(event.tickets, "ticket")}`;
  $("#m-in").textContent = event.tickets;
  tell("The draw begins.");
}

/** @param {ShowEvent} event */
function show(event) {
  if (draw.number !== event.draw) begin(event.draw);
  if (event.kind === "started") showStart(event);
  else if (event.kind === "hit") showHit(event);
  else if (event.kind === "dealer") showDealer(event);
  else if (event.kind === "hand") showHand(event);
  else if (event.kind === "game") showGame(event);
  else tell(`Draw ${event.draw} is over. Check your ticket.`);
}

function showLast() {
  const draws = house.last.slice(0, 5);
  $("#m-last").replaceChildren(draws.length ? lastDraws(draws) : h("p", { class: "soft" }, "None yet."));
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
  $("#m-count").textContent = countdown(seconds);
}

const source = new EventSource(`/api/v1${root.dataset.address}/monitor`);
source.addEventListener("draw", (message) => show(JSON.parse(message.data)));
source.addEventListener("house", (message) => {
  house = JSON.parse(message.data);
  clock = serverClock(house.now);
  showLast();
  count();
});
source.onerror = () => {
  $("#m-link").hidden = false;
};
source.onopen = () => {
  $("#m-link").hidden = true;
};
addEventListener("pagehide", () => source.close());
showLast();
count();
setInterval(count, 250);
