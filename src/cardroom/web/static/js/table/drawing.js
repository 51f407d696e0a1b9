// The whole table drawn from its state.
import { $, $$, h } from "../dom.js";
import { walksByKeyboard } from "../keys.js";
import { say } from "../notices.js";
import { showPurse } from "../purse.js";
import { resultLine } from "../results.js";
import { saltsText } from "../salts.js";
import { capitalized, counted, chips } from "../words.js";
import { showActions } from "./actions.js";
import { showAccount } from "./coach.js";
import { showFloor } from "./floor.js";
import { page, titleOf } from "./page.js";
import { phaseText } from "./phase.js";
import { layCards, spotBox } from "./spots.js";

export function drawTable() {
  const { state } = page;
  $(".b-table").classList.toggle("playing", state.phase === "round");
  $("#b-phase").textContent = phaseText();
  layCards($("#b-dealer"), `${state.round_number}-dealer`, state.round?.dealer ?? []);
  $("#b-dealer-total").textContent = state.round?.dealer_total ?? "";
  drawSpots();
  showActions();
  showFloor();
  $("#b-told").replaceChildren(...state.told.slice(-40).map((line) => h("li", {}, line)));
  $("#b-told").scrollTop = 1e6;
  drawShoe();
  $("#b-renew").hidden = !(state.you.owner && state.phase === "wagers");
  drawLast();
  showPurse(state.you);
}

/** The spots; who walks by keyboard keeps the place. */
function drawSpots() {
  const focused = document.activeElement;
  const spot = /** @type {HTMLElement | null} */ (focused?.closest(".b-spot"))?.dataset.spot;
  const label = focused?.getAttribute("aria-label")?.split(":")[0];
  $("#b-spots").replaceChildren(...page.state.spots.map(spotBox));
  if (!spot || !label || !walksByKeyboard()) return;
  const buttons = $$(`.b-spot[data-spot="${spot}"] button`);
  buttons.find((button) => button.getAttribute("aria-label").startsWith(label))?.focus();
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
  $("#b-meters").hidden = !lines.length;
  $("#b-meters").textContent = lines.join(" · ");
  $("#b-shoe-number").textContent = shoe.number;
  $("#b-seal").textContent = shoe.commitment ?? "the next shoe is being made";
  $("#b-cut").textContent = shoe.cut ? `${capitalized(shoe.cut)}.` : "";
  $("#b-salts").textContent = saltsText(shoe.salts);
  $("#b-check").hidden = !shoe.over;
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
  if (last.your_net_cents !== null) {
    say(`Round over. Your result ${chips(last.your_net_cents, { plus: true })}.`);
  }
  showAccount();
}
