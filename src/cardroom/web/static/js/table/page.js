// What the page of a table knows: the last state of the server, and what its visitor wants beyond it.
import { $, dataOf, keep, kept } from "../dom.js";
import { say } from "../notices.js";
import { checkOwnSalt, revealWhenAsked } from "../salts.js";
import { serverClock } from "../server.js";
import { notice } from "./moments.js";

/** @typedef {import("../types/table.js").TableView} TableView */
/** @typedef {import("../types/table.js").Wager} Wager */
/** @typedef {import("../types/table.js").Wagers} Wagers */

const root = $("#table");
/** @type {string} */
export const table = root.dataset.table;
/** @type {string} */
export const game = root.dataset.game;
/** @type {import("../types/table.js").Layout} */
export const layout = dataOf(root, "layout");
/** One wager and no other is taken here. */
export const FIXED = layout.min_cents === layout.max_cents;

/** @type {TableView} */
const first = dataOf(root, "state");

export const page = {
  state: first,
  clock: serverClock(first.now),
  chip: layout.first_chip_cents,
  /** The wagers that the visitor wants to stand. */
  wanted: wagersOf(first),
  /** How many requests for wagers are on their way. */
  pending: 0,
  /**
   * The last of these requests.
   * @type {Promise<unknown>}
   */
  sending: Promise.resolve(),
  /**
   * The wagers of the round before.
   * @type {Wagers | null}
   */
  previous: kept(`b-wagers-${table}`),
  /** @type {import("../types/table.js").Advice | null} */
  advice: null,
  /** An action is on its way. */
  acting: false,
  /** Chips are taken back instead of put down. */
  taking: false,
  /**
   * The spot that the visitor wants in front, where one alone is shown large.
   * @type {number | null}
   */
  chosen: null,
};

/**
 * The visitor's wagers in a state.
 * @param {TableView} view
 * @returns {Wagers}
 */
export function wagersOf(view) {
  const own = view.spots.filter((spot) => spot.you && (spot.stake_cents || Object.keys(spot.side).length));
  return Object.fromEntries(
    own.map((spot) => [spot.number, { stake_cents: spot.stake_cents, side: { ...spot.side } }]),
  );
}

/** @param {Wager} wager */
export const tooSmall = (wager) => wager.stake_cents < layout.min_cents;

/** Whether wagers are taken. */
export const open = () => page.state.phase === "wagers" && page.state.enabled && !page.state.frozen;

/** Whether the visitor wants any wager to stand. */
export const staked = () => Object.keys(page.wanted).length > 0;

/** The chip in hand; below zero while chips are taken back. */
export const chipInHand = () => (page.taking ? -page.chip : page.chip);

/**
 * The round that lies on the felt: the one in play, or the last one until the visitor's next wager.
 * @returns {import("../types/table.js").Round | null}
 */
export function roundShown() {
  const { round, phase } = page.state;
  if (!round || phase === "salts") return null;
  return phase === "round" || !staked() ? round : null;
}

/** The spot that lies in front: the one in turn if it is the visitor's, the chosen one, their own, a free one. */
export function frontSpot() {
  const { you, turn, spots } = page.state;
  if (turn && you.options.length) return turn.spot;
  const middle = Math.ceil(spots.length / 2);
  const free = spots.filter((spot) => !spot.player).map((spot) => spot.number);
  const [nearest] = free.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
  return page.chosen ?? you.spots[0] ?? nearest ?? middle;
}

/** @param {string} wager */
export const titleOf = (wager) => layout.side_bets.find((bet) => bet.wager === wager)?.title ?? wager;

/**
 * Whole seconds until a moment.
 * @param {string | null} moment
 */
export const secondsUntil = (moment) =>
  Math.max(0, Math.ceil((Date.parse(moment ?? "") - page.clock()) / 1000));

let draw = () => {};
/**
 * How the page is drawn anew whenever something has changed.
 * @param {() => void} drawing
 */
export function drawWith(drawing) {
  draw = drawing;
}
/** Draw the page anew; where no wager stands, none is taken back. */
export function redraw() {
  page.taking &&= staked();
  draw();
}

/** The seals that this browser was shown, before their shoes were dealt. */
export const seals = () => /** @type {string[]} */ (kept(`b-seals-${table}`) ?? []);

/**
 * A state of the server.
 * @param {TableView} next
 */
export function receive(next) {
  const before = page.state;
  if (Date.parse(next.now) < Date.parse(before.now)) return; // an older state that came late
  page.clock = serverClock(next.now);
  if (next.rules_hash !== before.rules_hash) {
    location.reload(); // other limits, other side bets: the whole layout is new
    return;
  }
  page.state = next;
  if (next.you.options.length) page.chosen = next.turn?.spot ?? null;
  const seal = next.shoe.commitment;
  if (seal && !seals().includes(seal)) keep(`b-seals-${table}`, [...seals().slice(-9), seal]);
  if (!page.pending) page.wanted = wagersOf(next);
  redraw();
  notice(before, next);
  revealWhenAsked(`/tables/${table}`, next.shoe.commitment, next.shoe.salts);
  if (before.shoe.commitment && before.shoe.commitment !== next.shoe.commitment) checkShoe(before.shoe);
  if (next.you.options.length && !before.you.options.length) sayTurn(next);
}

/** @param {import("../types/table.js").Shoe} shoe */
async function checkShoe({ number, commitment }) {
  const path = `/tables/${table}/shoes/${number}`;
  const finding = await checkOwnSalt(`Shoe ${number}`, commitment ?? "", path);
  if (finding) $("#b-checked").textContent = finding;
}

/** @param {TableView} view */
function sayTurn({ round, turn }) {
  const spot = round?.spots.find((one) => one.number === turn?.spot);
  const hand = turn ? spot?.hands[turn.hand - 1] : undefined;
  say(`Your turn: ${hand?.total}, dealer shows ${round?.dealer_total}.`);
}
