// The player's own page: chips, name, limits, breaks.
import { $, $$, api, newKey, refused, toast } from "./lib.js";

const then = (request, words) =>
  request
    .then(() => {
      toast(words);
      setTimeout(() => location.reload(), 700);
    })
    .catch(refused);
for (const button of $$("[data-chips]")) {
  button.addEventListener("click", () =>
    then(
      api("POST", "/session/chips", { cents: Number(button.dataset.chips) }, { key: newKey() }),
      "The chips are yours.",
    ),
  );
}
$("#you-name").addEventListener("submit", (event) => {
  event.preventDefault();
  then(api("PUT", "/session/name", { name: $("#name").value }), "Your name is saved.");
});
for (const input of $$("#you-limits input")) {
  input.addEventListener("change", () => {
    const text = input.value.trim();
    if (text && !/^\d{1,9}$/.test(text)) {
      toast("A limit is a whole number, or empty for none.");
      return;
    }
    const value = text === "" ? null : Number(text) * (input.dataset.kind === "time" ? 1 : 100);
    then(
      api("PUT", "/session/limits", { kind: input.dataset.kind, period: input.dataset.period, value }),
      "Your limit is noted.",
    );
  });
}
$("#reality-minutes").addEventListener("change", (event) =>
  then(api("PUT", "/session/reality-check", { minutes: Number(event.target.value) }), "Noted."),
);
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
  then(api("POST", "/session/break", { hours }), "Your break has begun.");
});
