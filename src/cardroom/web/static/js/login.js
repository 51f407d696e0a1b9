// The log-in of operators.
import { $ } from "./dom.js";
import { api } from "./server.js";
import { capitalized } from "./words.js";

$("#o-login").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const person = { name: $("#o-name").value, password: $("#o-password").value };
  try {
    await api("POST", "/operations/login", person);
    location.reload();
  } catch (error) {
    $("#o-error").textContent = `${capitalized(/** @type {Error} */ (error).message)}.`;
    $("#o-error").hidden = false;
    $("#o-password").value = "";
    $("#o-password").focus();
  }
});
