// The draws as the wall shows them: a live connection that opens itself again, whatever ends it.
/** @typedef {import("../types/knockout21.js").ShowEvent} ShowEvent */
/** @typedef {import("../types/knockout21.js").House} House */

const LOOK_MS = 2000;
/** So many beats may be missing before the line counts as broken. */
const BEATS = 3;

/**
 * Follow the draws. A browser opens a lost connection again by itself, but not one that was refused, and it
 * does not notice one that is silent: this does both. A server of another version has pages of its own.
 * @param {string} address where the game is played
 * @param {number} beatSeconds how often the server says something at least
 * @param {{draw: (event: ShowEvent) => void, house?: (house: House) => void,
 *   connected?: (up: boolean) => void}} hear
 */
export function followDraws(address, beatSeconds, { draw, house = () => {}, connected = () => {} }) {
  /** @type {EventSource} */
  let source;
  let heardAt = 0;
  let assets = "";
  const heard = () => {
    heardAt = performance.now();
    connected(true);
  };
  /** @param {MessageEvent} message */
  const loadIfNew = (message) => {
    heard();
    assets ||= message.data;
    if (message.data !== assets) location.reload();
  };
  const open = () => {
    heardAt = performance.now();
    source = new EventSource(`/api/v1${address}/monitor`);
    source.addEventListener("assets", loadIfNew);
    source.addEventListener("beat", heard);
    source.addEventListener("draw", (message) => {
      heard();
      draw(JSON.parse(message.data));
    });
    source.addEventListener("house", (message) => {
      heard();
      house(JSON.parse(message.data));
    });
    source.onerror = () => connected(false);
  };
  const look = () => {
    const silent = performance.now() - heardAt > 1000 * BEATS * beatSeconds;
    if (!silent && source.readyState !== EventSource.CLOSED) return;
    connected(false);
    source.close();
    open();
  };
  open();
  const timer = setInterval(look, LOOK_MS);
  addEventListener("pagehide", () => {
    clearInterval(timer);
    source.close();
  });
}
