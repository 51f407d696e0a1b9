// The figures of every wager, beside those of other rules where wanted, and the distribution of one.
import { $, h, sheet } from "../dom.js";
import { toast } from "../notices.js";
import { capitalized, inPercent, oneIn, percent, signed } from "../words.js";
import { drawChart } from "./chart.js";
import { about, page } from "./page.js";
import { bar } from "./plot.js";

/** @typedef {import("../types/lab.js").WagerFigures} WagerFigures */

/** @param {string} text */
const number = (text, look = "num") => h("td", { class: look }, text);

/** @param {WagerFigures} wager */
function compared(wager) {
  const edge = wager.house_edge_percent;
  const other = page.pinned?.wagers.find((one) => one.wager === wager.wager)?.house_edge_percent ?? null;
  if (edge === null || other === null) return [number(""), number("")];
  return [number(inPercent(other)), number(inPercent(edge - other, 4, { plus: true }))];
}

/** @param {WagerFigures} wager */
function wagerLine(wager) {
  const { house_edge_percent: edge, hit_frequency: hits, standard_deviation: deviation } = wager;
  return h(
    "tr",
    {},
    h("td", {}, wager.title),
    number(edge === null ? "" : inPercent(edge)),
    page.pinned ? compared(wager) : null,
    number(hits ? `1 in ${oneIn(hits)}` : ""),
    number(deviation === null ? "" : signed(deviation, 3), "num wide"),
    h("td", { class: "wide" }, wager.method),
  );
}

function comparison() {
  if (!page.pinned) return "";
  const stop = () => {
    page.pinned = null;
    showWagers();
    drawChart();
  };
  const button = h("button", { class: "btn small quiet", type: "button", click: stop }, "Stop comparing");
  return h("p", { class: "small soft" }, `Compared with: ${page.pinned.words}. `, button);
}

export function showWagers() {
  if (!page.figures) return;
  const head = [
    h("th", {}, "Wager"),
    h("th", { class: "num" }, "House edge"),
    ...(page.pinned ? ["Compared with", "Difference"].map((name) => h("th", { class: "num" }, name)) : []),
    h("th", { class: "num" }, "Wins"),
    h("th", { class: "num wide" }, "Std. dev."),
    h("th", { class: "wide" }, "Method"),
  ];
  const said = new Set(page.figures.wagers.map(({ note }) => note).filter(Boolean));
  const notes = [...said].map((note) => h("p", { class: "small soft" }, note));
  $("#l-wagers").replaceChildren(sheet(head, page.figures.wagers.map(wagerLine)), ...notes, comparison());
}

/** The wager whose figures are shown: the one that was chosen, else the game's own. */
const chosenWager = () => page.which || about.main_wager;

/** The wagers to choose from; one that these rules do not have is not among them. */
export function showChoice() {
  if (!page.figures) return;
  const chosen = chosenWager();
  const options = page.figures.wagers.map(({ wager, title }) =>
    h("option", { value: wager, selected: wager === chosen }, title),
  );
  $("#l-which").replaceChildren(...options);
}

/** So many results have a bar: the likeliest. */
const MOST_BARS = 24;

export function showDistribution() {
  if (!page.figures) return;
  const first = page.figures.wagers.find((one) => one.wager === chosenWager()) ?? page.figures.wagers[0];
  const likeliest = [...first.outcomes].sort(
    (one, other) => other.probability.decimal - one.probability.decimal,
  );
  const shown = new Set(likeliest.slice(0, MOST_BARS).filter((one) => one.probability.decimal > 1e-7));
  const most = likeliest[0].probability.decimal;
  const bars = first.outcomes
    .filter((one) => shown.has(one))
    .map(({ words, probability }) => {
      const chance = probability.decimal;
      const text = percent(chance, chance < 0.001 ? 5 : 3);
      return bar(capitalized(words), chance / most, text, { hint: probability.fraction });
    });
  const rest = shown.size < first.outcomes.length ? "; the rest is rarer" : "";
  const caption = `${first.title}: results for each unit staked, with their exact chances${rest}.`;
  $("#l-distribution").replaceChildren(
    h("p", { class: "small soft" }, caption),
    h("div", { class: "l-bars" }, bars),
  );
}

$("#l-pin").addEventListener("click", () => {
  if (!page.figures) return;
  const changed = Object.values(page.rules.differences).map((one) => one.words);
  const words = changed.join(", ") || "the house's own rules";
  page.pinned = { wagers: page.figures.wagers, chart: page.chart, words };
  showWagers();
  drawChart();
  toast("Now change a rule: both stand side by side.");
});
