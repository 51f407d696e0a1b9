// The strategy chart; cells open, and those that differ from a chart that is compared with are marked.
import { $, h } from "../dom.js";
import { refused } from "../notices.js";
import { ask } from "./asking.js";
import { closeCell, openCell } from "./cell.js";
import { inputs, page } from "./page.js";

/** @typedef {import("../types/lab.js").Chart} Chart */
/** @typedef {Chart["grids"][number]["rows"][number]} GridRow */

/** A cell that is like the one above it in another grid. */
const SAME = "·";
/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** @param {number} turn */
export async function showChart(turn) {
  try {
    /** @type {Chart} */
    const chart = await ask("/lab/chart", inputs(), () => turn === page.turn);
    if (turn !== page.turn || chart.rules_hash !== page.rules.rules_hash) return;
    page.chart = chart;
    drawChart();
  } catch (error) {
    if (turn === page.turn) refused(error);
  }
}

/** Draw the chart that is there, beside the one that is compared with. */
export function drawChart() {
  const { chart } = page;
  if (!chart) return;
  closeCell();
  const grids = chart.grids.map((grid) =>
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": grid.title },
      gridTable(chart, grid),
    ),
  );
  const count = marked(grids);
  const words = page.pinned?.chart
    ? `${count} ${count === 1 ? "cell differs" : "cells differ"} from the rules that are compared with; each has a frame.`
    : "";
  $("#l-chart").replaceChildren(
    h("p", { class: "small", id: "l-differ" }, words),
    h("div", { class: "l-chart" }, grids),
    legend(chart),
  );
}

/** @param {HTMLElement[]} grids */
const marked = (grids) => grids.reduce((sum, grid) => sum + grid.querySelectorAll(".l-differs").length, 0);

/**
 * What the hands of a row do in a column by the chart that is compared with, where that is something else.
 * @param {Chart} chart
 * @param {GridRow} row
 * @param {number} column
 */
function otherwise(chart, row, column) {
  const other = page.pinned?.chart;
  if (!other) return [];
  /** @type {(one: Chart, name: string) => string | undefined} */
  const cellOf = (one, name) => one.rows.find((each) => each.name === name)?.cells[column];
  return row.hands
    .map((name) => ({ name, here: cellOf(chart, name), there: cellOf(other, name) }))
    .filter(({ here, there }) => there !== undefined && here !== there)
    .map(({ name, there }) => `${name}: ${there}`);
}

/**
 * @param {Chart} chart
 * @param {Chart["grids"][number]} grid
 */
function gridTable(chart, grid) {
  const head = chart.up_cards.map((up) => h("th", { scope: "col" }, up));
  let isFirst = true;
  const rows = grid.rows.map((row) => {
    const cells = row.cells.map((cell, column) => {
      const differs = otherwise(chart, row, column);
      const look = `${cell === SAME ? "l-same" : `l-${cell[0]}`}${differs.length ? " l-differs" : ""}`;
      const title = `${row.hand} against ${chart.up_cards[column]}`;
      const other = differs.length ? `; compared with ${differs.join(", ")}` : "";
      const button = h(
        "button",
        {
          type: "button",
          tabindex: isFirst ? 0 : -1,
          "aria-label": `${title}: ${cell}${other}`,
          title: other.slice(2) || null,
          click: () => openCell(button, title, { hands: row.hands, up_card: chart.up_cards[column] }),
        },
        `${cell}${row.close[column] && cell !== SAME ? "*" : ""}`,
      );
      isFirst = false;
      return h("td", { class: look }, button);
    });
    return h("tr", {}, h("th", { scope: "row" }, row.hand), cells);
  });
  const table = h(
    "table",
    {},
    h("caption", {}, grid.title),
    h("thead", {}, h("tr", {}, h("th", {}, h("span", { class: "sr" }, "Hand")), head)),
    h("tbody", {}, rows),
  );
  table.addEventListener("keydown", (event) => walk(table, /** @type {KeyboardEvent} */ (event)));
  return table;
}

/**
 * Arrow keys go from cell to cell: one of a grid is reached by Tab.
 * @param {HTMLElement} table
 * @param {KeyboardEvent} event
 */
function walk(table, event) {
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  const lines = [...table.querySelectorAll("tbody tr")].map((line) => [...line.querySelectorAll("button")]);
  const row = lines.findIndex((line) =>
    line.includes(/** @type {HTMLButtonElement} */ (document.activeElement)),
  );
  if (row < 0) return;
  const column = lines[row].indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  const next = lines[row + step[0]]?.[column + step[1]];
  if (!next) return;
  lines[row][column].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** @param {Chart} chart */
function legend(chart) {
  const letters = Object.entries(chart.legend).map(([letter, words]) =>
    h("span", {}, h("i", { class: `l-${letter[0]}` }, letter), words),
  );
  const note = h(
    "span",
    { class: "soft" },
    "Else: where the first is not allowed. * almost a tie. A cell opens: its values, and the hands behind it.",
  );
  return h("p", { class: "l-legend" }, letters, note);
}
