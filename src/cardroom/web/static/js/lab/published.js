// Published figures set beside ours.
import { $, h, sheet } from "../dom.js";
import { orTell } from "../notices.js";
import { api } from "../server.js";
import { about } from "./page.js";

/** @typedef {import("../types/lab.js").PublishedFigure} PublishedFigure */

const VERDICTS = { agrees: "✓ agrees", explained: "≈ explained", disagrees: "✕ disagrees" };

/** @param {string} text */
const shortened = (text) => (text.length > 24 ? `${text.slice(0, 20)}…` : text);

/** @param {PublishedFigure} line */
function figureLine(line) {
  const source = line.explanation.length > 40 ? `${line.source}. ${line.explanation}` : line.source;
  return h(
    "tr",
    {},
    h(
      "td",
      {},
      line.quantity,
      line.rules_words.length ? h("span", { class: "small soft" }, ` (${line.rules_words.join(", ")})`) : "",
    ),
    h("td", { class: "num" }, shortened(line.published)),
    h("td", { class: "num" }, shortened(line.ours)),
    h("td", {}, VERDICTS[line.verdict]),
    h("td", { class: "small soft" }, source),
  );
}

$("#l-audit").addEventListener("click", async () => {
  $("#l-audit").disabled = true;
  await orTell(async () => {
    /** @type {{figures: PublishedFigure[]}} */
    const { figures } = await api("GET", `/lab/published/${about.game}`);
    const head = ["Quantity", "Published", "Ours", "", "Source"].map((name) => h("th", {}, name));
    const none = h("p", { class: "soft" }, "No figure of this game is published.");
    $("#l-published").replaceChildren(figures.length ? sheet(head, figures.map(figureLine)) : none);
  });
  $("#l-audit").disabled = false;
});
