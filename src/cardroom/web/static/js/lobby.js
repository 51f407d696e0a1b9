// The lobby: the next draw's countdown by the server's clock.
import { $, serverClock } from "./lib.js";

const draw = $("[data-until]");
if (draw) {
  const clock = serverClock(draw.dataset.now);
  const show = () => {
    const seconds = Math.max(0, Math.ceil((Date.parse(draw.dataset.until) - clock()) / 1000));
    const hours = Math.floor(seconds / 3600), minutes = String(Math.floor(seconds / 60) % 60).padStart(hours ? 2 : 1, "0");
    draw.textContent = `${hours ? `${hours}:` : ""}${minutes}:${String(seconds % 60).padStart(2, "0")}`;
    if (!seconds) { clearInterval(timer); setTimeout(() => location.reload(), 3000); }
  };
  const timer = setInterval(show, 500);
  show();
}
