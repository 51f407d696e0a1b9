// The hands of a Knockout 21 ticket, in three blocks, with choices that can be changed while that is allowed.
import { card, h } from "./lib.js";

export const GAMES = { 1: "Game 1", 2: "Game 2", 3: "Game 3" };
const WORD = { H: "Hit", S: "Stand" };

/** `changes` collects position → choice; `editable` says whether choices may be made. */
export function hands(ticket, changes, { editable = false, results = null, changed = () => {} } = {}) {
  const block = (game) =>
    h(
      "div",
      { class: "t-game" },
      h("h3", {}, GAMES[game]),
      h(
        "div",
        { class: "t-row" },
        ticket.hands.filter((hand) => hand.game === game).map((hand) => one(hand)),
      ),
    );
  const one = (hand) => {
    const result = results?.[hand.position];
    const box = h(
      "div",
      { class: "t-hand", "data-position": hand.position },
      h(
        "div",
        { class: "t-cards" },
        hand.cards.map((text) => card(text, { large: true })),
        result?.took ? card(result.hit, { large: true }) : null,
      ),
      h(
        "span",
        { class: "tiny num" },
        `${result ? result.total : hand.total}${hand.dealer ? ` · dealer ${hand.dealer[0].replace("T", "10")}` : ""}`,
      ),
    );
    if (result) {
      const words = !result.in_before
        ? "out before"
        : result.won
          ? "✓ stays in"
          : result.lucky
            ? "✓ Lucky Loser"
            : "✕ knocked out";
      box.append(
        h("span", { class: "tiny verdict" }, words),
        h("span", { class: "tiny num" }, `dealer ${result.dealer_total > 21 ? "bust" : result.dealer_total}`),
      );
      box.classList.add(result.in_before && (result.won || result.lucky) ? "good" : "out");
    }
    if (hand.choice) {
      const buttons = ["H", "S"].map((choice) =>
        h(
          "button",
          {
            type: "button",
            disabled: !editable,
            "aria-label": `Hand ${hand.hand} of ${GAMES[hand.game]}: ${WORD[choice]}${choice === hand.advice ? ", the chart's choice" : ""}`,
            click: () => {
              if (choice === hand.choice) delete changes[hand.position];
              else changes[hand.position] = choice;
              show();
              changed();
            },
          },
          WORD[choice],
          choice === hand.advice ? " ·" : "",
        ),
      );
      const show = () => {
        const now = changes[hand.position] ?? hand.choice;
        buttons.forEach((button, index) => button.setAttribute("aria-pressed", String("HS"[index] === now)));
        box.classList.toggle("changed", now !== hand.advice);
      };
      show();
      box.append(h("div", { class: "t-choice" }, buttons));
    } else box.append(h("span", { class: "tiny soft" }, "plays itself"));
    return box;
  };
  return h("div", { class: "t-games" }, [1, 2, 3].map(block));
}
