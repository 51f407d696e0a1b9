// The replay of a Knockout 52 game, card by card, and its proof.
import { $, dataOf, h } from "./dom.js";
import { betParts, buildLayout, layCards, netOf, showChance, showStake } from "./knockout52/layout.js";
import { checkProof, findingsList } from "./proof.js";
import { replay } from "./replay.js";
import { ownSalt } from "./salts.js";
import { capitalized } from "./words.js";

/** @type {import("./types/knockout52.js").FinishedGame} */
const game = dataOf($("#round52"), "state");
/** @type {import("./types/knockout52.js").Layout} */
const layout = dataOf($("#round52"), "layout");

buildLayout(layout, game.steps[0].wagers, { rows: $("#r-rows"), alone: $("#r-atw") }, (wager) =>
  h("div", { class: "k-bet", "data-wager": wager.wager }, betParts(wager)),
);

/** @param {import("./types/knockout52.js").Event} event */
const eventLine = ({ kind, text }) => h("li", { class: kind === "paid" ? "win" : "" }, text);

/** @param {number} step */
function show(step) {
  const now = game.steps[step];
  $("#r-phase").textContent = step === 0 ? "The wagers stand." : capitalized(now.events[0].text);
  const matched = step === game.cards && game.outcome !== layout.all_the_way;
  layCards(game.card_texts.slice(0, step), { moving: step - 1, match: matched ? step - 1 : null });
  const own = game.results.find((one) => one.you);
  for (const wager of now.wagers) {
    const stake = own?.stakes[wager.wager] ?? 0;
    const settled = step === game.cards ? game.your_wagers : undefined;
    showStake(layout, wager, stake, netOf(wager, stake, settled));
    showChance(wager);
  }
  const events = game.steps.slice(0, step + 1).flatMap((one) => one.events);
  $("#r-events").replaceChildren(...events.slice(-14).map(eventLine));
}

const check = () => checkProof(game.proof, game.card_texts, [], ownSalt(game.proof.commitment));
$("#r-check").onclick = async () => {
  $("#r-proof").replaceChildren(findingsList(await check()));
};

/**
 * The keys of a record in the order of the alphabet, as the verifier writes them.
 * @param {any} value
 * @returns {any}
 */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (!value || typeof value !== "object") return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}
$("#r-save").onclick = () => {
  const record = new Blob([JSON.stringify(sorted(game.proof))], { type: "application/json" });
  h("a", { href: URL.createObjectURL(record), download: `${game.id}.json` }).click();
};
replay(game.cards, 550, show);
