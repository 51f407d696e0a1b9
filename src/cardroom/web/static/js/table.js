// A blackjack-family table: its buttons and keys, its live states.
import { offerCall } from "./calling.js";
import { $ } from "./dom.js";
import { chipByKey, isDealKey, isForSomethingElse, KEYS, showKeys } from "./keys.js";
import { orTell } from "./notices.js";
import { checkProof, findingsList } from "./proof.js";
import { ownSalt } from "./salts.js";
import { api, live } from "./server.js";
import { choose, takeBack } from "./table/bar.js";
import { showAccount } from "./table/coach.js";
import { drawTable, showPhase } from "./table/drawing.js";
import { offerLeft } from "./table/floor.js";
import { openMenu } from "./table/menu.js";
import {
  chipInHand,
  drawWith,
  frontSpot,
  layout,
  page,
  receive,
  redraw,
  seals,
  table,
} from "./table/page.js";
import "./table/own.js";
import { act, advise, leave } from "./table/play.js";
import { add, clear, deal, repeat } from "./table/wagers.js";

drawWith(drawTable);
offerCall(table);

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
$("#b-posted-open").addEventListener("click", () => $("#b-posted").showModal());

/**
 * What a key does that is no decision on a hand.
 * @type {Record<string, () => void>}
 */
const BY_KEY = {
  [KEYS.keys]: showKeys,
  [KEYS.repeat]: repeat,
  [KEYS.clear]: clear,
  [KEYS["take back"]]: takeBack,
  [KEYS.spot]: () => openMenu(frontSpot()),
  [KEYS["smaller chip"]]: () => choose(chipByKey(layout.chips_cents, page.chip, KEYS["smaller chip"])),
  [KEYS["larger chip"]]: () => choose(chipByKey(layout.chips_cents, page.chip, KEYS["larger chip"])),
};

addEventListener("keydown", (event) => {
  if (isForSomethingElse(event)) return;
  const key = event.key.toLowerCase();
  const { you, spots } = page.state;
  const option = you.options.find((one) => one.key && one.key === key);
  const spot = Number(/^Digit([1-9])$/.exec(event.code)?.[1] ?? Infinity);
  if (option) act(option);
  else if (key === KEYS.advice && you.options.length) advise();
  else if (isDealKey(event)) {
    event.preventDefault();
    if (!$("#b-deal").disabled) deal();
  } else if (spot <= spots.length) add(spot, null, event.shiftKey ? -page.chip : chipInHand());
  else BY_KEY[key]?.();
});

setInterval(() => {
  const { deal_at: dealAt, decide_by: decideBy, turn } = page.state;
  if (dealAt) showPhase();
  const offer = $("#b-offer");
  if (offer) offer.textContent = offerLeft();
  const box = $("#b-clock");
  if (!decideBy || !turn) return;
  const share = (Date.parse(decideBy) - page.clock()) / 1000 / layout.decision_seconds;
  $("i", box).style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
}, 200);

redraw();
showAccount();
live(`/tables/${table}/live`, receive, (up) => {
  $("#b-link").hidden = up;
});
