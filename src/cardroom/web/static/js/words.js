// Amounts and counts to read.

/** @param {string} text */
export const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * An id such as `match-the-dealer` or `hits_soft_17` as words.
 * @param {string} id
 */
export const titled = (id) => capitalized(id.replaceAll(/[-_]/g, " "));

/**
 * Chips: whole dollars without cents; with `sign`, gains carry a plus.
 * @param {number} cents
 */
export function dollars(cents, { sign = false } = {}) {
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString("en-US");
  const text = `$${whole}${cents % 100 ? `.${twoDigits(Math.abs(cents) % 100)}` : ""}`;
  return signed(cents, text, sign && cents > 0);
}

/**
 * A number with its thing: `1 ticket`, `2 tickets`.
 * @param {number} number
 * @param {string} thing
 */
export const counted = (number, thing) =>
  `${number.toLocaleString("en-US")} ${thing}${number === 1 ? "" : "s"}`;

/**
 * An amount on average: dollars from one dollar on, cents below, tenths below ten of them.
 * @param {number} cents
 */
export function average(cents, { sign = false } = {}) {
  const amount = Math.abs(cents);
  if (amount < 0.05) return "0¢";
  const text =
    Math.round(amount) >= 100
      ? `$${(amount / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
      : `${amount.toFixed(amount >= 9.95 ? 0 : 1)}¢`;
  return signed(cents, text, sign);
}

/**
 * @param {number} cents
 * @param {string} text
 * @param {boolean} plus
 */
function signed(cents, text, plus) {
  if (cents < 0) return `−${text}`;
  return plus ? `+${text}` : text;
}

/**
 * The class of an amount that was won or lost.
 * @param {number} cents
 */
export function tone(cents) {
  if (cents > 0) return "win";
  return cents < 0 ? "loss" : "";
}

/** @param {number} number */
export const twoDigits = (number) => String(number).padStart(2, "0");

/**
 * A time to wait: `4:05`, or `1:04:05` from an hour on.
 * @param {number} seconds
 */
export function countdown(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = twoDigits(seconds % 60);
  return hours ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`;
}
