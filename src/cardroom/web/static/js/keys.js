// Keys: one and the same for an action at every game and in the terminal; the server has the list.
import { h } from "./dom.js";

/** @type {Record<string, string>} */
export const KEYS = JSON.parse(document.body?.dataset.keys ?? "{}");

/** @param {string} action */
export const keyFor = (action) => h("kbd", {}, KEYS[action] === " " ? "Space" : KEYS[action].toUpperCase());

const WRITTEN_IN =
  "dialog, select, textarea, input:not([type=checkbox], [type=radio], [type=button], [type=range])";
/**
 * Whether a key is not for the game: part of a shortcut, or what has the focus wants it for itself.
 * @param {KeyboardEvent} event
 */
export const isForSomethingElse = (event) =>
  event.ctrlKey || event.metaKey || event.altKey || Boolean(targetOf(event).closest(WRITTEN_IN));

/**
 * Whether Space is for the game, and not for what has the focus.
 * @param {KeyboardEvent} event
 */
export const isDealKey = (event) =>
  event.code === "Space" &&
  !targetOf(event).closest("input:not([type=range])") &&
  !(walksByKeyboard() && targetOf(event).closest("button, a, summary"));

/** Show all keys, the same at every game. */
export function showKeys() {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector("#keys"));
  if (dialog && !dialog.open) dialog.showModal();
}

/** @param {Event} event */
export const targetOf = (event) => /** @type {Element} */ (event.target);

let byKeyboard = false;
addEventListener(
  "pointerdown",
  () => {
    byKeyboard = false;
  },
  true,
);
addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Tab") byKeyboard = true;
  },
  true,
);
addEventListener("change", (event) => {
  // Who ticks a box, draws a slider or picks from a list by pointer goes on playing by key.
  const target = /** @type {HTMLElement} */ (event.target);
  if (!byKeyboard && target.matches("select, [type=checkbox], [type=radio], [type=range]")) target.blur();
});
/** Whether the visitor walks the page by keyboard: then focus is kept, and Space belongs to the focused button. */
export const walksByKeyboard = () => byKeyboard;

/**
 * The next chip of a tray by key: one smaller or larger, or the same at either end.
 * @param {number[]} chips
 * @param {number} chip
 * @param {string} key
 */
export function chipByKey(chips, chip, key) {
  const sizes = [...chips].sort((one, other) => one - other);
  const index = sizes.indexOf(chip) + (key === KEYS["larger chip"] ? 1 : -1);
  return sizes[Math.min(sizes.length - 1, Math.max(0, index))];
}
