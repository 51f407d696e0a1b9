// What a side bet comes to: faults, warnings, tables, and hands drawn as cards.
import { card } from "../cards.js";
import { $, h, sheet } from "../dom.js";
import { inPercent, signed } from "../words.js";

/**
 * What the server found of a bet: its faults, or its figures and hands.
 * @param {any} answer
 */
export function showFigures(answer) {
  $("#d-wait").hidden = true;
  $("#d-failed").hidden = true;
  const faults = $("#d-faults");
  faults.hidden = !answer.faults.length;
  faults.replaceChildren(
    ...answer.faults.map((/** @type {any} */ one) =>
      h("li", {}, `${one.key ? `${one.key}: ` : ""}${one.words}`),
    ),
  );
  $("#d-play").disabled = Boolean(answer.faults.length);
  if (answer.faults.length) return;
  /** @param {string[]} cells */
  const row = ([first, ...cells]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, first),
      cells.map((cell) => h("td", { class: "num" }, cell)),
    );
  /** @param {string[]} cells */
  const head = (cells) => cells.map((cell) => h("th", { scope: "col" }, cell));
  $("#d-warnings").replaceChildren(
    ...answer.warnings.map((/** @type {string} */ one) => h("li", {}, `Warning: ${one}`)),
  );
  $("#d-figures").replaceChildren(
    sheet(
      head(["Line", "Pays", "Chance", "Return"]),
      answer.lines.map((/** @type {any} */ one) =>
        row([
          one.title,
          one.pays.replace("-", "−"),
          inPercent(100 * one.chance.decimal),
          inPercent(100 * one.return.decimal, 2),
        ]),
      ),
    ),
  );
  $("#d-decks").replaceChildren(
    sheet(
      head(["Decks", "House edge", "Hits", "Volatility"]),
      answer.by_decks.map((/** @type {any} */ one) =>
        row([
          String(one.decks),
          inPercent(one.house_edge_percent),
          inPercent(100 * one.hit_frequency.decimal),
          signed(one.volatility_index, 2),
        ]),
      ),
    ),
  );
  $("#d-hands").replaceChildren(...answer.lines.map((/** @type {any} */ one) => hands(one, answer)).flat());
}

/**
 * Nothing of another bet stays in view when the figures of this one cannot be had.
 * @param {string} why
 * @param {boolean} soon whether they are asked for again without a word
 * @param {() => void} again
 */
export function showFailure(why, soon, again) {
  $("#d-wait").hidden = true;
  for (const id of ["faults", "warnings", "figures", "decks", "hands"]) $(`#d-${id}`).replaceChildren();
  $("#d-faults").hidden = true;
  $("#d-play").disabled = true;
  const button = { class: "btn small", type: "button", id: "d-again", click: again };
  $("#d-failed").replaceChildren(
    `Not computed: ${why}. `,
    soon ? "It is tried again by itself. " : "",
    h("button", button, "Try again now"),
  );
  $("#d-failed").hidden = false;
}

/**
 * @param {any} line
 * @param {{hands: Record<string, {of: string, cards: string[]}[]>, without_hand: Record<string, string>}} answer
 */
function hands(line, answer) {
  const title = h("h3", {}, `${line.title}, ${line.pays}`);
  const rows = answer.hands[line.line];
  const why = answer.without_hand[line.line];
  if (!rows) return why ? [title, h("p", { class: "small" }, why)] : [];
  const drawn = rows.map((one) =>
    h(
      "p",
      { class: "row d-hand" },
      one.of,
      one.cards.map((text) => card(text)),
    ),
  );
  return [title, ...drawn];
}
