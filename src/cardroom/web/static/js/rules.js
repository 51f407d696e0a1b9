// The figures of a game that were not at hand when the page was made: shown as soon as they are.
import { $ } from "./dom.js";
import { api } from "./server.js";

const pending = $("[data-pending]");
if (pending) {
  api("GET", `/games/${pending.dataset.pending}/odds`)
    .then(() => location.reload())
    .catch(() => {});
}
