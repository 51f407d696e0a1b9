// A player at a table calls the floor, and reads what came of it.
import { $ } from "./dom.js";
import { orTell } from "./notices.js";
import { api } from "./server.js";

/** @typedef {{by: string, at: string, reason: string}} Said */
/** @typedef {{open: boolean, yours: Said | null, answer: Said | null}} FloorCall */

/** @param {FloorCall} floor */
function words({ open, yours, answer }) {
  if (yours) return `You have called the floor: ${yours.reason}`;
  if (open) return "Somebody at this table has called the floor.";
  if (answer) return `The floor answered your call: ${answer.reason}`;
  return "Something is not right? Say what it is: somebody of the house comes and looks at the record.";
}

/** @param {FloorCall} floor */
export function showCall(floor) {
  const text = words(floor);
  if ($("#call-words").textContent !== text) $("#call-words").textContent = text;
  $("#call-open").disabled = floor.open;
}

/** @param {string} table */
export function offerCall(table) {
  const dialog = $("#call-form");
  $("#call-open").addEventListener("click", () => dialog.showModal());
  $("#call-no").addEventListener("click", () => dialog.close());
  dialog.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    orTell(async () => {
      const answer = await api("POST", `/floor/${table}/call`, { reason: $("#call-reason").value });
      dialog.close();
      $("#call-reason").value = "";
      showCall(answer.call);
    });
  });
}
