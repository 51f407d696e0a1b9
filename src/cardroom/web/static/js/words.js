// Amounts, shares and counts to read, in the words of the server's presentation.

/** @param {string} text */
export const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * An id such as `match-the-dealer` or `hits_soft_17` as words.
 * @param {string} id
 */
export const titled = (id) => capitalized(id.replaceAll(/[-_]/g, " "));

/**
 * A number with so many decimals and a true minus sign; with `plus`, one above zero has a plus sign.
 * @param {number} number
 * @param {number} digits
 */
export function signed(number, digits, { plus = false } = {}) {
  /** @type {Intl.NumberFormatOptions} */
  const format = {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    roundingMode: "halfEven",
    signDisplay: plus ? "exceptZero" : "negative",
  };
  return number.toLocaleString("en-US", format).replace("-", "−");
}

/**
 * A number that is a percentage: `3.47` is `3.4700 %`.
 * @param {number} number
 */
export const inPercent = (number, digits = 4, { plus = false } = {}) =>
  `${signed(number, digits, { plus })} %`;

/**
 * A share as a percentage: `0.0347` is `3.4700 %`.
 * @param {number} share
 */
export const percent = (share, digits = 4, { plus = false } = {}) => inPercent(100 * share, digits, { plus });

/**
 * How seldom something is, without the words `1 in`.
 * @param {number} chance
 */
export function oneIn(chance) {
  if (!chance) return "never";
  const number = 1 / chance;
  return signed(number, number >= 100_000 ? 0 : Math.max(0, 4 - Math.floor(Math.log10(number))));
}

/**
 * A number with its thing: `1 ticket`, `2 tickets`.
 * @param {number} number
 * @param {string} thing
 */
export const counted = (number, thing) => `${signed(number, 0)} ${thing}${number === 1 ? "" : "s"}`;

/**
 * An amount to the cent; with `plus`, what is won carries a plus sign.
 * @param {number} cents
 */
export function dollars(cents, { plus = false } = {}) {
  const rounded = Number(signed(Math.abs(cents), 0).replaceAll(",", ""));
  return withSign(`$${signed(rounded / 100, 2)}`, rounded ? cents : 0, plus);
}

/**
 * An amount in chips: whole dollars without cents.
 * @param {number} cents
 */
export const chips = (cents, { plus = false } = {}) => dollars(cents, { plus }).replace(/\.00$/, "");

/**
 * An amount on average: dollars from one dollar on, cents below, tenths below ten of them.
 * @param {number} cents
 */
export function average(cents, { plus = false } = {}) {
  const amount = Math.abs(cents);
  const tenths = Number(signed(amount, 1).replaceAll(",", ""));
  if (tenths === 0) return "0¢";
  if (Number(signed(amount, 0).replaceAll(",", "")) >= 100) return withSign(dollars(amount), cents, plus);
  return withSign(`${signed(amount, tenths >= 10 ? 0 : 1)}¢`, cents, plus);
}

/**
 * @param {string} text
 * @param {number} cents
 * @param {boolean} plus
 */
function withSign(text, cents, plus) {
  if (cents < 0) return `−${text}`;
  return plus && cents > 0 ? `+${text}` : text;
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
