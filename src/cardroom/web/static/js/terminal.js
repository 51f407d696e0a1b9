// The terminal: buy, choose, make final; check and claim.
import { $, $$ } from "./dom.js";
import { refused, say } from "./notices.js";
import { buy, countedMoment, firstDraw, refresh, showHouse } from "./terminal/buying.js";
import "./terminal/checking.js";
import { choosing, lookAfterClose, makeFinal, showPurchase } from "./terminal/choosing.js";
import { refreshOwn } from "./terminal/own.js";
import { page, timeLeft } from "./terminal/page.js";

$("#t-buy").addEventListener("click", async () => {
  const draw = firstDraw();
  if (!draw) return;
  $("#t-buy").disabled = true;
  try {
    page.purchase = await buy(draw);
    showPurchase();
    $("#t-final").focus();
    refreshOwn();
    say("Bought. Your hands are shown with the charts' choices.");
  } catch (error) {
    refused(error);
    $("#t-buy").disabled = false;
    refresh();
  }
});
$("#t-final").addEventListener("click", async () => {
  $("#t-final").disabled = true;
  try {
    await makeFinal();
  } catch (error) {
    refused(error);
    $("#t-final").disabled = false;
  }
});

showHouse();
if (page.purchase) showPurchase();

/** @param {string} moment */
const isPast = (moment) => Date.parse(moment) <= page.clock();
let looking = false;
setInterval(async () => {
  for (const box of $$("[data-closes]")) box.textContent = timeLeft(box.dataset.closes);
  const count = $("#t-count");
  const until = countedMoment();
  if (count && until) count.textContent = timeLeft(until);
  if (looking) return;
  looking = true;
  if (count && until && isPast(until)) await refresh();
  if (choosing().some((ticket) => isPast(ticket.closes_at))) await lookAfterClose();
  looking = false;
}, 500);
setInterval(refresh, 5000);
