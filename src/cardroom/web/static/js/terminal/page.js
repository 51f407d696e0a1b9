// What the terminal knows: the draws of the house, and the purchase whose choices are not final.
import { $, dataOf } from "../dom.js";
import { serverClock } from "../server.js";
import { countdown } from "../words.js";

const root = $("#terminal");
/**
 * Where the game is played, on the pages and in the API.
 * @type {string}
 */
export const address = root.dataset.address;
/** @type {import("../types/knockout21.js").Layout} */
export const layout = dataOf(root, "layout");
/** @type {import("../types/knockout21.js").Draws} */
const first = dataOf(root, "state");

export const page = {
  state: first,
  clock: serverClock(first.now),
  /**
   * The purchase whose choices are not final; it is the server's, and a reload finds it again.
   * @type {import("../types/knockout21.js").Purchase | null}
   */
  purchase: dataOf(root, "begun"),
};

/** The day on the calendar of the house: `2025-06-14`. */
export const wallDay = () =>
  new Intl.DateTimeFormat("en-CA", {
    timeZone: page.state.sales.timezone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).format(new Date(page.clock()));

/**
 * The time until a moment.
 * @param {string} moment
 */
export const timeLeft = (moment) =>
  countdown(Math.max(0, Math.floor((Date.parse(moment) - page.clock()) / 1000)));

/**
 * A moment by the clock on the wall.
 * @param {string} moment
 */
export const wallClock = (moment) =>
  new Intl.DateTimeFormat("en-CA", {
    timeZone: page.state.sales.timezone,
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(new Date(moment));
