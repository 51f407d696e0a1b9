// On every page: the purse in the head, the reality check, and keys for what scrolls.
import "./scrolling.js";
import { $ } from "./dom.js";
import { orTell } from "./notices.js";
import { showPurse } from "./purse.js";
import { api } from "./server.js";

const menu = $("#menu");
menu?.addEventListener("click", () => {
  menu.setAttribute("aria-expanded", String(menu.getAttribute("aria-expanded") !== "true"));
});

$("[data-reality=on]")?.addEventListener("click", () =>
  orTell(async () => {
    showPurse(await api("POST", "/session/reality-check"));
    $("#reality").close();
  }),
);
setInterval(async () => {
  if (document.hidden) return;
  try {
    showPurse(await api("GET", "/session"));
  } catch {
    // shown again at the next turn
  }
}, 30000);
