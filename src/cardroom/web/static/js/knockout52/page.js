// What the page of a Knockout 52 table knows: the last state of the server, and what its visitor wants beyond it.
import { $, dataOf, keep, kept } from "../dom.js";
import { orTell, refused, say } from "../notices.js";
import { checkOwnSalt, revealWhenAsked, saltHash } from "../salts.js";
import { api, newKey, serverClock } from "../server.js";

/** @typedef {import("../types/knockout52.js").TableView} TableView */
/** @typedef {import("../types/knockout52.js").Stakes} Stakes */
/** @typedef {import("../types/knockout52.js").Seal} Seal */

const root = $("#knockout52");
/**
 * Where the game is played, on the pages and in the API.
 * @type {string}
 */
export const address = root.dataset.address;
/** @type {string} */
export const table = root.dataset.table;
/** @type {import("../types/knockout52.js").Layout} */
export const layout = dataOf(root, "layout");
/** @type {TableView} */
const first = dataOf(root, "state");

export const page = {
  state: first,
  clock: serverClock(first.now),
  chip: layout.first_chip_cents,
  /** The stakes that the visitor wants to stand. */
  stakes: { ...first.you.stakes },
  /**
   * The stakes of the game before.
   * @type {Stakes | null}
   */
  lastStakes: kept("k52-stakes"),
  /** Chips are taken back instead of put down. */
  taking: false,
};

/** Whether the visitor wants any stake to stand. */
export const staked = () => Object.keys(page.stakes).length > 0;

/** The chip in hand; below zero while chips are taken back. */
export const chipInHand = () => (page.taking ? -page.chip : page.chip);

/** How many requests for wagers are on their way, and the last of them. */
let pending = 0;
/** @type {Promise<unknown>} */
let sending = Promise.resolve();

let draw = () => {};
/**
 * How the page is drawn anew whenever something has changed.
 * @param {() => void} drawing
 */
export function drawWith(drawing) {
  draw = drawing;
}
/** Draw the page anew; where no stake stands, none is taken back. */
export function redraw() {
  page.taking &&= staked();
  draw();
}

/**
 * Put a chip on a wager; cents below zero take it off.
 * @param {string} wager
 * @param {number} cents
 */
export function add(wager, cents) {
  if (page.state.phase !== "open") return;
  place({ ...page.stakes, [wager]: Math.max(0, (page.stakes[wager] ?? 0) + cents) });
}

/**
 * Want these stakes, and send them.
 * @param {Stakes} wanted
 */
export function place(wanted) {
  const before = page.stakes;
  page.stakes = Object.fromEntries(Object.entries(wanted).filter(([, cents]) => cents > 0));
  if (!Object.keys(page.stakes).length && !Object.keys(before).length) return;
  redraw();
  const { stakes } = page;
  const request = async () => {
    const { commitment, salts } = page.state;
    const hash = Object.keys(stakes).length ? await saltHash(commitment, salts) : "";
    const body = { stakes, salt_hash: hash };
    return api("PUT", `${address}/tables/${table}/wagers`, body, { key: newKey() });
  };
  pending += 1;
  sending = sending
    .then(request)
    .then(() => (pending === 1 ? api("GET", `${address}/tables/${table}`) : null)) // a push may be older than the wagers
    .catch((error) => {
      if (pending === 1) page.stakes = { ...page.state.you.stakes };
      refused(error);
    })
    .then((state) => {
      pending -= 1;
      if (state) receive(state);
      else redraw();
    });
}

/** Deal, or show the next card. */
export const deal = () =>
  orTell(async () => {
    await sending;
    if (page.state.phase === "open") {
      page.lastStakes = { ...page.stakes };
      keep("k52-stakes", page.lastStakes);
    }
    receive(await api("POST", `${address}/tables/${table}/deal`));
  });

/** The seals that this browser was shown, before their games were dealt. */
export const seals = () => /** @type {Seal[]} */ (kept(`k52-seals-${table}`) ?? []);

/**
 * A state of the server.
 * @param {TableView} next
 */
export function receive(next) {
  const before = page.state;
  if (Date.parse(next.now) < Date.parse(before.now)) return; // an older state that came late
  page.clock = serverClock(next.now);
  if (next.phase === "open" && !seals().some((seal) => seal.game === next.game)) {
    keep(`k52-seals-${table}`, [...seals().slice(-19), { game: next.game, seal: next.commitment }]);
  }
  page.state = next;
  if (!pending) page.stakes = { ...next.you.stakes };
  redraw();
  revealWhenAsked(`${address}/tables/${table}`, next.commitment, next.salts);
  if (next.last && next.last.number === before.game) checkGame(next.last, before.commitment);
  const inGame = Object.keys(next.you.stakes).length > 0;
  if (inGame && next.phase === "dealing" && next.cards.length > before.cards.length) sayCard(next);
}

/**
 * @param {import("../types/knockout52.js").Summary} last
 * @param {string} commitment
 */
async function checkGame({ id, number }, commitment) {
  const found = await checkOwnSalt(`Game ${number}`, commitment, `${address}/games/${id}/proof`);
  if (found) $("#k-checked").textContent = found;
}

/** @param {TableView} view */
function sayCard({ cards }) {
  const picture = $(`[data-card="${cards.at(-1)}"]`);
  say(picture?.getAttribute("aria-label") ?? `Card ${cards.length}`);
}
