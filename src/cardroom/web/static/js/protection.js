// The lab's page Protection: the report for the house, effects, counts and a counter, as the server tells them.
import { $, given, h, sheet, svg } from "./dom.js";
import { ask } from "./lab/asking.js";
import { Frame, path } from "./lab/plot.js";
import { beginWork, breakOff, finishWork } from "./lab/progress.js";
import { refused } from "./notices.js";

/** @typedef {import("./types/lab.js").ProtectionTable} ProtectionTable */
/** @typedef {import("./types/lab.js").ProtectionPlot} ProtectionPlot */
/** @typedef {import("./types/lab.js").Protection} Protection */

/** A name of more letters than this would break a column into single words. */
const LONG_NAME = 24;

/** @param {ProtectionTable} table */
function tableOf(table) {
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
    { class: "sheet" },
    h("h2", {}, table.title),
    h("div", scroll, sheet(head, rows)),
    h("p", { class: "small soft" }, table.note),
  );
}

/** @param {ProtectionPlot} plot */
function plotOf(plot) {
  const frame = new Frame(240);
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
  for (const { name, points } of lines) {
    picture.append(svg("path", { class: "mean", d: path(points.map(([x, y]) => [across(x), down(y)])) }));
    const [, last] = points[points.length - 1];
    picture.append(
      svg("text", { x: frame.right - 4, y: Math.max(frame.top, down(last) - 4), "text-anchor": "end" }, name),
    );
  }
  return h("section", { class: "sheet" }, h("h2", {}, plot.title), picture);
}

/** @type {{game: string}} */
const wanted = given($("#protection"), "wanted");

/** What is exact is soon there, and does not wait for the rest. */
async function showExact() {
  /** @type {{tables: ProtectionTable[]}} */
  const { tables } = await ask("/lab/protection/exact", wanted);
  $("#p-exact").replaceChildren(...tables.map(tableOf));
}

async function show() {
  const what = `protection-${wanted.game}`;
  const began = beginWork(what, 60_000);
  try {
    /** @type {Protection} */
    const answer = await ask("/lab/protection", wanted);
    finishWork(what, began);
    $("#p-tables").replaceChildren(...answer.tables.map(tableOf));
    $("#p-plots").replaceChildren(...answer.plots.map(plotOf));
    $("#p-findings").replaceChildren(...answer.findings.map((words) => h("li", {}, words)));
    $("#p-method").textContent = `How: ${answer.method}.`;
    $("#p-mark").textContent = `Mark: ${answer.mark}.`;
  } catch (error) {
    breakOff();
    $("#p-mark").textContent = `Not computed: ${/** @type {Error} */ (error).message}`;
  }
}

/**
 * What is asked for by hand; a line says that it is at work, and why there is none.
 * @param {string} what
 * @param {object} body
 * @param {(answer: any) => void} then
 */
async function asked(what, body, then) {
  const status = $("#p-asked");
  status.textContent = "At work …";
  try {
    then(await ask(`/lab/protection/${what}`, { ...wanted, ...body }));
    status.textContent = "";
  } catch (error) {
    status.textContent = `Not computed: ${/** @type {Error} */ (error).message}`;
  }
}

/** A counter as the form says. */
function playCounter() {
  const said = new FormData($("#p-counter"));
  const cut = String(said.get("cut_cards") ?? "").trim();
  const body = { count: said.get("count"), ramp: said.get("ramp"), cut_cards: cut ? Number(cut) : null };
  return asked("counter", body, (/** @type {Protection} */ answer) => {
    $("#p-counted").replaceChildren(...answer.tables.map(tableOf));
    $("#p-drawn").replaceChildren(...answer.plots.map(plotOf));
  });
}

/** @param {{tables: ProtectionTable[]}} answer */
const showMore = (answer) => $("#p-more").replaceChildren(...answer.tables.map(tableOf));

const counter = $("#p-counter");
if (counter) {
  counter.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    playCounter();
  });
  $("#p-known").addEventListener("click", () => asked("known", {}, showMore));
  $("#p-indices").addEventListener("click", () =>
    asked("indices", { count: new FormData(counter).get("count") }, showMore),
  );
  playCounter();
}
showExact().catch(refused);
show();
