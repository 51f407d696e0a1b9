// How a game works: films that run by button or key, and figures that come after the page.
import { freshen } from "./anew.js";
import { card } from "./cards.js";
import { $, $$, dataOf, h } from "./dom.js";
import { api } from "./server.js";

/** @typedef {import("./types/how.js").Film} Film */
/** @typedef {import("./types/how.js").Row} Row */

const MANY = 7;
const NO_MOTION = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * @param {Row} row
 * @param {number} before how many cards lay there a step earlier
 */
function drawn(row, before) {
  const many = row.cards.length > MANY;
  const laid = row.cards.map((one, place) => {
    const picture = one.card ? card(one.card, { large: many }) : h("span", { class: "bare" });
    const classes = [
      "laid",
      one.marked && "marked",
      one.sideways && "sideways",
      place < row.cards.length - before && "fresh",
    ];
    return h(
      "span",
      { class: classes.filter(Boolean).join(" ") },
      picture,
      one.below && h("small", {}, one.below),
    );
  });
  return h(
    "figure",
    { class: "cards-row" },
    h("figcaption", {}, row.label, row.words && h("span", { class: "soft" }, ` · ${row.words}`)),
    h("div", { class: many ? "cards-line many" : "cards-line" }, laid),
  );
}

/** @param {HTMLElement} box */
function film(box) {
  /** @type {Film} */
  const { scenes, milliseconds } = dataOf(box, "film");
  const last = scenes.length - 1; // it begins there, where the result stands
  const playButton = $("[data-step=play]", box);
  let at = last;
  /** @type {number | undefined} */
  let timer;

  const show = (/** @type {number} */ step) => {
    const before = scenes[at].rows;
    at = Math.max(0, Math.min(last, step));
    const rows = scenes[at].rows.map((row, place) => drawn(row, before[place]?.cards.length ?? 0));
    $(".film-stage", box).replaceChildren(...rows);
    $(".film-caption", box).textContent = scenes[at].caption;
    $("[data-step=number]", box).textContent = `${at + 1} of ${last + 1}`;
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    playButton.textContent = "Play";
  };
  const play = () => {
    if (timer !== undefined) {
      stop();
      return;
    }
    if (at >= last) show(0);
    playButton.textContent = "Pause";
    timer = setInterval(() => (at >= last ? stop() : show(at + 1)), milliseconds);
  };
  /** @type {Record<string, () => void>} */
  const steps = {
    first: () => show(0),
    back: () => show(at - 1),
    next: () => show(at + 1),
    play,
  };
  for (const button of $$("button[data-step]", box)) {
    button.onclick = () => {
      if (button !== playButton) stop();
      steps[button.dataset.step]();
    };
  }
  box.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    stop();
    show(at + step);
  });
  playButton.hidden = NO_MOTION.matches; // who asks for no motion goes step by step
  $(".film-buttons", box).hidden = false;
  show(last);
  const stage = $(".film-stage", box);
  stage.style.minHeight = `${stage.offsetHeight}px`; // nothing moves below it while the film runs
}

for (const box of $$("[data-film]")) film(box);

const figures = $("[data-pending]");
const mistakes = $("[data-mistakes]");
if (figures) {
  api("POST", "/lab/figures", dataOf(figures, "pending"))
    .then(() => freshen("#odds"))
    .catch(() => {});
}
if (mistakes) {
  api("POST", "/how/mistakes", dataOf(mistakes, "mistakes"))
    .then(() => freshen("#mistakes"))
    .catch(() => {});
}
