// What the lab knows: the rules as they stand, their figures, and which work is still wanted.
import { $, dataOf } from "../dom.js";

/** @typedef {import("../types/lab.js").Options} Options */
/** @typedef {import("../types/lab.js").RulesView} RulesView */
/** @typedef {import("../types/lab.js").Figures} Figures */

export const root = $("#lab");
/** @type {import("../types/lab.js").About} */
export const about = dataOf(root, "about");
/** @type {RulesView} */
const first = dataOf(root, "state");

export const page = {
  rules: first,
  options: optionsOf(first),
  /** The wager in chips, as it was written; empty for the smallest. */
  wager: $("#l-wager").value.trim(),
  /** The wager whose figures stand in the headline; empty for the game's main one. */
  which: root.dataset.which ?? "",
  /** @type {Figures | null} */
  figures: null,
  /** @type {import("../types/lab.js").Chart | null} */
  chart: null,
  /**
   * Figures and chart of other rules, kept to be compared with.
   * @type {import("../types/lab.js").Pinned | null}
   */
  pinned: null,
  /** Counts up whenever other rules are solved: older work is then thrown away. */
  turn: 0,
};

/**
 * The options in which rules differ from the house's own.
 * @param {RulesView} rules
 * @returns {Options}
 */
export function optionsOf(rules) {
  return Object.fromEntries(Object.entries(rules.differences).map(([key, one]) => [key, one.here]));
}

/** What a request to the lab is about. */
export const inputs = (options = page.options) => ({
  game: about.game,
  options,
  wager: page.wager || null,
});

/**
 * A value as a rules file has it, on one line.
 * @param {unknown} value
 * @returns {string}
 */
function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (!value || typeof value !== "object") return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)} = ${written(one)}`)
    .join(", ")} }`;
}

/** The settings as they stand in an address. */
export function settings() {
  const lines = Object.entries(page.options).map(([key, value]) => ["set", `${key}=${written(value)}`]);
  return new URLSearchParams(page.wager ? [["wager", page.wager], ...lines] : lines);
}
export const query = () => new URLSearchParams([["game", about.game], ...settings()]).toString();

/** The rules stand in the address, so that a link shares them; and in that of the page that shows how they work. */
export const address = () => `/lab?${query()}${page.which ? `&which=${encodeURIComponent(page.which)}` : ""}`;
export function writeAddress() {
  history.replaceState(null, "", address());
  const how = $("#l-how");
  if (how) how.href = `${how.href.split("?")[0]}?${settings()}`;
}
