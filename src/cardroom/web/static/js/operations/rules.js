// Rules of a table, as a form: every option as it is now; what is changed is announced.
import { inputOf, label, valueIn } from "../controls.js";
import { $, $$, h } from "../dom.js";
import { orTell, thenReload } from "../notices.js";
import { api } from "../server.js";

/** @typedef {import("../types/lab.js").Control} Control */
/** @typedef {import("../types/lab.js").OptionValue} OptionValue */

/** @type {Record<string, OptionValue>} */
let changes = {};

const path = () => `/operations/tables/${$("#o-rules-table").value}/rules`;

/** @param {Control} one */
function line(one) {
  const id = `o-rule-${one.key}`;
  const input = inputOf(one, id);
  const before = JSON.stringify(valueIn(one, input));
  const box = h(
    "div",
    { class: "o-option", title: one.words },
    h("label", { for: id }, label(one)),
    input,
    h("span", { class: "clause" }, one.clause ?? ""),
  );
  input.addEventListener("input", () => {
    const value = valueIn(one, input);
    if (JSON.stringify(value) === before) delete changes[one.key];
    else changes[one.key] = value;
    box.classList.toggle("changed", one.key in changes);
    showCount();
  });
  return box;
}

function showCount() {
  const count = Object.keys(changes).length;
  const table = $("#o-rules-table").selectedOptions[0].dataset.name;
  $("#o-announce").textContent = count
    ? `Announce ${count} change${count === 1 ? "" : "s"} at ${table}`
    : "Announce";
  $("#o-announce").disabled = !count;
}

/** @param {Control[]} controls */
function show(controls) {
  /** @type {Map<string, Control[]>} */
  const groups = new Map();
  for (const one of controls) groups.set(one.group_title, [...(groups.get(one.group_title) ?? []), one]);
  const boxes = [...groups].map(([title, own]) =>
    h("details", {}, h("summary", {}, title), h("div", { class: "o-options" }, own.map(line))),
  );
  $("#o-rules-options").replaceChildren(...boxes);
}

const choose = () =>
  orTell(async () => {
    changes = {};
    $("#o-rules-options").replaceChildren();
    $("#o-take-back").hidden = true;
    if (!$("#o-rules-table").value) return;
    /** @type {{controls: Control[], announced: boolean}} */
    const { controls, announced } = await api("GET", path());
    show(controls);
    $("#o-take-back").hidden = !announced;
    showCount();
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
