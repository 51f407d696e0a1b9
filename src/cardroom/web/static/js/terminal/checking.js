// Check a ticket, claim its prize.
import { $ } from "../dom.js";
import { orTell } from "../notices.js";
import { api, newKey } from "../server.js";
import { chips } from "../words.js";
import { address } from "./page.js";

/** @typedef {import("../types/knockout21.js").Answer} Answer */

/** @type {Record<string, string>} */
const WORDS = {
  "not found": "No ticket has this number.",
  "not yet drawn": "Its draw is not over yet.",
  "no prize": "No prize this time.",
  "paid already": "Its prize was paid already.",
  expired: "Its prize has expired.",
  "void print": "This print is not valid: the ticket was altered or printed anew, or the code is wrong.",
  stopped: "This ticket was reported lost and is stopped. Ask at the desk.",
  "waits for approval": "A large prize: it is paid when the house has approved it. Claim it again then.",
  "not approved": "The house has not approved this prize. Ask at the desk.",
};

/**
 * Ask about the ticket whose number is written here.
 * @param {(ticket: object) => Promise<Answer>} request
 * @param {(prize: string) => string} prizeWords
 */
const ask = (request, prizeWords) =>
  orTell(async () => {
    const number = $("#t-number").value;
    if (!number) return;
    const answer = await request({ control_number: number, code: $("#t-code").value.trim() });
    const isPrize = answer.verdict === "prize";
    $("#t-answer").textContent = isPrize ? prizeWords(chips(answer.prize_cents)) : WORDS[answer.verdict];
  });

$("#t-check").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  ask(
    (ticket) => api("POST", `${address}/check`, ticket),
    (prize) => `A prize of ${prize}.`,
  );
});
$("#t-claim").addEventListener("click", () =>
  ask(
    (ticket) => api("POST", `${address}/claims`, ticket, { key: newKey() }),
    (prize) => `Paid: ${prize} in chips.`,
  ),
);
