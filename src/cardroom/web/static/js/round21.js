// The replay of a round of the blackjack family, step by step on the same felt, and its proof.
import { $, $$, dataOf, h } from "./dom.js";
import { layCards, showHands, showStakes } from "./hands.js";
import { refused } from "./notices.js";
import { checkProof, findingsList } from "./proof.js";
import { replay } from "./replay.js";
import { ownSalt } from "./salts.js";
import { api, Refused } from "./server.js";
import { betParts, showDecided, showInsured, showTags, spotBox } from "./spot.js";
import { capitalized, chips } from "./words.js";

/** @typedef {import("./types/table.js").PlayedSpot} PlayedSpot */

const root = $("#round21");
/** @type {import("./types/table.js").FinishedRound} */
const round = dataOf(root, "state");
/** @type {import("./types/table.js").Layout} */
const layout = dataOf(root, "layout");
const LAST = round.steps.length - 1;
const played = round.steps[LAST].round.spots;
/** The spot in front, where one alone is shown large: the one in turn, until another is chosen. */
let front = (played.find((spot) => spot.you) ?? played[0]).number;
let at = LAST;

/** @param {number} number */
const buildSpot = (number) =>
  spotBox(
    layout,
    { number, count: round.spots },
    {
      side: (bet) => h("div", { class: "b-sidebet", "data-wager": bet.wager }, ...betParts(bet.printed)),
      circle: h(
        "div",
        { class: "b-circle" },
        h("span", { class: "b-stakes" }),
        h("span", { class: "b-amount" }),
      ),
      who: h("span", { class: "b-who" }),
    },
  );

/**
 * @param {PlayedSpot | undefined} spot
 * @param {HTMLElement} box
 * @param {boolean} over
 */
function showSpot(spot, box, over) {
  const outcomes = spot?.outcomes ?? [];
  const number = Number(box.dataset.spot);
  const hands = spot?.hands ?? [];
  box.classList.toggle("turn", !over && hands.some((hand) => hand.turn));
  box.classList.toggle("you", Boolean(spot?.you));
  box.classList.toggle("front", number === front);
  box.classList.toggle("alone", !played.some((one) => Math.abs(one.number - number) === 1));
  showHands({ layout, round: "replay", inPlay: !over }, $(".b-hands", box), spot, outcomes);
  const [hand] = hands.length === 1 ? hands : [];
  const outcome = outcomes.find((one) => one.wager === layout.main_wager);
  const amount = $(".b-amount", box);
  amount.textContent = spot && hand ? chips(hand.stake_cents) : String(number);
  amount.classList.toggle("bare", !hand);
  showStakes(layout, $(".b-circle .b-stakes", box), spot && hand ? { played: spot, hand, outcome } : null);
  for (const bet of layout.side_bets) {
    const decided = outcomes.find((one) => one.wager === bet.wager);
    showDecided(layout, $(`[data-wager="${bet.wager}"]`, box), spot?.side[bet.wager] ?? 0, decided);
  }
  showInsured(layout, box, spot);
  $(".b-who", box).textContent = spot ? (spot.you ? "You" : spot.player) : "";
  showTags(layout, $(".b-tags", box), spot, outcomes);
}

/** @param {PlayedSpot} spot */
function stripButton(spot) {
  const choose = () => {
    front = spot.number;
    draw();
  };
  return h(
    "button",
    { type: "button", "data-strip": spot.number, click: choose },
    String(spot.number),
    h("span", {}, spot.you ? "you" : spot.player),
  );
}

function draw() {
  const { round: now, events } = round.steps[at];
  const phase = $("#r-phase");
  phase.textContent = at === LAST ? round.sentence : capitalized(events[0] ?? "");
  phase.classList.toggle("result", at === LAST);
  $("#r-total").textContent = now.dealer_total;
  layCards($("#r-dealer"), "replay-dealer", now.dealer);
  for (const box of $$("#r-spots .b-spot")) {
    showSpot(
      now.spots.find((spot) => spot.number === Number(box.dataset.spot)),
      box,
      now.over,
    );
  }
  for (const button of $$("#r-strip button")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.strip) === front));
  }
}

/** @param {number} step */
function show(step) {
  at = step;
  const turn = round.steps[at].round.spots.find((spot) => spot.hands.some((hand) => hand.turn));
  if (turn) front = turn.number;
  draw();
  const sentences = round.steps.slice(0, step + 1).flatMap((one) => one.events);
  $("#r-events").replaceChildren(...sentences.map((text) => h("li", {}, text)));
  $("#r-events").scrollTop = 1e6;
}

/** The shoe of the round, checked, with its record to keep. */
async function prove() {
  const path = `/tables/${round.table}/shoes/${round.shoe}`;
  /** @type {import("./types/proof.js").ShoeProof} */
  const proof = await api("GET", path);
  const own = ownSalt(proof.commitment);
  const findings = await checkProof(proof, proof.cards.match(/../g) ?? [], [], own);
  findings.push({
    what: "This round is in the shoe's record, word for word",
    good: proof.rounds.includes(round.in_shoe),
  });
  const record = {
    class: "btn small",
    id: "r-save",
    href: `/api/v1${path}`,
    download: `${round.table}-shoe-${round.shoe}.json`,
  };
  const save = h("p", { class: "small" }, h("a", record, "Save the record"));
  $("#r-proof").replaceChildren(findingsList(findings), save);
}

$("#r-check").onclick = async () => {
  try {
    await prove();
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) {
      refused(error);
      return;
    }
    const words = "The shoe is still in play: its secret is revealed when it is over.";
    $("#r-proof").replaceChildren(h("p", { class: "small" }, words));
  }
};
$("#r-spots").append(...Array.from({ length: round.spots }, (_, index) => buildSpot(index + 1)));
$("#r-strip").append(...played.map(stripButton));
replay(LAST, 700, show);
