// The lobby: the next draw's countdown by the server's clock, and edges that come later.
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
    setTimeout(() => location.reload(), 3000);
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
  const answer = await fetch(location.href);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const list = `[data-edges="${game}"]`;
  $(list).replaceWith($(list, fresh));
}
for (const list of $$("[data-pending]")) fetchEdges(list.dataset.edges).catch(() => {});
