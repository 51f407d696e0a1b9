// The figures of every wager, beside those of other rules where wanted, and the distribution of one.
import { $, h, sheet } from "../dom.js";
import { toast } from "../notices.js";
import { inPercent, oneIn, percent, signed } from "../words.js";
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
  $("#l-wagers").replaceChildren(sheet(head, page.figures.wagers.map(wagerLine)), comparison());
}

/** The wagers to choose from; one that these rules do not have is not among them. */
export function showChoice() {
  if (!page.figures) return;
  const chosen = page.which || about.main_wager;
  const options = page.figures.wagers.map(({ wager, title }) =>
    h("option", { value: wager, selected: wager === chosen }, title),
  );
  $("#l-which").replaceChildren(...options);
}

export function showDistribution() {
  if (!page.figures) return;
  const first = page.figures.wagers.find((one) => one.wager === page.which) ?? page.figures.wagers[0];
  const outcomes = first.outcomes.filter((one) => one.probability.decimal > 1e-7).slice(0, 24);
  const most = Math.max(...outcomes.map((one) => one.probability.decimal));
  const bars = outcomes.map(({ outcome, pays, probability }) => {
    const chance = probability.decimal;
    const text = percent(chance, chance < 0.001 ? 5 : 3);
    return bar(`${outcome} ${pays}`, chance / most, text, { hint: probability.fraction });
  });
  const words = `${first.title}: results for each unit staked, with their exact chances.`;
  $("#l-distribution").replaceChildren(
    h("p", { class: "small soft" }, words),
    h("div", { class: "l-bars" }, bars),
  );
}

$("#l-pin").addEventListener("click", () => {
  if (!page.figures) return;
  const changed = Object.entries(page.options).map(([key, value]) => `${key} = ${value}`);
  const words = changed.join(", ") || "the house's own rules";
  page.pinned = { wagers: page.figures.wagers, chart: page.chart, words };
  showWagers();
  drawChart();
  toast("Now change a rule: both stand side by side.");
});
