// Pays that a search found for the lines of a bet, each to be taken into the form.
import { $, h, sheet } from "../dom.js";
import { ask } from "../lab/asking.js";
import { orTell } from "../notices.js";
import { inPercent, signed } from "../words.js";

/**
 * Pays are looked for when the form of the search is sent.
 * @param {() => {game: string, text: string}} asItStands
 * @param {(pays: (string | null)[]) => void} take
 */
export function offerPays(asItStands, take) {
  $("#d-search").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = Object.fromEntries(new FormData($("#d-search")));
    /** @param {string} name */
    const range = (name) => ({
      least: Number(wanted[`${name}_from`] || 0),
      most: Number(wanted[`${name}_to`] || 100),
    });
    const hit = wanted.hit_from || wanted.hit_to ? range("hit") : null;
    $("#d-found").textContent = "Looking for pays …";
    orTell(async () => {
      try {
        showPays(await ask("/lab/bet/pays", { ...asItStands(), edge: range("edge"), hit }), take);
      } catch (error) {
        $("#d-found").textContent = "";
        throw error;
      }
    });
  });
}

/**
 * @param {any} answer
 * @param {(pays: (string | null)[]) => void} take
 */
function showPays(answer, take) {
  if (!answer.paytables.length) {
    $("#d-found").textContent = "No pays from the list of usual odds meet all of it.";
    return;
  }
  /** @param {string | null} pays */
  const short = (pays) => (pays === null ? "none" : pays.replace(/:1$/, ""));
  $("#d-found").replaceChildren(
    h("p", { class: "small soft" }, `Pays of ${answer.lines.join(", ")}; none: the line is left out.`),
    sheet(
      ["Pays", "House edge", "Hits", "Volatility", ""].map((one) => h("th", { scope: "col" }, one)),
      answer.paytables.map((/** @type {any} */ one) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, one.pays.map(short).join("-")),
          h("td", { class: "num" }, inPercent(one.house_edge_percent)),
          h("td", { class: "num" }, inPercent(one.hit_frequency_percent, 2)),
          h("td", { class: "num" }, signed(one.volatility_index, 2)),
          h(
            "td",
            {},
            h("button", { class: "btn small", type: "button", click: () => take(one.pays) }, "Take these"),
          ),
        ),
      ),
    ),
  );
}
