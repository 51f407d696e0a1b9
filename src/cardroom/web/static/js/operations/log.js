// The event log: searched, read backwards, checked from its first record on.
import { $, h } from "../dom.js";
import { orTell } from "../notices.js";
import { api } from "../server.js";

/** @typedef {{seq: number, at: string, title: string, lines: [string, string][]}} LogRecord */

const LINES_SHOWN = 5;
const LETTERS_SHOWN = 60;

/** @param {LogRecord} record */
function says(record) {
  const shown = record.lines
    .slice(0, LINES_SHOWN)
    .map(
      ([name, text]) => `${name} ${text.length > LETTERS_SHOWN ? `${text.slice(0, LETTERS_SHOWN)}…` : text}`,
    );
  return [...shown, ...(record.lines.length > LINES_SHOWN ? ["…"] : [])].join(" · ");
}

/** @type {number | null} */
let earliest = null;
let search = "";

/** @param {LogRecord} record */
const recordLine = (record) =>
  h(
    "tr",
    {},
    h("td", { class: "num" }, h("a", { href: `/operations/log/${record.seq}` }, String(record.seq))),
    h("td", { class: "num" }, record.at.slice(0, 19).replace("T", " ")),
    h("td", {}, record.title),
    h("td", {}, says(record)),
  );

const showRecords = ({ more = false } = {}) =>
  orTell(async () => {
    const query = new URLSearchParams({ search });
    if (more && earliest) query.set("before", String(earliest));
    /** @type {{records: LogRecord[]}} */
    const { records } = await api("GET", `/operations/log?${query}`);
    const lines = records.map(recordLine);
    if (more) $("#o-records").append(...lines);
    else $("#o-records").replaceChildren(...lines);
    earliest = records.at(-1)?.seq ?? earliest;
    $("#o-more").hidden = records.length < Number($("#o-more").dataset.page);
  });

/** How far the check is, for as long as it runs. */
async function showProgress() {
  /** @type {{check: {what: string, done: number, of: number} | null}} */
  const { check: now } = await api("GET", "/operations/log/check");
  if (now && $("#o-check").disabled) {
    $("#o-checked").textContent = `Checking ${now.what}: ${now.done} of ${now.of} records.`;
  }
}

async function check() {
  $("#o-check").disabled = true;
  $("#o-evidence").hidden = true;
  $("#o-checked").textContent = "The check begins.";
  const timer = setInterval(() => showProgress().catch(() => undefined), 500);
  await orTell(async () => {
    /** @type {{head: string, faults: string[], evidence: string[]}} */
    const { head, faults, evidence } = await api("POST", "/operations/log/check");
    clearInterval(timer);
    $("#o-check").disabled = false;
    $("#o-checked").textContent = faults.length
      ? `✕ ${faults.join("; ")}`
      : `✓ The log follows from its first record to ${head.split(":")[0]}, the books agree, and every card follows from its commitment.`;
    $("#o-evidence").replaceChildren(...evidence.map((line) => h("li", {}, line)));
    $("#o-evidence").hidden = !evidence.length;
  });
  clearInterval(timer);
  $("#o-check").disabled = false;
}

if ($("#o-find")) {
  $("#o-find").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    search = $("#o-search").value;
    showRecords();
  });
  $("#o-more").addEventListener("click", () => showRecords({ more: true }));
  $("#o-check").addEventListener("click", check);
  showRecords();
}
