// The figures of a game that were not at hand when the page was made: shown as soon as they are.
import { freshen } from "./anew.js";
import { $, dataOf } from "./dom.js";
import { api } from "./server.js";

const pending = $("[data-pending]");
if (pending) {
  api("POST", "/lab/figures", dataOf(pending, "pending"))
    .then(() => freshen("#odds"))
    .catch(() => {});
}
