// A number that counts up to what it is now; at once for whoever asks for no motion.

const COUNT_MS = 900;
const still = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {WeakMap<HTMLElement, {from: number, to: number, since: number}>} */
const counts = new WeakMap();

/**
 * @param {HTMLElement} element
 * @param {number} to
 * @param {(number: number) => string} words
 */
export function countUp(element, to, words) {
  const from = counts.get(element)?.to ?? 0;
  const count = { from, to, since: performance.now() };
  counts.set(element, count);
  if (still.matches || to <= from) {
    element.textContent = words(to);
    return;
  }
  /** @param {number} now */
  const step = (now) => {
    if (counts.get(element) !== count) return; // it counts to something else by now
    const part = Math.min(1, Math.max(0, now - count.since) / COUNT_MS);
    element.textContent = words(Math.round(from + (to - from) * part));
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
