// Tables and plots of the page Protection, as the server tells them.
import { h, sheet, svg } from "../dom.js";
import { Frame, path } from "../lab/plot.js";

/** @typedef {import("../types/lab.js").ProtectionTable} ProtectionTable */
/** @typedef {import("../types/lab.js").ProtectionPlot} ProtectionPlot */

/** A name of more letters than this would break a column into single words. */
const LONG_NAME = 24;
/** A table of more columns than this needs the whole width of the page. */
const COLUMNS_BESIDE_ANOTHER = 4;
/** How wide a plot is that stands beside another one; its letters are then as large as they say. */
const PLOT_WIDE = 560;
/** The room for the names of lines, at their right ends, and how far apart two of them lie at least. */
const [NAMES_WIDE, NAMES_APART] = [72, 14];

/** @param {ProtectionTable} table */
export function tableOf(table) {
  /** Words begin at the left, numbers end at the right. @param {number} place */
  const isWords = (place) => place === 0 || table.rows.some((row) => /^[A-Za-z]/.test(row[place]));
  const classes = table.head.map((_, place) => (isWords(place) ? null : "num"));
  const head = table.head.map((words, place) => h("th", { class: classes[place] }, words));
  const rows = table.rows.map((row) =>
    h(
      "tr",
      {},
      row.map((cell, place) => h("td", { class: classes[place] }, cell)),
    ),
  );
  /** Words find room for a few of them in a line. */
  const wordy = table.rows.some(([name]) => name.length > LONG_NAME) ? " p-words" : "";
  const scroll = { class: `scroll${wordy}`, tabindex: 0, role: "region", "aria-label": table.title };
  return h(
    "section",
    { class: `sheet${table.head.length > COLUMNS_BESIDE_ANOTHER ? " p-broad" : ""}` },
    h("h2", {}, table.title),
    h("div", scroll, sheet(head, rows)),
    h("p", { class: "small soft" }, table.note),
  );
}

/** @param {ProtectionPlot} plot */
export function plotOf(plot) {
  const frame = new Frame(240, PLOT_WIDE);
  if (plot.series) frame.right -= NAMES_WIDE;
  const xs = plot.points.map(([x]) => x);
  const ys = [...plot.y_ticks.map(([y]) => y), ...plot.points.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const margin = plot.kind === "bars" ? 0.5 : 0;
  /** @param {number} x */
  const across = (x) => frame.x((x - left + margin) / (right - left + 2 * margin || 1));
  /** @param {number} y */
  const down = (y) => frame.y((high - y) / (high - low || 1));
  const picture = frame.picture(plot.label);
  for (const [y, words] of plot.y_ticks) picture.append(frame.beside(down(y), words));
  for (const [x, words] of plot.x_ticks) {
    const anchor = across(x) > frame.right - 30 ? "end" : "middle";
    picture.append(frame.below(across(x), words, anchor));
  }
  if (low < 0 && high > 0) {
    picture.append(
      svg("line", { class: "exact", x1: frame.left, x2: frame.right, y1: down(0), y2: down(0) }),
    );
  }
  for (const [x, y, error] of plot.points) {
    if (plot.kind === "bars") {
      const wide = (frame.right - frame.left) / (right - left + 1) - 2;
      const tall = down(low) - down(y);
      picture.append(
        svg("rect", { class: "band", x: across(x) - wide / 2, y: down(y), width: wide, height: tall }),
      );
    } else if (error) {
      const ends = { y1: down(Math.min(high, y + error)), y2: down(Math.max(low, y - error)) };
      picture.append(svg("line", { class: "axis", x1: across(x), x2: across(x), ...ends }));
    }
  }
  const lines = plot.kind === "line" ? [{ name: "", points: plot.points }] : (plot.series ?? []);
  for (const { points } of lines) {
    picture.append(svg("path", { class: "mean", d: path(points.map(([x, y]) => [across(x), down(y)])) }));
  }
  const named = lines.filter(({ name }) => name);
  const heights = apart(named.map(({ points }) => down(points[points.length - 1][1])));
  named.forEach(({ name }, place) => {
    picture.append(svg("text", { x: frame.right + 6, y: heights[place] + 4 }, name));
  });
  return h("section", { class: "sheet" }, h("h2", {}, plot.title), picture);
}

/**
 * Where names stand whose lines end at these heights: beside their lines, none over another.
 * @param {number[]} ends
 */
function apart(ends) {
  const heights = [...ends];
  const downwards = ends.map((_, place) => place).sort((one, other) => ends[one] - ends[other]);
  let lowest = Infinity;
  for (const place of downwards.reverse()) {
    heights[place] = Math.min(heights[place], lowest - NAMES_APART);
    lowest = heights[place];
  }
  return heights;
}
