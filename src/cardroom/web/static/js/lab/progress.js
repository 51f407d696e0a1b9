// A bar that fills by the time that the figures took last.
import { $ } from "../dom.js";
import { about, root } from "./page.js";

/** @type {number | undefined} */
let timer;

/** Show that the figures are being computed, until `endWork`. */
export function beginWork() {
  const began = performance.now();
  const usual = Number(localStorage.getItem(nameOfTime) ?? 6000);
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
  root.classList.add("l-working");
  return began;
}

const nameOfTime = `l-usual-${about.game}`;

/**
 * Done: the next bar fills by this time.
 * @param {number} began
 */
export function finishWork(began) {
  breakOff();
  localStorage.setItem(nameOfTime, String(performance.now() - began));
}

export function breakOff() {
  clearInterval(timer);
  $("#l-progress").hidden = true;
  root.classList.remove("l-working");
}
