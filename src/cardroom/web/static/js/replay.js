// The buttons and keys of a replay, alike for every game: step by step, or by itself.
import { $ } from "./dom.js";
import { targetOf } from "./keys.js";
import { toast } from "./notices.js";

/**
 * Begin at the end, where the result stands.
 * @param {number} last the number of the last step; the first one is 0
 * @param {number} milliseconds the time of a step when it runs by itself
 * @param {(step: number) => void} show
 */
export function replay(last, milliseconds, show) {
  let at = last;
  /** @type {number | undefined} */
  let timer;
  const go = (/** @type {number} */ step) => {
    at = Math.max(0, Math.min(last, step));
    show(at);
    $("#r-range").value = at;
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    $("#r-play").firstChild.textContent = "Play ";
  };
  const play = () => {
    if (timer !== undefined) {
      stop();
      return;
    }
    if (at >= last) go(0);
    $("#r-play").firstChild.textContent = "Pause ";
    timer = setInterval(() => (at >= last ? stop() : go(at + 1)), milliseconds);
  };
  $("#r-first").onclick = () => go(0);
  $("#r-back").onclick = () => go(at - 1);
  $("#r-next").onclick = () => go(at + 1);
  $("#r-last").onclick = () => go(last);
  $("#r-play").onclick = play;
  $("#r-range").oninput = () => go(Number($("#r-range").value));
  $("#r-copy").onclick = async () => {
    await navigator.clipboard.writeText(location.href);
    toast("The link is copied.");
  };
  addEventListener("keydown", (event) => {
    if (targetOf(event).closest("input, button, a")) return;
    if (event.key === "ArrowLeft") go(at - 1);
    else if (event.key === "ArrowRight") go(at + 1);
    else if (event.code === "Space") {
      event.preventDefault();
      play();
    }
  });
  go(last);
}
