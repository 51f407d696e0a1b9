// Rules of a table, as a form: every option as it is now; what is changed is announced.
import { $, $$ } from "../dom.js";
import { orTell, thenReload } from "../notices.js";
import { api } from "../server.js";
import { optionsForm } from "./options.js";

/** @type {Record<string, import("../types/lab.js").OptionValue>} */
let changes = {};

const path = () => `/operations/tables/${$("#o-rules-table").value}/rules`;

/** @param {number} count */
function showCount(count) {
  const table = $("#o-rules-table").selectedOptions[0].dataset.name;
  $("#o-announce").textContent = count
    ? `Announce ${count} change${count === 1 ? "" : "s"} at ${table}`
    : "Announce";
  $("#o-announce").disabled = !count;
}

const choose = () =>
  orTell(async () => {
    changes = {};
    $("#o-rules-options").replaceChildren();
    $("#o-take-back").hidden = true;
    if (!$("#o-rules-table").value) return;
    /** @type {{controls: import("../types/lab.js").Control[], announced: boolean}} */
    const { controls, announced } = await api("GET", path());
    changes = optionsForm($("#o-rules-options"), controls, showCount);
    $("#o-take-back").hidden = !announced;
    showCount(0);
  });
$("#o-rules-table")?.addEventListener("change", choose);
if ($("#o-rules-table")?.value) choose(); // it was chosen before this module was there
$("#o-rules")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const wanted = { options: changes, reason: $("#o-rules-reason").value };
  thenReload(api("PUT", path(), wanted), "Announced.");
});
$("#o-take-back")?.addEventListener("click", () => {
  if (!$("#o-rules").reportValidity()) return;
  thenReload(api("PUT", path(), { reason: $("#o-rules-reason").value }), "Taken back.");
});
for (const button of $$("#o-announce")) button.disabled = true;
