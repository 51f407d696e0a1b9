// A ticket: its hands, one alteration, its prize.
import { $, api, newKey, refused, toast, dollars } from "./lib.js";
import { hands } from "./hands21.js";

const ticket = JSON.parse($("#ticket").dataset.state), changes = {};
$("#k-hands").replaceChildren(hands(ticket, changes, { editable: ticket.alterable, results: ticket.results, changed: () => { const button = $("#k-alter"); if (button) button.disabled = !Object.keys(changes).length; } }));
$("#k-alter")?.addEventListener("click", async () => {
  try { await api("POST", `/knockout-21/tickets/${ticket.id}/alteration`, { overrides: changes }, { key: newKey() }); location.reload(); } catch (error) { refused(error); }
});
$("#k-claim")?.addEventListener("click", async () => {
  try {
    const answer = await api("POST", "/knockout-21/claims", { control_number: ticket.control_number, code: ticket.code }, { key: newKey() });
    toast(answer.verdict === "prize" ? `Paid: ${dollars(answer.prize_cents)} in chips.` : answer.verdict);
    setTimeout(() => location.reload(), 900);
  } catch (error) { refused(error); }
});
if (!ticket.over) setTimeout(() => location.reload(), 60000);
