// The terminal: buy, choose, print; check and claim.
import { $, api, card, dollars, h, newKey, refused, say, serverClock, toast } from "./lib.js";
import { hands } from "./hands21.js";

let state = JSON.parse($("#terminal").dataset.state), clock = serverClock(state.now);
let tickets = 1, draws = 1, purchase = null, changes = {};
const two = (number) => String(number).padStart(2, "0");
export const left = (moment) => { const seconds = Math.max(0, Math.floor((Date.parse(moment) - clock()) / 1000)); return seconds >= 3600 ? `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}` : `${Math.floor(seconds / 60)}:${two(seconds % 60)}`; };

function segment(box, most, get, set) {
  const draw = () => $(box).replaceChildren(...Array.from({ length: most }, (_, index) => h("button", { class: "btn", type: "button", "aria-pressed": String(get() === index + 1), click: () => { set(index + 1); draw(); price(); } }, String(index + 1))));
  draw();
}
const price = () => { $("#t-buy").textContent = `Buy for ${dollars(tickets * draws * state.price_cents)}`; };
segment("#t-tickets", 3, () => tickets, (value) => { tickets = value; });
segment("#t-draws", 3, () => draws, (value) => { draws = value; });

function next() {
  const draw = state.on_sale[0];
  $("#t-buy").disabled = !draw;
  if (!draw) { $("#t-next").replaceChildren(h("p", {}, "No draw is on sale now. Tickets are sold from 6:00 to 23:00 Pacific time.")); return; }
  $("#t-next").replaceChildren(h("div", { class: "t-next" }, h("div", {}, h("p", { class: "m-label" }, `Draw ${draw.draw} · sales close in`), h("div", { class: "t-count", id: "t-count" }, left(draw.closes_at)), h("p", { class: "tiny soft" }, `${draw.tickets} tickets in it so far`)),
    h("div", {}, h("p", { class: "m-label" }, "Dealer's first cards of Game 2"), h("div", { class: "t-firsts" }, draw.first_cards.map((text) => card(text))))));
}
function last() {
  if (!state.last.length) { $("#t-last").replaceChildren(h("p", { class: "soft" }, "No draw has been shown yet.")); return; }
  $("#t-last").replaceChildren(h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["Draw", "Tickets", "Game 1", "Game 2", "Game 3", ""].map((name) => h("th", { class: "num" }, name)))),
    h("tbody", {}, state.last.slice(0, 6).map((draw) => h("tr", {}, h("td", { class: "num" }, String(draw.draw)), h("td", { class: "num" }, String(draw.tickets)), draw.games.map((game) => h("td", { class: "num" }, game.winners ? `${game.winners} × ${dollars(game.prize_cents)}` : "none")), h("td", {}, h("a", { href: `/api/v1/knockout-21/draws/${draw.draw}/record` }, "record"))))))));
}
async function refresh() {
  if (document.hidden) return;
  try { state = await api("GET", "/knockout-21/draws"); clock = serverClock(state.now); next(); last(); } catch { /* again at the next turn */ }
}

$("#t-buy").addEventListener("click", async () => {
  $("#t-buy").disabled = true;
  try {
    const bought = await api("POST", "/knockout-21/purchases", { tickets_per_draw: tickets, draws }, { key: newKey() });
    purchase = bought; changes = Object.fromEntries(bought.tickets.map((ticket) => [ticket.id, {}]));
    $("#t-hands").replaceChildren(...bought.tickets.map((ticket) => h("div", { class: "t-ticket" }, h("p", {}, h("b", {}, `Draw ${ticket.draw}`), ` · ticket ${ticket.id.slice(0, 8)}`), hands(ticket, changes[ticket.id], { editable: true }))));
    $("#t-order").hidden = true; $("#t-choose").hidden = false;
    $("#t-print").textContent = bought.tickets.length > 1 ? `Print ${bought.tickets.length} tickets` : "Print the ticket";
    $("#t-print").focus(); say("Bought. Your hands are shown with the charts' choices.");
  } catch (error) { refused(error); next(); }
});
$("#t-print").addEventListener("click", async () => {
  try {
    const printed = await api("POST", `/knockout-21/purchases/${purchase.purchase}/choices`, { overrides: changes }, { key: newKey() });
    const late = printed.tickets.filter((ticket) => !ticket.accepted).length;
    if (late) { toast(`Sales closed before the choices of ${late} ticket${late > 1 ? "s" : ""}: the charts' choices stand.`, "KO21-2.8"); await new Promise((done) => setTimeout(done, 2500)); }
    location.href = printed.tickets.length === 1 ? `/knockout-21/tickets/${printed.tickets[0].id}` : "/knockout-21";
  } catch (error) { refused(error); }
});

const words = { "not found": "No ticket has this number.", "not yet drawn": "Its draw is not over yet.", "no prize": "No prize this time.", "paid already": "Its prize was paid already.", expired: "Its prize has expired.", "void print": "This print is not valid: the ticket was altered, or the code is wrong." };
const tell = (answer) => { $("#t-answer").textContent = answer.verdict === "prize" ? `A prize of ${dollars(answer.prize_cents)}.` : words[answer.verdict]; };
const claimed = () => ({ control_number: $("#t-number").value, code: $("#t-code").value.trim() });
$("#t-check").addEventListener("submit", async (event) => { event.preventDefault(); if (!$("#t-number").value) return; try { tell(await api("POST", "/knockout-21/check", claimed())); } catch (error) { refused(error); } });
$("#t-claim").addEventListener("click", async () => {
  if (!$("#t-number").value) return;
  try { const answer = await api("POST", "/knockout-21/claims", claimed(), { key: newKey() }); tell(answer); if (answer.verdict === "prize") $("#t-answer").textContent = `Paid: ${dollars(answer.prize_cents)} in chips.`; } catch (error) { refused(error); }
});
price(); next(); last();
setInterval(() => { const count = $("#t-count"); if (count && state.on_sale[0]) { count.textContent = left(state.on_sale[0].closes_at); if (Date.parse(state.on_sale[0].closes_at) <= clock()) refresh(); } }, 500);
setInterval(refresh, 5000);
