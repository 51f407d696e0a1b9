// The whole Knockout 52 table drawn from its state.
import { showCall } from "../calling.js";
import { $, $$, h } from "../dom.js";
import { say } from "../notices.js";
import { checkProof, findingsList } from "../proof.js";
import { showPurse } from "../purse.js";
import { resultLine } from "../results.js";
import { ownSalt, saltsText } from "../salts.js";
import { api } from "../server.js";
import { chips, tone } from "../words.js";
import { betOf, layCards, netOf, showChance, showStake } from "./layout.js";
import { address, layout, page, seals, staked } from "./page.js";

/** @typedef {import("../types/knockout52.js").Stakes} Stakes */
/** @typedef {import("../types/knockout52.js").Summary} Summary */
/** @typedef {import("../types/knockout52.js").WagerView} WagerView */

/** @param {string} wager */
const titleOf = (wager) => page.state.wagers.find((one) => one.wager === wager)?.title ?? wager;

/** The finished game that lies on the layout, until somebody stakes again. */
function gameShown() {
  const { cards_of_game: number, last } = page.state;
  return last?.number === number ? last : null;
}

export function phaseText() {
  const { state } = page;
  if (state.frozen) return `The floor has frozen this table: ${state.frozen.reason}`;
  if (!state.enabled) return "This table is closed by the house.";
  const spaces = layout.rows.reduce((sum, row) => sum + row.ranks.length, 0);
  if (state.phase === "salts") return "No more wagers. The browsers reveal their salts.";
  if (state.phase === "dealing") return `Card ${state.cards.length} of ${spaces} · ${titleOf(state.marker)}`;
  if (state.deal_at) {
    const seconds = Math.max(0, Math.ceil((Date.parse(state.deal_at) - page.clock()) / 1000));
    return seconds ? `The deal begins in ${seconds} s, or when everybody is ready.` : "The deal begins.";
  }
  const result = gameShown()?.your_words;
  if (state.outcome_words) return `${state.outcome_words}${result ? ` ${result}.` : ""}`;
  return staked() ? "Your wagers stand. Deal when you are ready." : "Choose a chip and put it on a wager.";
}

export function drawTable() {
  const { state } = page;
  $("#k-phase").textContent = phaseText();
  for (const wager of state.wagers) drawWager(wager);
  drawCards();
  drawButtons();
  drawPlayers();
  drawLast();
  $("#k-number").textContent = state.game;
  $("#k-seal").textContent = state.commitment;
  $("#k-salts").textContent = saltsText(state.salts);
  showCall(state.floor);
  showPurse(state.you);
}

const open = () => page.state.phase === "open" && page.state.enabled && !page.state.frozen;

/** What the visitor laid: what is to stand now, else what lies there of the game that is over. */
function laid() {
  const last = staked() ? null : gameShown();
  const own = last?.results.find((one) => one.you);
  return { stakes: own?.stakes ?? page.stakes, settled: last?.your_wagers };
}

/** @param {WagerView} wager */
function drawWager(wager) {
  const button = betOf(wager.wager);
  const { stakes, settled } = laid();
  const stake = stakes[wager.wager] ?? 0;
  const marked = page.state.marker === wager.wager;
  showStake(layout, wager, stake, netOf(wager, stake, settled));
  showChance(wager);
  button.classList.toggle("marked", marked);
  button.disabled = !open();
  // What is seen is what is heard; what only its place says is added in words.
  $(".k-heard", button).textContent = [
    `your stake ${chips(stake)}`,
    ...(marked ? ["the marker stands here"] : []),
  ].join(", ");
}

/** What lies on the layout: a card or two more are seen coming, a whole game is not. */
const lying = { game: -1, cards: 0 };
function drawCards() {
  const { cards, cards_of_game: game, outcome, phase } = page.state;
  if (lying.game !== game || lying.cards > cards.length) {
    for (const picture of $$(".k-space .card")) picture.remove();
    lying.cards = 0;
  }
  const moving = cards.length - lying.cards <= 2 ? 0 : Infinity;
  const matched = outcome !== null && outcome !== layout.all_the_way;
  layCards(cards, { moving, match: matched ? cards.length - 1 : null });
  for (const space of $$(".k-space")) {
    space.classList.toggle("next", phase === "dealing" && Number(space.dataset.space) === cards.length);
  }
  lying.game = game;
  lying.cards = cards.length;
}

function drawButtons() {
  const { phase, you } = page.state;
  const asked = you.ready && Object.keys(you.stakes).length > 0;
  const button = $("#k-deal");
  if (phase === "dealing") {
    $("span", button).textContent = "Next card";
    button.disabled = !you.alone;
  } else {
    $("span", button).textContent = you.ready ? "Waiting" : "Deal";
    button.disabled = !open() || !staked() || asked;
  }
  $("#k-take").disabled = !open() || !staked();
  $("#k-take").setAttribute("aria-pressed", String(page.taking));
  $("#k-clear").disabled = !open() || !staked();
  $("#k-repeat").disabled = !open() || !page.lastStakes;
}

/** @param {Stakes} stakes */
const stakeWords = (stakes) =>
  page.state.wagers
    .filter(({ wager }) => stakes[wager])
    .map(({ wager, title }) => `${title} ${chips(stakes[wager])}`)
    .join(", ");

function drawPlayers() {
  const { players, phase } = page.state;
  const box = $("#k-players");
  if (!players.length) {
    box.replaceChildren(h("p", { class: "soft" }, "Nobody has staked yet."));
    return;
  }
  const rows = players.map((player) => {
    const waiting = player.ready ? "ready" : "…";
    const result = phase === "dealing" ? `${chips(player.net_cents, { plus: true })} so far` : waiting;
    const stakes = h("span", { class: "small soft" }, stakeWords(player.stakes));
    return h(
      "tr",
      {},
      h("td", {}, h("b", {}, player.name), player.you ? " (you)" : "", h("br"), stakes),
      h("td", { class: `num ${tone(player.net_cents)}` }, result),
    );
  });
  box.replaceChildren(h("table", {}, h("tbody", {}, rows)));
}

function drawLast() {
  const { last } = page.state;
  const box = $("#k-last");
  if (!last) {
    box.replaceChildren(h("p", { class: "soft" }, "No game has been dealt here yet."));
    return;
  }
  if (box.dataset.shown === last.id) return;
  box.dataset.shown = last.id;
  box.replaceChildren(
    h("p", {}, `Game ${last.number}: `, h("b", {}, last.outcome_words)),
    resultLine(last) ?? "",
    h("p", {}, h("a", { href: `/rounds/${last.id}` }, "Replay and share")),
  );
  const check = {
    class: "btn small",
    type: "button",
    click: () => prove(last),
  };
  $("#k-proof").replaceChildren(h("button", check, `Check game ${last.number}`));
  if (last.your_net_cents === null) return;
  say(`Game over: ${last.title}. Your result ${chips(last.your_net_cents, { plus: true })}.`);
}

/** @param {Summary} last */
async function prove(last) {
  /** @type {import("../types/knockout52.js").FinishedGame} */
  const game = await api("GET", `${address}/games/${last.id}`);
  const seen = seals().filter((seal) => seal.game === last.number);
  const findings = await checkProof(
    game.proof,
    game.card_texts,
    seen.map((seal) => seal.seal),
    ownSalt(game.proof.commitment),
  );
  const head = h("p", { class: "small" }, h("b", {}, `Game ${last.number}, dealt again here:`));
  $("#k-proof").replaceChildren(head, findingsList(findings));
}
