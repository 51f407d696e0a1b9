// The event log: searched, read backwards, checked from its first record on.
import { $, h } from "../dom.js";
import { orTell } from "../notices.js";
import { api } from "../server.js";

/** @typedef {{seq: number, at: string, kind: string, content: object}} LogRecord */

/** @type {number | null} */
let earliest = null;
let search = "";

/** @param {LogRecord} record */
const recordLine = (record) =>
  h(
    "tr",
    {},
    h("td", { class: "num" }, String(record.seq)),
    h("td", { class: "num" }, record.at.slice(0, 19).replace("T", " ")),
    h("td", {}, record.kind),
    h("td", { class: "mono" }, JSON.stringify(record.content).slice(0, 400)),
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

async function check() {
  $("#o-check").disabled = true;
  await orTell(async () => {
    /** @type {{head: string, faults: string[]}} */
    const { head, faults } = await api("POST", "/operations/log/check");
    $("#o-checked").textContent = faults.length
      ? `✕ ${faults.join("; ")}`
      : `✓ The log follows from its first record to ${head.split(":")[0]}, and the books agree.`;
  });
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
