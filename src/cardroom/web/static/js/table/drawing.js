// The whole table drawn from its state.
import { showCall } from "../calling.js";
import { $, h } from "../dom.js";
import { layCards } from "../hands.js";
import { say } from "../notices.js";
import { showPurse } from "../purse.js";
import { resultLine } from "../results.js";
import { saltsText } from "../salts.js";
import { capitalized, counted, chips } from "../words.js";
import { showBar } from "./bar.js";
import { showAccount, showVerdict } from "./coach.js";
import { showCut } from "./cut.js";
import { showFloor } from "./floor.js";
import { showMenu } from "./menu.js";
import { page, roundShown, titleOf } from "./page.js";
import { phaseText, resultText } from "./phase.js";
import { showSpots } from "./spots.js";
import { showStrip } from "./strip.js";

/** So many letters have large ones in two lines of the smallest phone. */
const LONG = 60;

export function drawTable() {
  const { state } = page;
  const round = roundShown();
  showPhase();
  layCards($("#b-dealer"), `${state.round_number}-dealer`, round?.dealer ?? []);
  $("#b-dealer-total").textContent = round?.dealer_total ?? "";
  showSpots();
  showStrip();
  showBar();
  showMenu();
  showVerdict();
  showFloor();
  showCut();
  $("#b-told").replaceChildren(...state.told.slice(-40).map((line) => h("li", {}, line)));
  $("#b-told").scrollTop = 1e6;
  drawShoe();
  $("#b-renew").hidden = !(state.you.owner && state.phase === "wagers");
  drawLast();
  showCall(state.floor);
  showPurse(state.you);
}

/** What happens now, in the ribbon. */
export function showPhase() {
  const words = phaseText();
  if ($("#b-phase").textContent !== words) $("#b-phase").textContent = words;
  $("#b-phase").classList.toggle("result", Boolean(resultText()));
  $("#b-phase").classList.toggle("long", words.length > LONG);
  $("#b-clock").classList.toggle("on", Boolean(page.state.decide_by && page.state.turn));
}

/** @param {import("../types/table.js").Shoe} shoe */
function shoeWords(shoe) {
  if (shoe.endless) return "infinitely many decks";
  if (shoe.cards_left === null) return "shuffling";
  const last = shoe.last_round ? " · last round" : "";
  return `shoe ${shoe.number} · ${counted(shoe.cards_left, "card")} left${last}`;
}

function drawShoe() {
  const { shoe, meters } = page.state;
  const lines = Object.entries(meters).map(([wager, cents]) => `${titleOf(wager)}: ${chips(cents)}`);
  $("#b-shoe").textContent = shoeWords(shoe);
  drawCardsAside(shoe);
  $("#b-meters").hidden = !lines.length;
  $("#b-meters").replaceChildren(...lines.map((line) => h("span", {}, line)));
  $("#b-shoe-number").textContent = shoe.number;
  $("#b-seal").textContent = shoe.commitment ?? "the next shoe is being made";
  $("#b-cut").textContent = shoe.cut ? `${capitalized(shoe.cut)}.` : "";
  $("#b-salts").textContent = saltsText(shoe.salts);
  $("#b-check").hidden = !shoe.over;
}

/**
 * The discard rack and the shoe with its cut card.
 * @param {import("../types/table.js").Shoe} shoe
 */
function drawCardsAside({ cards, cards_left: left, discards, cut_card_at: cutAt }) {
  const share = (/** @type {number | null} */ number) => String(cards ? (number ?? 0) / cards : 0);
  const [rack, box] = [$("#b-discards"), $("#b-shoe-box")];
  rack.style.setProperty("--full", share(discards));
  rack.setAttribute("aria-label", `Discard rack: ${counted(discards, "card")}`);
  box.style.setProperty("--full", share(left));
  box.style.setProperty("--cut", share(cards && cutAt !== null ? cards - cutAt : 0));
  box.style.setProperty("--cut-card", cards && cutAt !== null ? "visible" : "hidden");
  const behind = cards && cutAt !== null ? `, ${counted(cards - cutAt, "card")} behind the cut card` : "";
  box.setAttribute("aria-label", `Shoe: ${counted(left ?? 0, "card")}${behind}`);
}

function drawLast() {
  const { last } = page.state;
  const box = $("#b-last");
  if (!last || box.dataset.shown === last.id) return;
  box.dataset.shown = last.id;
  const others = last.results
    .filter((line) => !line.you)
    .map((line) => `${line.name} ${chips(line.net_cents, { plus: true })}`);
  box.replaceChildren(
    resultLine(last) ?? "",
    others.length ? h("p", { class: "small" }, others.join(" · ")) : "",
    h("p", {}, h("a", { href: `/rounds/${last.id}` }, `Replay and share round ${last.number}`)),
  );
  if (page.state.you.result) say(`${page.state.you.result.words}.`);
  showAccount();
}
