// Wagers: chip by chip onto the spots, sent one after the other; they are checked at the deal.
import { keep } from "../dom.js";
import { orTell, refused, toast } from "../notices.js";
import { saltHash } from "../salts.js";
import { api, newKey } from "../server.js";
import { chips } from "../words.js";
import { FIXED, layout, open, page, receive, redraw, table, tooSmall, wagersOf } from "./page.js";

/** @typedef {import("../types/table.js").Wager} Wager */
/** @typedef {import("../types/table.js").SideBet} SideBet */

/** @returns {Wager} */
const none = () => ({ stake_cents: 0, side: {} });

/**
 * Put a chip on a spot, or on one of its side bets; cents below zero take it off.
 * @param {number} number
 * @param {SideBet | null} bet
 * @param {number} cents
 */
export function add(number, bet, cents) {
  const spot = page.state.spots[number - 1];
  if (!open() || (spot.player && !spot.you)) return;
  page.chosen = number;
  const now = page.wanted[number] ?? none();
  const next = { stake_cents: now.stake_cents, side: { ...now.side } };
  if (bet === null) {
    const step = FIXED ? Math.sign(cents) * layout.min_cents : cents;
    next.stake_cents = Math.min(layout.max_cents, Math.max(0, next.stake_cents + step));
  } else if (!next.stake_cents) {
    toast("Place the primary wager first; a side bet stands beside it.", bet.clause);
    return;
  } else addBeside(next, bet, cents);
  if (!next.stake_cents) next.side = {};
  if (cents > 0 && stake(next, bet) === stake(now, bet)) takesNoMore(next, bet);
  else place(number, next);
}

/** @param {Wager} wager @param {SideBet | null} bet */
const stake = (wager, bet) => (bet ? (wager.side[bet.wager] ?? 0) : wager.stake_cents);

/**
 * Say why a chip more changes nothing.
 * @param {Wager} wager
 * @param {SideBet | null} bet
 */
function takesNoMore(wager, bet) {
  const { clause } = layout.limits;
  if (bet === null) {
    const most = chips(layout.max_cents);
    toast(
      FIXED ? `The house takes no other wager here than ${most}.` : `The largest wager is ${most}.`,
      clause,
    );
  } else if (bet.stake === "at_most_primary" && wager.stake_cents < layout.side_max_cents) {
    toast(`${bet.title} takes no more than the wager on the hand, ${chips(wager.stake_cents)}.`, bet.clause);
  } else {
    toast(`The largest wager on ${bet.title} is ${chips(layout.side_max_cents)}.`, layout.side_clause);
  }
}

/**
 * @param {Wager} wager
 * @param {SideBet} bet
 * @param {number} cents
 */
function addBeside(wager, bet, cents) {
  const stands = wager.side[bet.wager] ?? 0;
  const fixed = bet.stake === "fixed";
  const takesOff = cents < 0 || (fixed && stands);
  const step = fixed ? bet.fixed_cents : Math.abs(cents);
  const least = fixed ? bet.fixed_cents : layout.side_min_cents;
  const value = takesOff ? stands - step : Math.max(stands + step, least);
  const primary = bet.stake === "at_most_primary" ? wager.stake_cents : Infinity;
  const most = fixed ? bet.fixed_cents : Math.min(layout.side_max_cents, primary);
  if (value >= least) wager.side[bet.wager] = Math.min(most, value);
  else {
    delete wager.side[bet.wager];
    for (const other of layout.side_bets) if (other.needs === bet.wager) delete wager.side[other.wager];
  }
}

/**
 * Want a wager on a spot, and send it; what is wanted stays in view until the house's own state is known.
 * @param {number} number
 * @param {Wager} wager
 */
function place(number, wager) {
  const stood = page.wanted[number];
  if (!wager.stake_cents && !stood) return;
  page.wanted = { ...page.wanted, [number]: wager };
  if (!wager.stake_cents) delete page.wanted[number];
  page.pending += 1;
  redraw();
  const request = async () => {
    const { commitment, salts } = page.state.shoe;
    const body = { ...wager, salt_hash: wager.stake_cents ? await saltHash(commitment, salts) : "" };
    return api("PUT", `/tables/${table}/spots/${number}/wagers`, body, { key: newKey() });
  };
  page.sending = page.sending
    .then(request)
    .then(() => (page.pending === 1 ? api("GET", `/tables/${table}`) : null)) // a push may be older than the wagers
    .catch((error) => {
      if (page.pending === 1) page.wanted = wagersOf(page.state);
      refused(error);
    })
    .then((state) => {
      page.pending -= 1;
      if (state) receive(state);
      else redraw();
    });
}

/** The wagers of the round before again. */
export function repeat() {
  if (!page.previous || !open() || Object.keys(page.wanted).length) return;
  for (const [number, wager] of Object.entries(page.previous)) place(Number(number), wager);
}

export function clear() {
  if (open()) for (const number of Object.keys(page.wanted)) place(Number(number), none());
}

export function deal() {
  const few = Object.entries(page.wanted).find(([, wager]) => tooSmall(wager));
  if (few) {
    toast(`Spot ${few[0]}: the smallest wager is ${chips(layout.min_cents)}.`, layout.limits.clause);
    return;
  }
  orTell(async () => {
    await page.sending;
    page.previous = { ...page.wanted };
    keep(`b-wagers-${table}`, page.previous);
    receive(await api("POST", `/tables/${table}/deal`));
  });
}

/**
 * Give a spot up.
 * @param {number} number
 */
export const release = (number) =>
  orTell(async () => {
    await page.sending;
    receive(await api("DELETE", `/tables/${table}/spots/${number}`));
  });
