// A blackjack-family table: its buttons and keys, its live states.
import { $ } from "./dom.js";
import { chipByKey, isForSomethingElse, KEYS, targetOf, walksByKeyboard } from "./keys.js";
import { orTell } from "./notices.js";
import { checkProof, findingsList } from "./proof.js";
import { ownSalt } from "./salts.js";
import { api, live, newKey } from "./server.js";
import { choose } from "./table/actions.js";
import { showAccount } from "./table/coach.js";
import { drawTable } from "./table/drawing.js";
import { offerLeft } from "./table/floor.js";
import { drawWith, game, layout, page, receive, redraw, seals, table } from "./table/page.js";
import { phaseText } from "./table/phase.js";
import { act, advise, leave } from "./table/play.js";
import { add, clear, deal, repeat } from "./table/wagers.js";

drawWith(drawTable);

$("#b-check").addEventListener("click", () =>
  orTell(async () => {
    /** @type {{shoes: import("./types/proof.js").ShoeProof[]}} */
    const { shoes } = await api("GET", `/tables/${table}/shoes`);
    const proof = shoes[0];
    const seen = seals().includes(proof.commitment) ? seals() : [];
    const own = ownSalt(proof.commitment);
    const findings = await checkProof(proof, proof.cards.match(/../g) ?? [], seen, own);
    $("#b-proof").replaceChildren(findingsList(findings));
  }),
);
$("#b-renew").addEventListener("click", () =>
  orTell(async () => receive(await api("POST", `/tables/${table}/new-shoe`))),
);
$("#b-leave").addEventListener("click", leave);
$("#b-table").addEventListener("change", () => {
  location.href = `/tables/${$("#b-table").value}`;
});
$("#b-own").addEventListener("click", () =>
  orTell(async () => {
    const own = await api("POST", "/tables", { game }, { key: newKey() });
    location.href = `/tables/${own.table}`;
  }),
);

/**
 * Whether Space is for the table, and not for what has the focus.
 * @param {KeyboardEvent} event
 */
const isDeal = (event) =>
  event.code === "Space" &&
  !targetOf(event).closest("input") &&
  !(walksByKeyboard() && targetOf(event).closest("button, a, summary"));

addEventListener("keydown", (event) => {
  if (isForSomethingElse(event)) return;
  const key = event.key.toLowerCase();
  const { you, spots } = page.state;
  const option = you.options.find((one) => one.key && one.key === key);
  const spot = Number(/^Digit([1-9])$/.exec(event.code)?.[1] ?? Infinity);
  if (option) act(option);
  else if (key === KEYS.advice && you.options.length) advise();
  else if (isDeal(event)) {
    event.preventDefault();
    const button = $("#b-deal");
    if (button && !button.disabled) deal();
  } else if (spot <= spots.length) add(spot, null, event.shiftKey ? -page.chip : page.chip);
  else if (key === KEYS.repeat) repeat();
  else if (key === KEYS.clear) clear();
  else if (key === KEYS["smaller chip"] || key === KEYS["larger chip"]) {
    choose(chipByKey(layout.chips_cents, page.chip, key));
  }
});

setInterval(() => {
  const { deal_at: dealAt, decide_by: decideBy, turn } = page.state;
  if (dealAt) $("#b-phase").textContent = phaseText();
  const offer = $("#b-offer");
  if (offer) offer.textContent = offerLeft();
  const box = $("#b-clock");
  box.hidden = !decideBy || !turn;
  if (!decideBy || !turn) return;
  const share = (Date.parse(decideBy) - page.clock()) / 1000 / layout.decision_seconds;
  $("i", box).style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
}, 200);

redraw();
showAccount();
live(`/tables/${table}/live`, receive, (up) => {
  $("#b-link").hidden = up;
});
