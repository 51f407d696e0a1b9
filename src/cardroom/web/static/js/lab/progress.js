// A bar that fills by the time that the figures took last.
import { $ } from "../dom.js";

/** @type {number | undefined} */
let timer;

/**
 * Show that something is being computed, until `finishWork` or `breakOff`.
 * @param {string} what
 * @param {number} expected How long it takes where it was never done, in milliseconds.
 */
export function beginWork(what, expected) {
  const began = performance.now();
  const usual = Number(localStorage.getItem(nameOfTime(what)) ?? expected);
  const box = $("#l-progress");
  const tick = () => {
    const passed = performance.now() - began;
    $("#l-seconds").textContent = `${Math.round(passed / 1000)} s`;
    $("i", box).style.width = `${Math.min(97, (90 * passed) / usual)}%`;
    box.hidden = passed < 300;
  };
  clearInterval(timer);
  timer = setInterval(tick, 100);
  tick();
  document.body.classList.add("l-working");
  return began;
}

/** @param {string} what */
const nameOfTime = (what) => `l-usual-${what}`;

/**
 * Done: the next bar fills by this time.
 * @param {string} what
 * @param {number} began
 */
export function finishWork(what, began) {
  breakOff();
  localStorage.setItem(nameOfTime(what), String(performance.now() - began));
}

export function breakOff() {
  clearInterval(timer);
  $("#l-progress").hidden = true;
  document.body.classList.remove("l-working");
}
