// The wall: every card when the server shows it; between draws the countdown, by the server's clock.
import { $, dataOf } from "./dom.js";
import { followDraws } from "./knockout21/show.js";
import { serverClock } from "./server.js";
import { showBetween, tick } from "./wall/between.js";
import { board } from "./wall/board.js";
import { stage } from "./wall/stage.js";
import { counted } from "./words.js";

/** @typedef {import("./types/knockout21.js").ShowEvent} ShowEvent */

const root = $("#wall");
/** @type {import("./types/knockout21.js").Layout} */
const layout = dataOf(root, "layout");
/** @type {import("./types/knockout21.js").House} */
let house = dataOf(root, "state");
let clock = serverClock(house.now);

const tiles = board($("#w-board"), layout);
const hand = stage(layout);

/** @param {"draw" | "between"} phase */
function face(phase) {
  root.dataset.phase = phase;
  for (const one of root.querySelectorAll("[data-face]")) one.hidden = one.dataset.face !== phase;
}

/** @param {ShowEvent} event */
function whereWords(event) {
  if (event.kind === "started") return `Draw ${event.draw} · ${counted(event.tickets, "ticket")}`;
  if (event.kind === "settled") return `Draw ${event.draw} · result`;
  if (event.kind === "game") return `Draw ${event.draw} · Game ${event.game}`;
  const hands = layout.games.find(({ game }) => game === event.game)?.hands;
  return `Draw ${event.draw} · Game ${event.game}, hand ${event.hand} of ${hands}`;
}

/** What is told of the house; the first cards of the next draw lie on a board that has shown none yet. */
function showHouse() {
  showBetween(house);
  tick(house, clock);
  if (!root.dataset.shown) tiles.clear(house.on_sale[0]?.first_cards ?? []);
}

/** @param {ShowEvent} event */
function show(event) {
  face(event.kind === "settled" ? "between" : "draw");
  $("#w-where").textContent = whereWords(event);
  hand.show(event);
  tiles.show(event);
  const isLucky = event.kind === "hand" && event.lucky_losers; // it is said over the whole stage
  if (event.kind === "hit" || isLucky) $("#w-say").textContent = "";
  else if (event.kind !== "dealer") $("#w-say").textContent = event.say;
  root.dataset.shown = `${event.draw}.${event.index + 1}`;
}

followDraws(root.dataset.address, layout.beat_seconds, {
  draw: show,
  house: (now) => {
    house = now;
    clock = serverClock(house.now);
    showHouse();
  },
  connected: (up) => {
    $("#w-broken").hidden = up;
  },
});
showHouse();
setInterval(() => tick(house, clock), 250);

// F or a double click fills the screen, and leaves it again.
const fillScreen = () => {
  const done = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen();
  done.catch(() => {}); // a browser that does not allow it shows the page as it is
};
addEventListener("dblclick", fillScreen);
addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "f" && !event.ctrlKey && !event.metaKey && !event.altKey) fillScreen();
});
