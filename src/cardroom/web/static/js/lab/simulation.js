// A simulation as it runs, beside the exact value.
import { $, h, svg } from "../dom.js";
import { toast } from "../notices.js";
import { counted, percent, signed } from "../words.js";
import { page, query } from "./page.js";
import { Frame, path } from "./plot.js";

/** @typedef {import("../types/lab.js").Point} Point */

/** So many standard errors on either side hold the mean in 95 of 100 cases. */
const REACH_95 = 1.96;

/** @type {EventSource | null} */
let source = null;
const button = $("#l-run");

/** Break it off, and let another one begin. */
export function stopSimulation() {
  source?.close();
  button.disabled = false;
}

button.addEventListener("click", () => {
  stopSimulation();
  button.disabled = true;
  /** @type {Point[]} */
  const points = [];
  const edge = page.figures?.wagers[0].house_edge_percent;
  const exact = typeof edge === "number" ? -edge / 100 : null;
  source = new EventSource(`/api/v1/lab/simulation?${query()}&rounds=${$("#l-rounds").value}&seed=1`);
  source.onmessage = (message) => {
    points.push(JSON.parse(message.data));
    show(points, exact);
  };
  source.addEventListener("done", stopSimulation);
  source.onerror = () => {
    stopSimulation();
    toast("The simulation was broken off.");
  };
});

/**
 * @param {Point[]} points
 * @param {number | null} exact
 */
function show(points, exact) {
  const last = points[points.length - 1];
  const error = percent(REACH_95 * last.standard_error);
  const beside = exact === null ? "" : `; exact ${percent(exact)} (dashed)`;
  const mean = `${counted(last.rounds, "round")}: ${percent(last.mean)}`;
  const words = `${mean} ± ${error} (95 %), seeds from ${last.seed}${beside}.`;
  $("#l-sim").replaceChildren(plot(points, last, exact), h("p", { class: "small num" }, words));
}

/**
 * @param {Point[]} points
 * @param {Point} last
 * @param {number | null} exact
 */
function plot(points, last, exact) {
  const frame = new Frame(260);
  const middle = exact ?? last.mean;
  const settled = points.slice(Math.min(4, points.length - 1));
  const reach = Math.max(...settled.map((one) => Math.abs(one.mean - middle) + 2 * one.standard_error), 1e-4);
  const x = (/** @type {number} */ rounds) => frame.x(Math.sqrt(rounds / last.of));
  const y = (/** @type {number} */ value) =>
    frame.y(0.5 - Math.max(-1, Math.min(1, (value - middle) / reach)) / 2);
  /** @type {(errors: number) => [number, number][]} */
  const line = (errors) => points.map((one) => [x(one.rounds), y(one.mean + errors * one.standard_error)]);
  const band = path([...line(REACH_95), ...line(-REACH_95).reverse()]);
  const mean = signed(100 * last.mean, 3);
  const error = signed(100 * REACH_95 * last.standard_error, 3);
  const picture = frame.picture(`Mean after ${last.rounds} rounds: ${mean} percent, plus or minus ${error}`, [
    svg("path", { class: "band", d: `${band}Z` }),
  ]);
  const rounds = (/** @type {number} */ share) => counted(last.of * share, "round");
  picture.append(
    ...[middle - reach, middle, middle + reach].map((value) => frame.beside(y(value), percent(value, 2))),
    frame.below(x(last.of / 4), rounds(1 / 4), "middle"),
    frame.below(x(last.of), rounds(1), "end"),
  );
  if (exact !== null) {
    const ends = { x1: frame.left, x2: frame.right, y1: y(exact), y2: y(exact) };
    picture.append(svg("line", { class: "exact", ...ends }));
  }
  picture.append(svg("path", { class: "mean", d: path(line(0)) }));
  return picture;
}
