// The coach: what a decision cost, and what edge, mistakes and luck have made of the visitor's rounds.
import { $, h } from "../dom.js";
import { walksByKeyboard } from "../keys.js";
import { api } from "../server.js";
import { average } from "../words.js";
import { page, table } from "./page.js";

const box = $("#b-coach");
box.checked = localStorage.getItem("b-coach") === "on";
box.addEventListener("change", () => {
  localStorage.setItem("b-coach", box.checked ? "on" : "off");
  $("#b-verdict").textContent = "";
  if (!walksByKeyboard()) box.blur();
});

/**
 * Tell what the decision cost, where the visitor wants to know.
 * @param {string} place which hand it was
 * @param {{best: string, chosen: string, cost_cents: number} | null} verdict
 */
export function judge(place, verdict) {
  if (!box.checked || !verdict) return;
  const { best, chosen, cost_cents: cost } = verdict;
  const words =
    best === chosen || cost <= 0
      ? `${chosen} was best.`
      : `${best} was better; ${chosen} costs ${average(cost)} on average.`;
  $("#b-verdict").textContent = `${place}: ${words}`;
}

/** Edge, mistakes and luck of the rounds so far. */
export async function showAccount() {
  if (!page.state.you.seated) return;
  /** @type {import("../types/table.js").Account} */
  let account;
  try {
    account = await api("GET", `/tables/${table}/coach`);
  } catch {
    return; // told after the next round
  }
  if (!account.rounds) return;
  const money = (/** @type {number} */ cents) => average(cents, { plus: true });
  const lines = [
    ["Rounds", String(account.rounds)],
    ["The house's edge on your wagers", money(account.expected_cents)],
    [`Mistakes (${account.mistakes} of ${account.judged} decisions)`, money(-account.mistakes_cents)],
    ["Luck", money(account.luck_cents)],
    ["Result on hands and insurance", money(account.net_cents)],
  ];
  const rows = lines.map(([name, value]) => h("tr", {}, h("td", {}, name), h("td", { class: "num" }, value)));
  $("#b-account").replaceChildren(
    h("table", {}, h("tbody", {}, rows)),
    h(
      "p",
      { class: "tiny soft" },
      "Edge and mistakes are exact averages for a fresh shoe; luck is what is left.",
    ),
  );
}
