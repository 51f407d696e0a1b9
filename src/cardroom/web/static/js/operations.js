// Operations: close and open, announce rules, people; draws and the log have modules of their own.
import { $ } from "./dom.js";
import { refused, thenReload } from "./notices.js";
import "./operations/draws.js";
import "./operations/log.js";
import { api } from "./server.js";

$("#o-logout").addEventListener("click", () =>
  api("POST", "/operations/logout")
    .then(() => location.reload())
    .catch(refused),
);
$("#o-switch")?.addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const off = event.submitter?.dataset.off === "yes";
  const what = $("#o-what").value;
  if (off && what === "all" && !confirm("Close the whole house, every game and every table?")) return;
  const wanted = { what, off, reason: $("#o-reason").value };
  thenReload(api("POST", "/operations/switches", wanted), off ? "Closed." : "Open again.");
});
$("#o-trust")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  /** @type {Record<string, unknown>} */
  const wanted = { reason: $("#o-trust-reason").value };
  if ($("#o-trust-name")) {
    const code = $("#o-trust-code").value.trim();
    const person = { name: $("#o-trust-name").value, password: $("#o-trust-password").value };
    wanted.second = code ? { ...person, code } : person;
  }
  thenReload(api("POST", "/operations/clock", wanted), "Sales are open again.");
});
$("#o-rules")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const changes = $("#o-rules-changes").value.split(/\s+/).filter(Boolean);
  const path = `/operations/tables/${$("#o-rules-table").value}/rules`;
  const request = api("PUT", path, { changes, reason: $("#o-rules-reason").value });
  thenReload(request, changes.length ? "Announced." : "Taken back.");
});
$("#o-appoint")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const person = {
    name: $("#o-new-name").value,
    role: $("#o-new-role").value,
    password: $("#o-new-password").value,
  };
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
