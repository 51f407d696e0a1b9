// The log-in of operators.
import { $, api } from "./lib.js";

$("#o-login").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await api("POST", "/operations/login", { name: $("#o-name").value, password: $("#o-password").value });
    location.reload();
  } catch (error) {
    $("#o-error").textContent = `${error.message.charAt(0).toUpperCase() + error.message.slice(1)}.`;
    $("#o-error").hidden = false;
    $("#o-password").value = "";
    $("#o-password").focus();
  }
});
