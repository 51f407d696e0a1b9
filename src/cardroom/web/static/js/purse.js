// The purse in the head of every page, and the reality check.
import { $ } from "./dom.js";
import { chips, counted, tone } from "./words.js";

/**
 * Show chips, time and result, and the reality check when it is due.
 * @param {import("./types/purse.js").Purse} you
 */
export function showPurse(you) {
  const purse = $("#purse");
  if (!purse) return;
  const net = chips(you.session_net_cents, { plus: true });
  $("[data-purse=chips]", purse).textContent = chips(you.chips_cents);
  $("[data-purse=time]", purse).textContent = `${you.session_minutes} min`;
  $("[data-purse=net]", purse).textContent = net;
  $("[data-purse=net]", purse).className = tone(you.session_net_cents);
  $(".purse-play", purse).hidden = !you.in_play_cents;
  $("[data-purse=play]", purse).textContent = chips(you.in_play_cents);
  const dialog = $("#reality");
  if (!you.reality_check || dialog.open) return;
  $("[data-reality=minutes]", dialog).textContent = counted(you.session_minutes, "minute");
  $("[data-reality=net]", dialog).textContent = net;
  $("[data-reality=play]", dialog).textContent = you.in_play_cents
    ? `, with ${chips(you.in_play_cents)} in play`
    : "";
  dialog.showModal();
}
