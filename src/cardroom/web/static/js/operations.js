// Operations: close and open, announce rules, people; draws and the log have modules of their own.
import { $ } from "./dom.js";
import { refused, thenReload } from "./notices.js";
import "./operations/draws.js";
import "./operations/log.js";
import "./operations/rules.js";
import { api } from "./server.js";

$("#o-logout").addEventListener("click", () =>
  api("POST", "/operations/logout")
    .then(() => location.reload())
    .catch(refused),
);
const what = $("#o-what");
const chosen = () => what.selectedOptions[0];
const isClosing = () => chosen().dataset.off === "yes";
const nameButton = () => {
  const { name } = chosen().dataset;
  $("#o-do").textContent = name ? `${isClosing() ? "Close" : "Open"} ${name}` : "Close or open";
};
what?.addEventListener("change", nameButton);
if (what?.value) nameButton(); // it was chosen before this module was there
const close = () => {
  const wanted = { what: what.value, off: isClosing(), reason: $("#o-reason").value };
  thenReload(api("POST", "/operations/switches", wanted), isClosing() ? "Closed." : "Open again.");
};
$("#o-switch")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  if (!isClosing() || what.value !== "all") return close();
  $("#o-again-reason").textContent = $("#o-reason").value;
  $("#o-again").showModal();
});
$("#o-again")?.addEventListener("close", () => {
  if ($("#o-again").returnValue === "yes") close();
  $("#o-again").returnValue = "";
});
/**
 * The second person of an act, as the fields of a form name them.
 * @param {string} name
 * @param {string} password
 * @param {string} code
 */
function second(name, password, code) {
  const person = { name: $(name).value, password: $(password).value };
  return $(code).value.trim() ? { ...person, code: $(code).value.trim() } : person;
}

$("#o-trust")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  /** @type {Record<string, unknown>} */
  const wanted = { reason: $("#o-trust-reason").value };
  if ($("#o-trust-name")) {
    wanted.second = second("#o-trust-name", "#o-trust-password", "#o-trust-code");
  }
  thenReload(api("POST", "/operations/clock", wanted), "Sales are open again.");
});
$("#o-appoint")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  /** @type {Record<string, unknown>} */
  const person = {
    name: $("#o-new-name").value,
    role: $("#o-new-role").value,
    password: $("#o-new-password").value,
  };
  if ($("#o-new-second").value.trim()) {
    person.second = second("#o-new-second", "#o-new-second-password", "#o-new-second-code");
  }
  thenReload(api("PUT", "/operations/operators", person), "Appointed.");
});
$("#o-password").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const passwords = { old: $("#o-old").value, new: $("#o-new").value };
  thenReload(api("PUT", "/operations/password", passwords), "Changed; log in again.");
});

/** @type {string} */
let sealed = "";
$("#o-factor-begin")?.addEventListener("click", () =>
  api("POST", "/operations/second-factor")
    .then((factor) => {
      sealed = factor.sealed;
      $("#o-factor-picture").src = factor.picture;
      $("#o-factor-secret").textContent = factor.secret.match(/.{1,4}/g).join(" ");
      $("#o-factor").hidden = false;
      $("#o-factor-code").focus();
    })
    .catch(refused),
);
$("#o-factor")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const factor = { sealed, code: $("#o-factor-code").value.trim() };
  thenReload(api("PUT", "/operations/second-factor", factor), "Codes are asked for from now on.");
});
