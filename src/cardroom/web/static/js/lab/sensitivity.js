// What each rule is worth, after everything else, for as long as the rules stay as they are.
import { $, h } from "../dom.js";
import { refused } from "../notices.js";
import { capitalized, signed } from "../words.js";
import { ask, passes } from "./asking.js";
import { about, inputs, page } from "./page.js";
import { bar } from "./plot.js";

/** @typedef {import("../types/lab.js").OptionValue} OptionValue */
/** @typedef {import("../types/lab.js").Edge} Edge */
/** @typedef {{name: string, points: number, note: string}} Worth */

/** @param {number} turn */
export async function showSensitivity(turn) {
  try {
    await tryLevers(turn);
  } catch (error) {
    if (turn === page.turn) refused(error);
  }
}

/** @param {number} turn */
async function tryLevers(turn) {
  const now = Object.fromEntries(page.rules.controls.map((one) => [one.key, one.value]));
  const tries = about.levers.flatMap((lever) =>
    lever.values
      .map((value, place) => ({
        key: lever.option,
        value,
        name: capitalized(lever.values_words[place]),
        note: favours(lever, now[lever.option], value),
      }))
      .filter(({ value }) => value !== now[lever.option]),
  );
  const isWanted = () => turn === page.turn;
  const base = await edgeOf({}, isWanted);
  if (!isWanted()) return;
  /** @type {Worth[]} */
  const worths = [];
  for (const [index, { key, value, name, note }] of tries.entries()) {
    if (!isWanted()) return;
    try {
      const points = (await edgeOf({ [key]: value }, isWanted)).house_edge_percent - base.house_edge_percent;
      worths.push({ name, points, note });
    } catch (error) {
      if (passes(error)) throw error;
      continue; // the rules as they stand do not allow it
    }
    if (!isWanted()) return;
    const progress = `On ${base.title}: ${index + 1} of ${tries.length}`;
    $("#l-sensitivity").replaceChildren(h("p", { class: "small soft" }, progress), bars(worths));
  }
}

/**
 * Whom a change of an option favours by the house's own account of it.
 * @param {import("../types/lab.js").Lever} lever
 * @param {OptionValue} now
 * @param {OptionValue} value
 */
function favours(lever, now, value) {
  const [from, to] = [placeOf(lever, now), lever.values.indexOf(value)];
  if (from === null) return "";
  const other = lever.favours === "house" ? "player" : "house";
  return `favours the ${to > from ? lever.favours : other}`;
}

/**
 * Where a value stands among those of a lever; a number may stand between two of them.
 * @param {import("../types/lab.js").Lever} lever
 * @param {OptionValue} value
 */
function placeOf(lever, value) {
  if (lever.values.includes(value)) return lever.values.indexOf(value);
  const less = lever.values.filter((one) => typeof one === "number" && one < Number(value)).length;
  return typeof value === "number" ? less - 0.5 : null;
}

/**
 * The house edge of the chosen wager with some options changed.
 * @param {Record<string, OptionValue>} changes
 * @param {() => boolean} isWanted
 * @returns {Promise<Edge>}
 */
const edgeOf = (changes, isWanted) =>
  ask("/lab/edge", { ...inputs({ ...page.options, ...changes }), which: page.which || null }, isWanted);

/** @param {Worth[]} worths */
function bars(worths) {
  const most = Math.max(...worths.map((one) => Math.abs(one.points)), 1e-6);
  const lines = [...worths].sort((one, other) => one.points - other.points);
  return h(
    "div",
    { class: "l-bars" },
    lines.map(({ name, points, note }) => {
      const share = Math.abs(points) / most / 2;
      const text = signed(points, 4, { plus: true });
      const place = points < 0 ? { from: 0.5 - share, kind: "good" } : { from: 0.5, kind: "bad" };
      return bar(name, share, text, { ...place, note });
    }),
  );
}
