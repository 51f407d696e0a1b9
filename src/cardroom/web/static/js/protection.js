// The lab's page Protection: the report for the house, effects, counts and counters, as the server tells them.
import { $, dataOf, h } from "./dom.js";
import { ask } from "./lab/asking.js";
import { follow } from "./lab/following.js";
import { beginWork, breakOff, finishWork } from "./lab/progress.js";
import { refused } from "./notices.js";
import { firstCount, inputs, watchCounters } from "./protection/counters.js";
import { plotOf, tableOf } from "./protection/drawing.js";

/** @typedef {import("./types/lab.js").ProtectionTable} ProtectionTable */
/** @typedef {import("./types/lab.js").Protection} Protection */

/** @type {{game: string}} */
const wanted = dataOf($("#protection"), "wanted");

/** What is exact is soon there, and does not wait for the rest. */
async function showExact() {
  /** @type {{tables: ProtectionTable[]}} */
  const { tables } = await ask("/lab/protection/exact", wanted);
  $("#p-exact").replaceChildren(...tables.map(tableOf));
}

async function show() {
  const what = `protection-${wanted.game}`;
  const began = beginWork(what, 60_000);
  try {
    /** @type {Protection} */
    const answer = await ask("/lab/protection", wanted);
    finishWork(what, began);
    $("#p-tables").replaceChildren(...answer.tables.map(tableOf));
    $("#p-plots").replaceChildren(...answer.plots.map(plotOf));
    $("#p-findings").replaceChildren(...answer.findings.map((words) => h("li", {}, words)));
    $("#p-method").textContent = `How: ${answer.method}.`;
    $("#p-mark").textContent = `Mark: ${answer.mark}.`;
  } catch (error) {
    breakOff();
    $("#p-mark").textContent = `Not computed: ${/** @type {Error} */ (error).message}`;
  }
}

/** @type {AbortController | null} */
let working = null;

/** Whoever asks for something else does not wait for the last question any more. */
function stop() {
  working?.abort();
  working = null;
  $("#p-work").hidden = true;
}

/**
 * What is asked for by hand: a bar says how far it is, and a line why there is no answer.
 * @param {string} what
 * @param {object} body
 * @param {(answer: Protection) => void} then
 */
async function question(what, body, then) {
  stop();
  const own = new AbortController();
  working = own;
  const [status, bar, words] = [$("#p-asked"), $("#p-bar"), $("#p-words")];
  status.textContent = "";
  bar.value = 0;
  words.textContent = "Waits for its turn …";
  $("#p-work").hidden = false;
  try {
    const answer = await follow(
      `/lab/protection/${what}/events`,
      { ...wanted, ...body },
      own.signal,
      (now) => {
        bar.value = now.share;
        if (now.words) words.textContent = `${Math.round(100 * now.share)} % ${now.words}`;
      },
    );
    if (working === own) then(answer);
  } catch (error) {
    if (working === own) status.textContent = `Not computed: ${/** @type {Error} */ (error).message}`;
  }
  if (working === own) stop();
}

/**
 * What the form says, asked; a form that says it only in part is not sent.
 * @param {() => {what: string, body: object}} read
 * @param {(answer: Protection) => void} then
 */
function askForm(read, then) {
  let request;
  try {
    request = read();
  } catch (error) {
    stop();
    $("#p-asked").textContent = `Not computed: ${/** @type {Error} */ (error).message}`;
    return;
  }
  question(request.what, request.body, then);
}

/** Counters as the form says. */
const playCounters = () =>
  askForm(inputs, (answer) => {
    $("#p-counted").replaceChildren(...answer.tables.map(tableOf));
    $("#p-drawn").replaceChildren(...answer.plots.map(plotOf));
  });

/** @param {Protection} answer */
const showMore = (answer) => $("#p-more").replaceChildren(...answer.tables.map(tableOf));

const form = $("#p-counter");
if (form) {
  watchCounters();
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    playCounters();
  });
  $("#p-stop").addEventListener("click", () => {
    stop();
    $("#p-asked").textContent = "Stopped.";
  });
  $("#p-known").addEventListener("click", () => question("known", {}, showMore));
  $("#p-indices").addEventListener("click", () =>
    askForm(() => ({ what: "indices", body: { count: firstCount() } }), showMore),
  );
  $("#p-efficiency").addEventListener("click", () => question("efficiency", {}, showMore));
  playCounters();
}
showExact().catch(refused);
show();
