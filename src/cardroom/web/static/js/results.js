// The visitor's own result in a round that is over.
import { h } from "./dom.js";
import { chips, tone } from "./words.js";

/**
 * A return of no more than the stake is told plainly and not celebrated.
 * @param {{your_stake_cents: number | null, your_net_cents: number | null}} last
 */
export function resultLine({ your_stake_cents: stake, your_net_cents: net }) {
  if (stake === null || net === null) return null;
  const line = h("p", {}, "You staked ", h("b", { class: "num" }, chips(stake)));
  if (net === 0) line.append(" and got it back.");
  else {
    line.append(net > 0 ? " and won " : " and lost ");
    line.append(h("b", { class: `num ${tone(net)}` }, chips(Math.abs(net))));
  }
  return line;
}
