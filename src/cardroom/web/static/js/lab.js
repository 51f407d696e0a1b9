// The lab: house rules as controls; edge, chart, distribution, sensitivity, simulation, published figures.
import { reload } from "./anew.js";
import { $, h } from "./dom.js";
import { ask, passes } from "./lab/asking.js";
import { calculate, clearHand } from "./lab/calculator.js";
import { closeCell } from "./lab/cell.js";
import { showChart } from "./lab/chart.js";
import { showControls } from "./lab/controls.js";
import { showChoice, showDistribution, showWagers } from "./lab/figures.js";
import { about, address, inputs, optionsOf, page, root, writeAddress } from "./lab/page.js";
import { beginWork, breakOff, finishWork } from "./lab/progress.js";
import "./lab/published.js";
import { showSensitivity } from "./lab/sensitivity.js";
import { showRules } from "./lab/sheets.js";
import { stopSimulation } from "./lab/simulation.js";
import { showSizes } from "./lab/sizes.js";
import { toast } from "./notices.js";
import { Refused } from "./server.js";
import { inPercent } from "./words.js";

/** @typedef {import("./types/lab.js").Options} Options */

/** @type {Options} */
const house = Object.fromEntries(
  page.rules.controls.map((one) => [one.key, page.rules.differences[one.key]?.house ?? one.value]),
);

/** The options that were asked for last; those that hold stand in `page`. */
let wanted = page.options;
/** Counts up with every change: the answer to an older one is thrown away. */
let changes = 0;

/**
 * @param {string} key
 * @param {import("./types/lab.js").OptionValue} value
 */
function change(key, value) {
  const options = { ...wanted, [key]: value };
  if (value === house[key]) delete options[key];
  return use(options);
}

/**
 * Solve other rules; where they are refused, the controls show the rules that hold. Until it is known, the
 * figures of the rules before are out of view.
 * @param {Options} options
 */
async function use(options) {
  wanted = options;
  changes += 1;
  const mine = changes;
  const isLatest = () => mine === changes;
  root.classList.add("l-changing");
  try {
    const rules = await ask("/lab/rules", { game: about.game, options }, isLatest);
    if (!isLatest()) return;
    page.rules = rules;
  } catch (error) {
    if (!isLatest()) return;
    wanted = page.options;
    root.classList.remove("l-changing");
    showControls(change);
    $("#l-error").textContent = `Not changed: ${/** @type {Error} */ (error).message}`;
    $("#l-error").hidden = false;
    return;
  }
  $("#l-error").hidden = true;
  page.options = optionsOf(page.rules);
  wanted = page.options;
  writeAddress();
  showControls(change);
  await solve();
}

/** Nothing of other rules stays in view while these are computed, or when they cannot be. */
function blank() {
  stopSimulation();
  clearTimeout(later);
  closeCell();
  clearHand();
  page.figures = null;
  page.chart = null;
  $("#l-edge").textContent = "…";
  $("#l-edge-words").textContent = "";
  $(".l-edge").classList.add("l-busy");
  for (const id of ["wagers", "distribution", "chart", "sizes", "sensitivity", "sim"]) {
    $(`#l-${id}`).replaceChildren();
  }
  root.classList.remove("l-changing");
}

/**
 * An answer of a house that has other rules by now: the page is made anew by its address.
 * @template {{rules_hash: string}} Answer
 * @param {Answer} answer
 */
function belongs(answer) {
  if (answer.rules_hash !== page.rules.rules_hash) reload();
  return answer;
}

/**
 * The headline.
 * @param {number} turn
 * @param {string} rest
 */
async function showEdge(turn, rest = "") {
  const began = performance.now();
  /** @type {import("./types/lab.js").Edge} */
  const edge = belongs(
    await ask("/lab/edge", { ...inputs(), which: page.which || null }, () => turn === page.turn),
  );
  if (turn !== page.turn) return;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  $("#l-edge").textContent = inPercent(edge.house_edge_percent);
  const words = page.which && page.which !== about.main_wager ? `on ${edge.title}, exact` : about.edge_words;
  $("#l-edge-words").textContent = `${words}${rest.replace("{}", seconds)}`;
  $(".l-edge").classList.remove("l-busy");
}

/**
 * Edge and chart come first where they are quick; the rest takes seconds.
 * @param {number} turn
 */
async function computeAll(turn) {
  if (about.has_chart) {
    await showEdge(turn, "; {} s");
    if (turn !== page.turn) return;
    showChart(turn);
    calculate();
  }
  const began = beginWork(about.game, 6000);
  const figures = belongs(await ask("/lab/figures", inputs(), () => turn === page.turn));
  if (turn !== page.turn) return;
  finishWork(about.game, began);
  page.figures = figures;
  showWagers();
  showChoice();
  showDistribution();
  if (!about.has_chart) await showEdge(turn);
  if (turn !== page.turn) return;
  if (about.has_sizes) await showSizes(turn);
  showSensitivity(turn);
}

/** How long after a failure everything is tried again, in milliseconds. */
const LATER = 5000;
/** @type {number | undefined} */
let later;

async function solve() {
  page.turn += 1;
  const { turn } = page;
  blank();
  showRules();
  try {
    await computeAll(turn);
  } catch (error) {
    if (turn !== page.turn) return;
    breakOff();
    if (page.which && error instanceof Refused && !passes(error)) {
      page.which = ""; // these rules may not have that wager
      writeAddress();
      await solve();
      return;
    }
    page.turn += 1;
    blank();
    $(".l-edge").classList.remove("l-busy");
    $("#l-edge").textContent = "—";
    const again = { class: "btn small", type: "button", id: "l-again", click: () => use(page.options) };
    const why = `not computed: ${/** @type {Error} */ (error).message}. `;
    const soon = passes(error) ? "It is tried again by itself. " : "";
    $("#l-edge-words").replaceChildren(why, soon, h("button", again, "Try again now"));
    if (passes(error)) later = setTimeout(() => use(page.options), LATER);
  }
}

$("#l-which").addEventListener("change", () => {
  const { value } = $("#l-which");
  page.which = value === about.main_wager ? "" : value;
  writeAddress();
  solve();
});
$("#l-size").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  page.wager = $("#l-wager").value.trim();
  writeAddress();
  solve();
});
$("#l-share").addEventListener("click", async () => {
  await navigator.clipboard.writeText(`${location.origin}${address()}`);
  toast("The link is copied.");
});
$("#l-reset").addEventListener("click", () => use({}));
showControls(change);
solve();
