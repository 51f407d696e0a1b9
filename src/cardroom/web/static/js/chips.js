// Amounts as stacks of chips, in the denominations of the house.
import { h } from "./dom.js";

const HIGHEST_STACK = 9;

/**
 * An amount in as few chips as possible, the largest first, none above the largest wanted.
 * @param {number[]} denominations largest first
 * @param {number} cents
 * @returns {number[]}
 */
export function chipsOf(denominations, cents, largest = Infinity) {
  /** @type {number[]} */
  const chips = [];
  let left = cents;
  for (const chip of denominations.filter((one) => one <= largest)) {
    const count = Math.floor(left / chip);
    chips.push(...Array.from({ length: count }, () => chip));
    left -= count * chip;
  }
  return chips;
}

/**
 * A stack of chips; what it is worth is said in words beside it.
 * @param {number[]} chips the largest first: it lies at the bottom
 * @param {string} look
 */
export function stackOf(chips, look = "") {
  const lying = chips.slice(-HIGHEST_STACK);
  const stack = h("span", { class: `b-chipstack ${look}`, "aria-hidden": "true" });
  stack.style.setProperty("--chips", String(lying.length));
  lying.forEach((cents, index) => {
    const words = cents < 100 ? `${cents}¢` : String(cents / 100);
    const chip = h("i", { "data-cents": cents, "data-words": words });
    chip.style.setProperty("--i", String(index));
    stack.append(chip);
  });
  return stack;
}

/**
 * A wager as chips: a stack for each of its parts, and what was paid beside them in chips no larger (PROC-14).
 * @param {{denominations_cents: number[]}} layout
 * @param {number} cents
 * @param {{result: string, net_cents: number} | undefined} outcome
 * @param {number} added what doubles put beside the original (PROC-13)
 */
export function chipsOfWager(layout, cents, outcome, added = 0) {
  const chips = layout.denominations_cents;
  const gone = outcome?.result === "lost" ? "taken" : "";
  const paid = outcome?.result === "won" ? outcome.net_cents : 0;
  const parts = [cents, added].filter((part) => part > 0).map((part) => stackOf(chipsOf(chips, part), gone));
  if (paid > 0) parts.push(stackOf(chipsOf(chips, paid, chipsOf(chips, cents)[0]), "paid"));
  return parts;
}
