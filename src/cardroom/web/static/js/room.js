// On every page: the purse in the head, and the reality check.
import { $, api, refused, showPurse } from "./lib.js";

$("[data-reality=on]")?.addEventListener("click", async () => {
  try {
    showPurse(await api("POST", "/session/reality-check"));
    $("#reality").close();
  } catch (error) {
    refused(error);
  }
});
const refresh = async () => {
  if (!document.hidden) {
    try {
      showPurse(await api("GET", "/session"));
    } catch {
      /* shown again at the next turn */
    }
  }
};
setInterval(refresh, 30000);
