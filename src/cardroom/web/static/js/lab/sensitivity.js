// What each rule is worth, after everything else, for as long as the rules stay as they are.
import { $, h } from "../dom.js";
import { refused } from "../notices.js";
import { api } from "../server.js";
import { signed, titled } from "../words.js";
import { about, asked, page } from "./page.js";
import { bar } from "./plot.js";

/** @typedef {import("../types/lab.js").OptionValue} OptionValue */
/** @typedef {{name: string, points: number}} Worth */

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
  /** @type {[string, OptionValue][]} */
  const tries = about.levers.flatMap(({ option: key, values }) =>
    values
      .filter((value) => value !== now[key])
      .map((value) => /** @type {[string, OptionValue]} */ ([key, value])),
  );
  const base = await edgeOf({});
  /** @type {Worth[]} */
  const worths = [];
  for (const [index, [key, value]] of tries.entries()) {
    if (turn !== page.turn) return;
    try {
      const points = (await edgeOf({ [key]: value })) - base;
      worths.push({ name: `${titled(key.split(".").at(-1) ?? "")} = ${value}`, points });
    } catch {
      continue; // the rules as they stand do not allow it
    }
    if (turn !== page.turn) return;
    const progress = `${about.worth_words}${index + 1} of ${tries.length}`;
    $("#l-sensitivity").replaceChildren(h("p", { class: "small soft" }, progress), bars(worths));
  }
}

/**
 * The house edge with some options changed.
 * @param {Record<string, OptionValue>} changes
 * @returns {Promise<number>}
 */
const edgeOf = async (changes) =>
  (await api("POST", "/lab/edge", asked({ ...page.options, ...changes }))).house_edge_percent;

/** @param {Worth[]} worths */
function bars(worths) {
  const most = Math.max(...worths.map((one) => Math.abs(one.points)), 1e-6);
  const lines = [...worths].sort((one, other) => one.points - other.points);
  return h(
    "div",
    { class: "l-bars" },
    lines.map(({ name, points }) => {
      const share = Math.abs(points) / most / 2;
      const text = signed(points, 4, { plus: true });
      const place = points < 0 ? { from: 0.5 - share, kind: "good" } : { from: 0.5, kind: "bad" };
      return bar(name, share, text, place);
    }),
  );
}
