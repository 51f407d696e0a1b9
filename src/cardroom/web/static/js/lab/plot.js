// Pictures of the lab: bars, and plots with two axes.
import { h, svg } from "../dom.js";

/**
 * A bar with its name and value; it may begin in the middle.
 * @param {string} name
 * @param {number} share
 * @param {string} text
 * @param {{hint?: string | null, from?: number, kind?: string, note?: string}} options
 */
export function bar(name, share, text, { hint = null, from = 0, kind = "", note = "" } = {}) {
  const fill = h("i", { class: kind });
  fill.style.left = `${100 * from}%`;
  fill.style.width = `${Math.max(0.3, 100 * share)}%`;
  return h(
    "div",
    { class: "l-bar", title: hint },
    h("span", {}, name, note ? h("span", { class: "small soft" }, ` ${note}`) : ""),
    h("span", { class: "track" }, fill),
    h("span", { class: "num" }, text),
  );
}

/** The frame of a plot: its size, and where its axes lie. */
export class Frame {
  /**
   * As wide as a small window allows, so that its words are not made smaller there.
   * @param {number} high
   * @param {number} wide
   */
  constructor(high, wide = 720) {
    this.wide = Math.max(300, Math.min(wide, document.documentElement.clientWidth - 64));
    this.high = high;
    this.left = 64;
    this.right = this.wide - 12;
    this.top = 12;
    this.bottom = high - 30;
  }

  /**
   * From the left axis to the right end.
   * @param {number} share
   */
  x(share) {
    return this.left + (this.right - this.left) * share;
  }

  /**
   * From the top down to the lower axis.
   * @param {number} share
   */
  y(share) {
    return this.top + (this.bottom - this.top) * share;
  }

  /**
   * A picture with both axes; what stands in `behind` lies behind them.
   * @param {string} label
   * @param {SVGElement[]} behind
   */
  picture(label, behind = []) {
    const { left, right, top, bottom } = this;
    return svg(
      "svg",
      { class: "l-plot", viewBox: `0 0 ${this.wide} ${this.high}`, role: "img", "aria-label": label },
      behind,
      svg("line", { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom }),
      svg("line", { class: "axis", x1: left, x2: left, y1: top, y2: bottom }),
    );
  }

  /**
   * A value beside the left axis.
   * @param {number} y
   * @param {string} words
   */
  beside(y, words) {
    return svg("text", { x: this.left - 6, y: y + 4, "text-anchor": "end" }, words);
  }

  /**
   * A value below the lower axis.
   * @param {number} x
   * @param {string} words
   * @param {"start" | "middle" | "end"} anchor
   */
  below(x, words, anchor) {
    return svg("text", { x, y: this.high - 10, "text-anchor": anchor }, words);
  }
}

/**
 * A line through points.
 * @param {[number, number][]} points
 */
export const path = (points) => points.map(([x, y], index) => `${index ? "L" : "M"}${x} ${y}`).join("");
