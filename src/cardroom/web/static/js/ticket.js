// A ticket: its hands, one alteration while it is allowed, its draw as the wall shows it, its prize.
import { reload } from "./anew.js";
import { $, $$, dataOf, keep, kept } from "./dom.js";
import { playAlong } from "./knockout21/along.js";
import { hands } from "./knockout21/hands.js";
import { orTell, toast } from "./notices.js";
import { api, newKey, serverClock } from "./server.js";
import { chips } from "./words.js";

/** @typedef {import("./types/knockout21.js").PrintedTicket} PrintedTicket */

const root = $("#ticket");
const { address } = root.dataset;
/** @type {PrintedTicket} */
const ticket = dataOf(root, "state");
/** @type {import("./types/knockout21.js").Layout} */
const layout = dataOf(root, "layout");
const clock = serverClock(root.dataset.now);
const DRAFT = `${address}/tickets/${ticket.id}/alteration`;
/**
 * Choices that are changed and not altered yet; a reload finds them again, while they can be.
 * @type {import("./types/knockout21.js").Choices}
 */
const changes = (ticket.alterable && kept(DRAFT)) || {};
const unsaved = () => Object.keys(changes).length > 0;
const alter = $("#k-alter");
const changed = () => {
  keep(DRAFT, changes);
  if (alter) alter.disabled = !unsaved();
};

$("#k-hands").replaceChildren(
  hands(ticket, layout, changes, {
    changed: ticket.alterable ? changed : null,
    results: ticket.results,
  }),
);
if (ticket.alterable) changed();
alter?.addEventListener("click", () =>
  orTell(async () => {
    const path = `${address}/tickets/${ticket.id}/alteration`;
    await api("POST", path, { overrides: changes }, { key: newKey() });
    location.reload();
  }),
);
$("#k-claim")?.addEventListener("click", () =>
  orTell(async () => {
    const claim = { control_number: ticket.control_number, code: ticket.code };
    /** @type {import("./types/knockout21.js").Answer} */
    const answer = await api("POST", `${address}/claims`, claim, { key: newKey() });
    toast(answer.verdict === "prize" ? `Paid: ${chips(answer.prize_cents)} in chips.` : answer.verdict);
    setTimeout(() => location.reload(), 900);
  }),
);

/**
 * What is known of the ticket changes: it can no longer be altered, its draw is over or called off.
 * @param {PrintedTicket} one
 */
const known = (one) =>
  JSON.stringify([one.state, one.alterable, one.over, one.called_off, one.prize, one.stopped, one.approval]);
const lookLater = () => setTimeout(look, 5000);

async function look() {
  /** @type {PrintedTicket} */
  let now;
  try {
    now = await api("GET", `${address}/tickets/${ticket.id}`);
  } catch {
    lookLater();
    return;
  }
  const choosing = unsaved() && ticket.alterable;
  if (known(now) === known(ticket) || (choosing && now.alterable)) {
    lookLater();
    return;
  }
  if (choosing) {
    toast("The time to alter this ticket is over: it keeps its choices.", "KO21-2.8");
    await new Promise((done) => {
      setTimeout(done, 2500);
    });
  }
  reload();
}

if (ticket.over && ticket.approval === "asked") lookLater();
if (!ticket.over && !ticket.called_off) {
  lookLater();
  const closes = Date.parse(ticket.closes_at);
  const close = setInterval(() => {
    if (closes > clock()) return;
    clearInterval(close);
    playAlong(address, ticket, layout, { over: look });
  }, 500);
  if (ticket.alterable_until) {
    const until = Date.parse(ticket.alterable_until);
    const end = setInterval(() => {
      if (until > clock()) return;
      clearInterval(end);
      for (const button of [alter, ...$$("#k-hands button")]) button.disabled = true;
      look();
    }, 500);
  }
}
