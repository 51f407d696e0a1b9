// The lottery's desk: lost tickets looked up, stopped and printed anew by two, large prizes approved.
import { $, $$, h } from "./dom.js";
import { orTell } from "./notices.js";
import { api } from "./server.js";

/** @typedef {{id: string, draw: number, terminal: string, sold_at: string, stopped: string | null, reprints: number}} Found */
/** @typedef {{title: string, path: string, two: boolean, body?: object, done: (answer: any) => void}} Act */

const { zone } = $("#desk").dataset;
const dialog = $("#d-act");
/** @type {Act | null} */
let act = null;

/**
 * Ask for the reason, and for the second person where two are needed.
 * @param {string} ticket
 * @param {Act} wanted
 */
function ask(ticket, wanted) {
  act = wanted;
  $("#d-title").textContent = wanted.title;
  $("#d-ticket").textContent = `Ticket ${ticket}`;
  $("#d-second").hidden = !wanted.two;
  for (const field of ["#d-second-name", "#d-second-password"]) $(field).required = wanted.two;
  $("#d-reason").value = "";
  $("#d-error").hidden = true;
  dialog.showModal();
}

$("#d-close")?.addEventListener("click", () => dialog.close());
dialog?.addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  if (!act) return;
  const code = $("#d-second-code").value.trim();
  const person = { name: $("#d-second-name").value, password: $("#d-second-password").value };
  const second = code ? { ...person, code } : person;
  const reason = $("#d-reason").value;
  try {
    const answer = await api("POST", act.path, { ...act.body, reason, ...(act.two ? { second } : {}) });
    dialog.close();
    act.done(answer);
  } catch (error) {
    $("#d-error").textContent = /** @type {Error} */ (error).message;
    $("#d-error").hidden = false;
  } finally {
    $("#d-second-password").value = "";
  }
});

for (const button of $$("[data-decide]")) {
  const { ticket, decide: decision } = button.dataset;
  button.addEventListener("click", () =>
    ask(ticket, {
      title: decision === "approved" ? "Approve this prize" : "Decline this prize",
      path: `/operations/approvals/${ticket}`,
      two: false,
      body: { decision },
      done: () => location.reload(),
    }),
  );
}

/**
 * A time of the house's clock as a moment.
 * @param {string} text
 */
function moment(text) {
  if (!text) return null;
  const asUtc = new Date(`${text}Z`);
  const options = /** @type {Intl.DateTimeFormatOptions} */ ({
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat("en-CA", options).formatToParts(asUtc).map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second } = parts;
  const there = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return new Date(2 * asUtc.getTime() - there).toISOString();
}

/** @param {string} text */
function choices(text) {
  /** @type {Record<string, string>} */
  const wanted = {};
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const [hand, letter] = word.split("=");
    wanted[String(Number(hand) - 1)] = (letter ?? "").toUpperCase();
  }
  return wanted;
}

const local = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });

/** @param {Found} ticket */
function line(ticket) {
  const { id, stopped } = ticket;
  const button = (/** @type {string} */ words, /** @type {Act} */ wanted) => {
    const one = h("button", { class: "btn small" }, words);
    one.addEventListener("click", () => ask(id, wanted));
    return one;
  };
  const path = `/operations/tickets/${id}`;
  const stop = { title: "Stop this ticket", path: `${path}/stop`, two: false, done: find };
  const lift = { title: "Lift the stop", path: `${path}/lift`, two: true, done: find };
  const anew = { title: "Print this ticket anew", path: `${path}/reissue`, two: true, done: printed };
  const buttons = stopped ? [button("Print anew", anew), button("Lift", lift)] : [button("Stop", stop)];
  return h(
    "tr",
    {},
    h("td", { class: "mono" }, id),
    h("td", { class: "num" }, String(ticket.draw)),
    h("td", {}, ticket.terminal),
    h("td", { class: "num" }, local.format(new Date(ticket.sold_at))),
    h("td", {}, stopped ? `stopped: ${stopped}` : ticket.reprints ? "printed anew" : "in force"),
    h("td", {}, h("div", { class: "row" }, ...buttons)),
  );
}

/** @param {{draw: number, control_number: string, code: string, print: number}} ticket */
function printed(ticket) {
  const words = [
    `Print ${ticket.print} for draw ${ticket.draw}; every earlier print is void.`,
    `Control number ${ticket.control_number}`,
    `Code ${ticket.code}`,
  ];
  $("#d-print").textContent = words.join("\n");
  $("#d-print").hidden = false;
  find();
}

function find() {
  return orTell(async () => {
    const wanted = {
      draw: $("#d-draw").value ? Number($("#d-draw").value) : null,
      terminal: $("#d-terminal").value.trim() || null,
      sold_from: moment($("#d-from").value),
      sold_until: moment($("#d-until").value),
      choices: choices($("#d-choices").value),
    };
    /** @type {{tickets: Found[]}} */
    const { tickets } = await api("POST", "/operations/lost-tickets", wanted);
    $("#d-told").textContent = tickets.length ? "" : "No ticket fits.";
    $("#d-box").hidden = !tickets.length;
    $("#d-found").replaceChildren(...tickets.map(line));
  });
}

$("#d-find")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  $("#d-print").hidden = true;
  find();
});
