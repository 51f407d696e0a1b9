// A cell of the chart opened: what each action is worth there, and the hands behind it.
import { $, h, sheet } from "../dom.js";
import { refused } from "../notices.js";
import { counted, percent, signed } from "../words.js";
import { ask } from "./asking.js";
import { inputs, page } from "./page.js";

/** @typedef {import("../types/lab.js").Cell} Cell */
/** @typedef {import("../types/lab.js").ActionValue} ActionValue */

const box = () => $("#l-cell");
/** The cell that is open. @type {HTMLElement | null} */
let opener = null;

export function closeCell() {
  box().hidden = true;
  box().replaceChildren();
  opener?.classList.remove("open");
  opener = null;
}

/**
 * @param {HTMLElement} button
 * @param {string} title
 * @param {{hands: string[], up_card: string}} cell
 */
export async function openCell(button, title, cell) {
  closeCell();
  opener = button;
  button.classList.add("open");
  const { turn } = page;
  const isWanted = () => turn === page.turn && opener === button;
  show(title, h("p", { class: "soft", role: "status" }, "Being computed …"));
  try {
    /** @type {Cell} */
    const answer = await ask("/lab/cell", { ...inputs(), ...cell }, isWanted);
    if (isWanted() && answer.rules_hash === page.rules.rules_hash) show(title, values(answer), hands(answer));
  } catch (error) {
    if (!isWanted()) return;
    closeCell();
    refused(error);
  }
}

/**
 * @param {string} title
 * @param {HTMLElement[]} parts
 */
function show(title, ...parts) {
  const back = () => {
    const to = opener;
    closeCell();
    to?.focus();
  };
  const close = h("button", { class: "btn small quiet", type: "button", click: back }, "Close");
  const heading = h("h3", { tabindex: -1 }, title);
  box().replaceChildren(h("div", { class: "row spread" }, heading, close), ...parts);
  box().hidden = false;
  box().onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") back();
  };
  heading.focus({ preventScroll: true });
  box().scrollIntoView({ block: "nearest" });
}

/**
 * The values of actions in a table, the best first.
 * @param {ActionValue[]} actions
 */
export function actionTable(actions) {
  const head = [
    h("th", {}, "Action"),
    h("th", { class: "num" }, "Expected value"),
    h("th", { class: "num" }, "Costs"),
  ];
  const lines = actions.map(({ action, expected_value: value, cost }, place) =>
    h(
      "tr",
      { class: place ? "" : "best" },
      h("td", {}, action),
      h("td", { class: "num" }, signed(typeof value === "number" ? value : value.decimal, 6, { plus: true })),
      h("td", { class: "num" }, place ? signed(cost, 6) : "best"),
    ),
  );
  return sheet(head, lines);
}

/** @param {Cell} cell */
function values(cell) {
  const condition = cell.given_no_blackjack ? "; given no blackjack of the dealer's" : "";
  const words = `For each unit of the wager, over all hands of the cell${condition}.`;
  return h("div", {}, actionTable(cell.actions), h("p", { class: "small soft" }, words));
}

/** @param {Cell} cell */
function hands(cell) {
  const names = cell.actions.map(({ action }) => action);
  const head = [
    h("th", {}, "Hand"),
    h("th", { class: "num" }, "Share"),
    h("th", {}, "Best"),
    ...names.map((name) => h("th", { class: "num" }, name)),
  ];
  const lines = cell.hands.map((hand) => {
    const own = Object.fromEntries(hand.actions.map(({ action, expected_value: value }) => [action, value]));
    const cells = names.map((name) =>
      h("td", { class: "num" }, name in own ? signed(Number(own[name]), 4) : ""),
    );
    const look = { class: hand.best === cell.best ? "" : "changed" };
    return h(
      "tr",
      look,
      h("td", {}, hand.cards),
      h("td", { class: "num" }, percent(hand.share, 2)),
      h("td", {}, hand.best),
      cells,
    );
  });
  const rest = cell.more_hands ? `And ${counted(cell.more_hands, "rarer hand")}. ` : "";
  const note = `${rest}Ten, jack, queen and king are T; a hand that is played otherwise than the cell is marked.`;
  return h(
    "div",
    {},
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Hands of the cell" },
      sheet(head, lines),
    ),
    h("p", { class: "small soft" }, note),
  );
}
