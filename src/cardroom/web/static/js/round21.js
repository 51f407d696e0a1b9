// The replay of a round of the blackjack family, step by step, and its proof.
import { card, fanned } from "./cards.js";
import { $, given, h } from "./dom.js";
import { handBox } from "./hands.js";
import { refused } from "./notices.js";
import { checkProof, findingsList } from "./proof.js";
import { replay } from "./replay.js";
import { ownSalt } from "./salts.js";
import { api, Refused } from "./server.js";
import { capitalized } from "./words.js";

/** @type {import("./types/table.js").FinishedRound} */
const round = given($("#round21"), "state");

/** @param {import("./types/table.js").Hand} hand */
function handOf(hand) {
  const cards = hand.cards.map((text, index) => card(text, { sideways: index < hand.sideways }));
  const fan = h("div", { class: "b-fan" }, fanned(cards));
  return handBox(hand, fan, { turn: hand.turn, total: cards.length ? hand.total : "" });
}

/** @param {number} step */
function show(step) {
  const { round: now, events } = round.steps[step];
  $("#r-phase").textContent = capitalized(events[0] ?? "");
  $("#r-total").textContent = now.dealer_total;
  $("#r-dealer").replaceChildren(...now.dealer.map((text) => card(text)));
  const spots = now.spots.map((spot) =>
    h(
      "div",
      { class: "b-spot full" },
      h("div", { class: "b-hands" }, spot.hands.map(handOf)),
      h("span", { class: "b-who" }, `Spot ${spot.number} · ${spot.player}`),
    ),
  );
  $("#r-spots").replaceChildren(...spots);
  const told = round.steps.slice(0, step + 1).flatMap((one) => one.events);
  $("#r-events").replaceChildren(...told.map((text) => h("li", {}, text)));
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
replay(round.steps.length - 1, 700, show);
