// The layout of Knockout 52, at the table and in the replay: a row of spaces beside each wager.
import { card } from "../cards.js";
import { chipsOfWager } from "../chips.js";
import { $, $$, h } from "../dom.js";
import { chips } from "../words.js";

/** @typedef {import("../types/knockout52.js").Layout} Layout */
/** @typedef {import("../types/knockout52.js").Stakes} Stakes */
/** @typedef {import("../types/knockout52.js").WagerView} WagerView */

/**
 * What stands in the box of a wager.
 * @param {WagerView} wager
 */
export const betParts = (wager) => [
  h("span", { class: "k-circle" }),
  h("span", { class: "k-title" }, wager.title),
  h("span", { class: "k-pays" }, `pays ${wager.pays}`),
  h("span", { class: "k-chance num" }),
  h("span", { class: "bar" }, h("i")),
  h("span", { class: "sr k-heard" }),
];

/**
 * Build it once: each row with its bet, and the bet without a row on its own.
 * @param {Layout} layout
 * @param {WagerView[]} wagers
 * @param {{rows: HTMLElement, alone: HTMLElement}} places
 * @param {(wager: WagerView, number: number) => HTMLElement} bet
 */
export function buildLayout(layout, wagers, { rows, alone }, bet) {
  let space = 0;
  wagers.forEach((wager, index) => {
    const row = layout.rows.find((one) => one.wager === wager.wager);
    const box = bet(wager, index + 1);
    if (!row) {
      alone.append(box);
      return;
    }
    const spaces = row.ranks.map((rank) => {
      const printed = h("div", { class: "k-space", "data-space": space }, rank);
      space += 1;
      return printed;
    });
    const group = { class: "k-spaces", role: "group", "aria-label": `Row ${index + 1}` };
    rows.append(h("div", { class: "k-row" }, box, h("div", group, spaces)));
  });
}

/** @param {string} wager */
export const betOf = (wager) => $(`.k-bet[data-wager="${wager}"]`);

/**
 * The stake of the visitor as chips in its circle, what was paid beside it, and what it came to in words.
 * @param {Layout} layout
 * @param {WagerView} wager
 * @param {number} cents none where the visitor did not lay this wager
 * @param {number | undefined} net what it brought, once that is settled
 */
export function showStake(layout, { wager, percent, chance }, cents, net) {
  const box = betOf(wager);
  const decided = chance.decimal === 0 || chance.decimal === 1;
  const outcome = net === undefined ? undefined : { result: net > 0 ? "won" : "lost", net_cents: net };
  const money = outcome ? ` ${chips(outcome.net_cents, { plus: true })}` : "";
  $(".k-chance", box).replaceChildren(
    h("span", {}, decided && !cents ? "not played" : percent + money),
    h("span", { class: "tiny soft", title: `Exactly ${chance.fraction}` }, decided ? "" : "exact"),
  );
  box.classList.toggle("staked", cents > 0);
  const circle = $(".k-circle", box);
  const key = `${cents} ${net}`;
  if (circle.dataset.key === key) return;
  circle.dataset.key = key;
  circle.replaceChildren(...chipsOfWager(layout, cents, outcome));
  if (cents && !outcome) circle.append(h("span", { class: "k-stake num" }, chips(cents)));
}

/**
 * What a wager brought that is decided: what is paid is known at the end, what is lost at once.
 * @param {WagerView} wager
 * @param {number} cents
 * @param {Stakes | undefined} settled what each wager brought in a game that is over
 */
export function netOf({ wager, chance }, cents, settled) {
  if (!cents) return undefined;
  return settled?.[wager] ?? (chance.decimal === 0 ? -cents : undefined);
}

/**
 * How the chance of a wager stands: the bar, and whether it is decided.
 * @param {WagerView} wager
 */
export function showChance({ wager, chance }) {
  const box = betOf(wager);
  $(".bar i", box).style.width = `${100 * chance.decimal}%`;
  box.classList.toggle("won", chance.decimal === 1);
  box.classList.toggle("lost", chance.decimal === 0);
}

/**
 * Lay the cards that are missing, and take those away that are too many.
 * @param {string[]} cards
 * @param {{moving: number, match: number | null}} shown the first card that is seen coming; the space of the match
 */
export function layCards(cards, { moving, match }) {
  for (const space of $$(".k-space")) {
    const number = Number(space.dataset.space);
    const lies = $(".card", space);
    if (lies && lies.dataset.card !== cards[number]) lies.remove();
    if (number < cards.length && !$(".card", space)) {
      space.append(card(cards[number], { large: true, dealt: number >= moving }));
    }
    space.classList.toggle("match", number === match);
  }
}
