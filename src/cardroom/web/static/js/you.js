// The player's own page: chips, name, limits, breaks.
import { $, $$ } from "./dom.js";
import { thenReload, toast } from "./notices.js";
import { api, newKey } from "./server.js";

for (const button of $$("[data-chips]")) {
  button.addEventListener("click", () => {
    const wanted = { cents: Number(button.dataset.chips) };
    thenReload(api("POST", "/session/chips", wanted, { key: newKey() }), "The chips are yours.");
  });
}
$("#you-name").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  thenReload(api("PUT", "/session/name", { name: $("#name").value }), "Your name is saved.");
});

for (const input of $$("#you-limits input")) {
  input.addEventListener("change", () => {
    const text = input.value.trim();
    if (text && !/^\d{1,9}$/.test(text)) {
      toast("A limit is a whole number, or empty for none.");
      return;
    }
    const { kind, period } = input.dataset;
    const value = text === "" ? null : Number(text) * (kind === "time" ? 1 : 100);
    thenReload(api("PUT", "/session/limits", { kind, period, value }), "Your limit is noted.");
  });
}
$("#reality-minutes").addEventListener("change", () => {
  const minutes = Number($("#reality-minutes").value);
  thenReload(api("PUT", "/session/reality-check", { minutes }), "Noted.");
});

let hours = 0;
for (const button of $$("[data-break]")) {
  button.addEventListener("click", () => {
    hours = Number(button.dataset.break);
    $("#sure").showModal();
  });
}
$("#sure-no").addEventListener("click", () => $("#sure").close());
$("#sure-yes").addEventListener("click", () => {
  $("#sure").close();
  thenReload(api("POST", "/session/break", { hours }), "Your break has begun.");
});
