// A ticket: its hands, one alteration while it is allowed, its prize.
import { $, api, newKey, refused, toast, dollars, serverClock } from "./lib.js";
import { hands } from "./hands21.js";

const ticket = JSON.parse($("#ticket").dataset.state);
const clock = serverClock($("#ticket").dataset.now);
const changes = {};
const unsaved = () => Object.keys(changes).length > 0;
$("#k-hands").replaceChildren(
  hands(ticket, changes, {
    editable: ticket.alterable,
    results: ticket.results,
    changed: () => {
      const button = $("#k-alter");
      if (button) button.disabled = !unsaved();
    },
  }),
);
$("#k-alter")?.addEventListener("click", async () => {
  try {
    await api(
      "POST",
      `/knockout-21/tickets/${ticket.id}/alteration`,
      { overrides: changes },
      { key: newKey() },
    );
    location.reload();
  } catch (error) {
    refused(error);
  }
});
$("#k-claim")?.addEventListener("click", async () => {
  try {
    const answer = await api(
      "POST",
      "/knockout-21/claims",
      { control_number: ticket.control_number, code: ticket.code },
      { key: newKey() },
    );
    toast(answer.verdict === "prize" ? `Paid: ${dollars(answer.prize_cents)} in chips.` : answer.verdict);
    setTimeout(() => location.reload(), 900);
  } catch (error) {
    refused(error);
  }
});

// What is known of the ticket changes: it can no longer be altered, its draw is over or called off.
const known = (one) => JSON.stringify([one.state, one.alterable, one.over, one.called_off, one.prize]);
const after = (seconds) => setTimeout(look, seconds * 1000);
async function look() {
  let now;
  try {
    now = await api("GET", `/knockout-21/tickets/${ticket.id}`);
  } catch {
    after(5);
    return;
  }
  if (known(now) === known(ticket)) {
    after(5);
    return;
  }
  if (unsaved() && ticket.alterable) {
    if (now.alterable) {
      after(5);
      return;
    }
    toast("The time to alter this ticket is over: it keeps its choices.", "KO21-2.8");
    await new Promise((done) => {
      setTimeout(done, 2500);
    });
  }
  location.reload();
}
if (!ticket.over && !ticket.called_off) {
  after(5);
  if (ticket.alterable) {
    const end = setInterval(() => {
      if (Date.parse(ticket.alterable_until) > clock()) return;
      clearInterval(end);
      $("#k-alter").disabled = true;
      document.querySelectorAll("#k-hands button").forEach((button) => {
        button.disabled = true;
      });
      look();
    }, 500);
  }
}
