// The Knockout 52 table: its layout, buttons and keys, its live states.
import { offerCall } from "./calling.js";
import { $, $$, h } from "./dom.js";
import { chipByKey, isDealKey, isForSomethingElse, KEYS, showKeys } from "./keys.js";
import { drawTable, phaseText } from "./knockout52/drawing.js";
import { betParts, buildLayout } from "./knockout52/layout.js";
import {
  add,
  address,
  chipInHand,
  deal,
  drawWith,
  layout,
  page,
  place,
  receive,
  redraw,
  table,
} from "./knockout52/page.js";
import { orTell } from "./notices.js";
import { api, live, newKey } from "./server.js";
import { chips } from "./words.js";

/**
 * The button of a wager: a click puts a chip on it, with Shift or the other button it is taken off.
 * @param {import("./types/knockout52.js").WagerView} wager
 * @param {number} number
 */
const betButton = (wager, number) =>
  h(
    "button",
    {
      class: "k-bet",
      type: "button",
      "data-wager": wager.wager,
      click: (event) => add(wager.wager, event.shiftKey ? -page.chip : chipInHand()),
      contextmenu: (event) => {
        event.preventDefault();
        add(wager.wager, -page.chip);
      },
    },
    betParts(wager),
    h("kbd", { class: "sr" }, String(number)),
  );
buildLayout(layout, page.state.wagers, { rows: $("#k-rows"), alone: $("#k-atw") }, betButton);

const chipRow = $(".k-chips");
for (const cents of layout.chips_cents) {
  const attributes = {
    class: "chip",
    type: "button",
    role: "radio",
    "data-cents": cents,
    "aria-label": `${chips(cents)} chip`,
    click: () => choose(cents),
  };
  chipRow.append(h("button", attributes, String(cents / 100)));
}
/** @param {number} cents */
function choose(cents) {
  page.chip = cents;
  for (const button of $$(".chip", chipRow)) {
    const on = Number(button.dataset.cents) === cents;
    button.setAttribute("aria-checked", on);
    button.tabIndex = on ? 0 : -1;
  }
}
choose(page.chip);
drawWith(drawTable);
offerCall(table);

const repeat = () => {
  if (page.lastStakes) place(page.lastStakes);
};
const takeBack = () => {
  page.taking = !page.taking;
  redraw();
};
$("#k-deal").addEventListener("click", deal);
$("#k-clear").addEventListener("click", () => place({}));
$("#k-repeat").addEventListener("click", repeat);
$("#k-take").addEventListener("click", takeBack);
$("#k-table").addEventListener("change", () => {
  location.href = `${address}/${$("#k-table").value}`;
});
$("#k-own").addEventListener("click", () =>
  orTell(async () => {
    const wanted = { decks: Number($("#k-decks").value) };
    const own = await api("POST", `${address}/tables`, wanted, { key: newKey() });
    location.href = `${address}/${own.table}`;
  }),
);

/**
 * What a key does, the same as at every game.
 * @type {Record<string, () => void>}
 */
const BY_KEY = {
  [KEYS.keys]: showKeys,
  [KEYS.clear]: () => $("#k-clear").click(),
  [KEYS.repeat]: () => $("#k-repeat").click(),
  [KEYS["take back"]]: () => $("#k-take").click(),
  [KEYS["smaller chip"]]: () => choose(chipByKey(layout.chips_cents, page.chip, KEYS["smaller chip"])),
  [KEYS["larger chip"]]: () => choose(chipByKey(layout.chips_cents, page.chip, KEYS["larger chip"])),
};

addEventListener("keydown", (event) => {
  if (isForSomethingElse(event)) return;
  const digit = /^Digit([1-9])$/.exec(event.code);
  const wager = digit && page.state.wagers[Number(digit[1]) - 1];
  if (wager) {
    event.preventDefault();
    add(wager.wager, event.shiftKey ? -page.chip : chipInHand());
  } else if (isDealKey(event)) {
    event.preventDefault();
    if (!$("#k-deal").disabled) deal();
  } else BY_KEY[event.key.toLowerCase()]?.();
});

setInterval(() => {
  if (page.state.deal_at) $("#k-phase").textContent = phaseText();
}, 250);
redraw();
live(`${address}/tables/${table}/live`, receive, (up) => {
  $("#k-link").hidden = up;
});
