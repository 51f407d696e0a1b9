// The coach: what a decision cost, and what edge, mistakes and luck have made of the visitor's rounds.
import { $, h } from "../dom.js";
import { api } from "../server.js";
import { average } from "../words.js";
import { page, roundShown, table } from "./page.js";

const box = $("#b-coach");
box.checked = localStorage.getItem("b-coach") === "on";
box.addEventListener("change", () => {
  localStorage.setItem("b-coach", box.checked ? "on" : "off");
  $("#b-verdict").textContent = "";
});

/**
 * The hand that the verdict speaks of.
 * @type {{round: number, spot: number} | null}
 */
let judged = null;

/**
 * Tell what the decision cost, where the visitor wants to know; it names its hand and leaves with it.
 * @param {{spot: number, hand: number}} turn
 * @param {{best: string, chosen: string, cost_cents: number} | null} verdict
 */
export function judge({ spot, hand }, verdict) {
  if (!box.checked) return;
  const hands = page.state.round?.spots.find((one) => one.number === spot)?.hands.length ?? 1;
  judged = { round: page.state.round_number, spot };
  $("#b-verdict").textContent = `Spot ${spot}${hands > 1 ? `, hand ${hand}` : ""}: ${said(verdict)}`;
}

/** @param {Parameters<typeof judge>[1]} verdict what is not known at once is counted when the round is over */
function said(verdict) {
  if (!verdict) return "the coach was not ready; it counts this below.";
  const { best, chosen, cost_cents: cost } = verdict;
  if (best === chosen || cost <= 0) return `${chosen} was best.`;
  return `${best} was better; ${chosen} costs ${average(cost)} on average.`;
}

/** Take the verdict away when the hand that it speaks of is gone from the felt. */
export function showVerdict() {
  const { round_number: number } = page.state;
  const lies = judged?.round === number && roundShown()?.spots.some((one) => one.number === judged?.spot);
  if (judged && !lies) {
    judged = null;
    $("#b-verdict").textContent = "";
  }
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
