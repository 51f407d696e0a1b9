// Cards of the deck as pictures.
import { svg } from "./dom.js";
import { asset } from "./server.js";

/** @type {Record<string, string>} */
const RANKS = {
  A: "ace",
  2: "two",
  3: "three",
  4: "four",
  5: "five",
  6: "six",
  7: "seven",
  8: "eight",
  9: "nine",
  T: "ten",
  J: "jack",
  Q: "queen",
  K: "king",
};
/** @type {Record<string, string>} */
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

/** @param {string} text */
const cardName = (text) => (text === "back" ? "a card face down" : `${RANKS[text[0]]} of ${SUITS[text[1]]}`);

/**
 * The rank of a card as it is printed: `A`, `10`, `K`.
 * @param {string} text
 */
export const rankOf = (text) => text[0].replace("T", "10");

/**
 * A card of the deck, such as `Ah`, or `back`; `large` has a large index for small spaces.
 * @param {string} text
 */
export function card(text, { large = false, dealt = false, sideways = false } = {}) {
  const id = large && text !== "back" ? `large-${text}` : text;
  const picture = svg(
    "svg",
    {
      class: dealt ? "card dealt" : "card",
      viewBox: "0 0 100 140",
      role: "img",
      "aria-label": cardName(text),
      "data-card": text,
    },
    svg("use", { href: `${asset("cards.svg")}#${id}` }),
  );
  if (sideways) picture.classList.add("sideways");
  return picture;
}

/**
 * Cards of a hand in a box of fixed size: each has its number in the deal, and the page's style lays it out.
 * @param {HTMLElement} box
 * @param {SVGElement[]} cards from left to right as they lie
 */
export function laidOut(box, cards) {
  const hand = /** @type {HTMLElement} */ (box.closest(".b-hand") ?? box);
  hand.style.setProperty("--n", String(cards.length));
  box.classList.toggle(
    "crossed",
    cards.some((one) => one.classList.contains("sideways")),
  );
  cards.forEach((one, index) => {
    one.style.setProperty("--i", String(cards.length - 1 - index));
    one.style.zIndex = String(cards.length - index);
  });
  box.replaceChildren(...cards);
}
