// The strategy chart.
import { $, h } from "../dom.js";
import { orTell } from "../notices.js";
import { api } from "../server.js";
import { asked, page } from "./page.js";

/** @typedef {import("../types/lab.js").Chart} Chart */

/** A cell that is like the one above it in another grid. */
const SAME = "·";

/** @param {number} turn */
export const showChart = (turn) =>
  orTell(async () => {
    /** @type {Chart} */
    const chart = await api("POST", "/lab/chart", asked());
    if (turn !== page.turn) return;
    const grids = chart.grids.map((grid) => h("div", { class: "scroll" }, gridTable(chart, grid)));
    $("#l-chart").replaceChildren(h("div", { class: "l-chart" }, grids), legend(chart));
  });

/**
 * @param {Chart} chart
 * @param {Chart["grids"][number]} grid
 */
function gridTable(chart, grid) {
  const head = chart.up_cards.map((up) => h("th", { scope: "col" }, up));
  const rows = grid.rows.map((row) => {
    const cells = row.cells.map((cell, index) => {
      if (cell === SAME) return h("td", { class: "l-same" }, cell);
      return h("td", { class: `l-${cell[0]}` }, `${cell}${row.close[index] ? "*" : ""}`);
    });
    return h("tr", {}, h("th", { scope: "row" }, row.hand), cells);
  });
  return h(
    "table",
    {},
    h("caption", {}, grid.title),
    h("thead", {}, h("tr", {}, h("th", {}, h("span", { class: "sr" }, "Hand")), head)),
    h("tbody", {}, rows),
  );
}

/** @param {Chart} chart */
function legend(chart) {
  const letters = Object.entries(chart.legend).map(([letter, words]) =>
    h("span", {}, h("i", { class: `l-${letter}` }, letter), words),
  );
  const note = h("span", { class: "soft" }, "A cell holds choices by preference. * almost a tie.");
  return h("p", { class: "l-legend" }, letters, note);
}
