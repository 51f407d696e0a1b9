// The log-in of operators: a password, a code where one is set up, and a password of one's own the first time.
import { $ } from "./dom.js";
import { api } from "./server.js";
import { capitalized } from "./words.js";

/** @param {string} place @param {unknown} error */
function complain(place, error) {
  $(place).textContent = `${capitalized(/** @type {Error} */ (error).message)}.`;
  $(place).hidden = false;
}

const person = () => {
  const code = $("#o-code").value.trim();
  return { name: $("#o-name").value, password: $("#o-password").value, ...(code ? { code } : {}) };
};

$("#o-login").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  try {
    const login = await api("POST", "/operations/login", person());
    if (!login.choose_password) {
      location.reload();
      return;
    }
    $("#o-login").hidden = true;
    $("#o-choose").hidden = false;
    $("#o-chosen").focus();
  } catch (error) {
    complain("#o-error", error);
    if (/** @type {{kind?: string}} */ (error).kind === "code_needed") {
      $("#o-code-field").hidden = false;
      $("#o-code").focus();
      return;
    }
    $("#o-password").value = "";
    $("#o-password").focus();
  }
});

$("#o-choose").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const chosen = $("#o-chosen").value;
  try {
    await api("PUT", "/operations/password", { old: $("#o-password").value, new: chosen });
    await api("POST", "/operations/login", { ...person(), password: chosen });
    location.reload();
  } catch (error) {
    complain("#o-choose-error", error);
  }
});
