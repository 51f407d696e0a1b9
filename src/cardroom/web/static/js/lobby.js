// The lobby: the next draw's countdown by the server's clock.
import { $, $$, api, h, serverClock } from "./lib.js";

const draw = $("[data-until]");
if (draw) {
  const clock = serverClock(draw.dataset.now);
  const show = () => {
    const seconds = Math.max(0, Math.ceil((Date.parse(draw.dataset.until) - clock()) / 1000));
    const hours = Math.floor(seconds / 3600);
    const minutes = String(Math.floor(seconds / 60) % 60).padStart(hours ? 2 : 1, "0");
    draw.textContent = `${hours ? `${hours}:` : ""}${minutes}:${String(seconds % 60).padStart(2, "0")}`;
    if (!seconds) {
      clearInterval(timer);
      setTimeout(() => location.reload(), 3000);
    }
  };
  const timer = setInterval(show, 500);
  show();
}

// Edges that were not at hand when the page was made.
const title = (wager) => {
  const text = wager.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};
for (const list of $$("[data-pending]")) {
  api("GET", `/games/${list.dataset.edges}/odds`)
    .then(({ wagers }) => {
      const lines = wagers.filter(
        (wager) => wager.house_edge_percent !== null && wager.wager !== "super-bonus",
      );
      list.replaceChildren(
        $("dt", list),
        ...lines.map((wager) =>
          h(
            "dd",
            { class: "num" },
            h("span", {}, title(wager.wager)),
            h("b", {}, `${wager.house_edge_percent.toFixed(2)} %`),
          ),
        ),
      );
    })
    .catch(() => {});
}
