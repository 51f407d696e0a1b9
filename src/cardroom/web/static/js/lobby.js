// The lobby: the next draw's countdown by the server's clock, and edges that come later.
import { freshen, reload } from "./anew.js";
import { $, $$ } from "./dom.js";
import { api, serverClock } from "./server.js";
import { countdown } from "./words.js";

const draw = $("[data-until]");
if (draw) {
  const clock = serverClock(draw.dataset.now);
  const show = () => {
    const seconds = Math.max(0, Math.ceil((Date.parse(draw.dataset.until) - clock()) / 1000));
    draw.textContent = countdown(seconds);
    if (seconds) return;
    clearInterval(timer);
    setTimeout(reload, 3000);
  };
  const timer = setInterval(show, 500);
  show();
}

/**
 * Edges that were not at hand when the page was made: when they are, the page as it is made now has them.
 * @param {string} game
 */
async function fetchEdges(game) {
  await api("GET", `/games/${game}/odds`);
  await freshen(`[data-edges="${game}"]`);
}
for (const list of $$("[data-pending]")) fetchEdges(list.dataset.edges).catch(() => {});
