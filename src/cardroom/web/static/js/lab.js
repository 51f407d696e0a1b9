// The lab: house rules as controls; edge, chart, distribution, sensitivity, simulation, published figures.
import { $, h } from "./dom.js";
import { showChart } from "./lab/chart.js";
import { showControls } from "./lab/controls.js";
import { showDistribution, showWagers } from "./lab/figures.js";
import { about, asked, optionsOf, page, query, settings, writeAddress } from "./lab/page.js";
import { beginWork, breakOff, finishWork } from "./lab/progress.js";
import "./lab/published.js";
import { showSensitivity } from "./lab/sensitivity.js";
import { stopSimulation } from "./lab/simulation.js";
import { showSizes } from "./lab/sizes.js";
import { toast } from "./notices.js";
import { api } from "./server.js";
import { inPercent } from "./words.js";

/** @typedef {import("./types/lab.js").Options} Options */

/** @type {Options} */
const house = Object.fromEntries(
  page.rules.controls.map((one) => [one.key, page.rules.differences[one.key]?.house ?? one.value]),
);

/**
 * @param {string} key
 * @param {import("./types/lab.js").OptionValue} value
 */
function change(key, value) {
  const options = { ...page.options, [key]: value };
  if (value === house[key]) delete options[key];
  return use(options);
}

/**
 * Solve other rules; where they are refused, the controls show the rules that hold.
 * @param {Options} options
 */
async function use(options) {
  try {
    page.rules = await api("POST", "/lab/rules", { game: about.game, options });
  } catch (error) {
    showControls(change);
    $("#l-error").textContent = `Not changed: ${/** @type {Error} */ (error).message}`;
    $("#l-error").hidden = false;
    return;
  }
  $("#l-error").hidden = true;
  page.options = optionsOf(page.rules);
  writeAddress();
  showControls(change);
  await solve();
}

/** Nothing of other rules stays in view while these are computed, or when they cannot be. */
function blank() {
  stopSimulation();
  page.figures = null;
  $("#l-edge").textContent = "…";
  $("#l-edge-words").textContent = "";
  $(".l-edge").classList.add("l-busy");
  for (const id of ["wagers", "distribution", "chart", "sizes", "sensitivity", "sim"]) {
    $(`#l-${id}`).replaceChildren();
  }
}

/**
 * An answer of a house that has other rules by now: the page is made anew by its address.
 * @template {{rules_hash: string}} Answer
 * @param {Answer} answer
 */
function belongs(answer) {
  if (answer.rules_hash !== page.rules.rules_hash) location.reload();
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
  const edge = belongs(await api("POST", "/lab/edge", asked()));
  if (turn !== page.turn) return;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  $("#l-edge").textContent = inPercent(edge.house_edge_percent);
  $("#l-edge-words").textContent = `${about.edge_words}${rest.replace("{}", seconds)}`;
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
  }
  const began = beginWork();
  const figures = belongs(await api("POST", "/lab/figures", asked()));
  if (turn !== page.turn) return;
  finishWork(began);
  page.figures = figures;
  showWagers();
  showDistribution();
  if (!about.has_chart) await showEdge(turn);
  if (turn !== page.turn) return;
  if (about.has_sizes) await showSizes(turn);
  showSensitivity(turn);
}

async function solve() {
  page.turn += 1;
  const { turn } = page;
  blank();
  try {
    await computeAll(turn);
  } catch (error) {
    if (turn !== page.turn) return;
    breakOff();
    page.turn += 1;
    blank();
    $(".l-edge").classList.remove("l-busy");
    $("#l-edge").textContent = "—";
    const again = { class: "btn small", type: "button", id: "l-again", click: () => use(page.options) };
    const why = `not computed: ${/** @type {Error} */ (error).message}. `;
    $("#l-edge-words").replaceChildren(why, h("button", again, "Try again"));
  }
  showRules();
}

/** In which the rules differ from the house's own, and their sheet. */
function showRules() {
  const changed = Object.entries(page.rules.differences).map(
    ([key, one]) => `${key} = ${one.here} (house: ${one.house})`,
  );
  $("#l-diff").textContent = changed.length
    ? `Changed: ${changed.join("; ")}`
    : "These are the house's own rules.";
  const links = (about.has_sheet ? ["pdf", "html", "json"] : []).map((form) => {
    const href = `/api/v1/lab/par/${about.game}.${form}?${settings()}`;
    return h("a", { class: "btn small", href }, form.toUpperCase());
  });
  $("#l-par").replaceChildren(...links);
}

$("#l-size").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  page.wager = $("#l-wager").value.trim();
  writeAddress();
  solve();
});
$("#l-share").addEventListener("click", async () => {
  await navigator.clipboard.writeText(`${location.origin}/lab?${query()}`);
  toast("The link is copied.");
});
$("#l-reset").addEventListener("click", () => use({}));
showControls(change);
solve();
