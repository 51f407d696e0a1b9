// PAR sheets: made while a bar shows how far they are, then fetched.
import { $, h } from "../dom.js";
import { toast } from "../notices.js";
import { capitalized } from "../words.js";
import { about, page, settings } from "./page.js";

/** @type {EventSource | null} */
let source = null;

/** In which the rules differ from the house's own, and their sheets. */
export function showRules() {
  const changed = Object.values(page.rules.differences).map(
    ({ words, house_words: own }) => `${words} (the house: ${own})`,
  );
  $("#l-diff").textContent = changed.length
    ? `Changed: ${changed.join("; ")}`
    : "These are the house's own rules.";
  showSheets();
}

/** Show the sheets of the rules as they stand; one that is being made for others is broken off. */
function showSheets() {
  stop();
  const links = (about.has_sheet ? ["pdf", "html", "json"] : []).map((form) => {
    const path = `/api/v1/lab/par/${about.game}.${form}`;
    const href = `${path}?${settings()}`;
    const make = (/** @type {Event} */ event) => {
      event.preventDefault();
      fetchSheet(`${path}/progress?${settings()}`, href);
    };
    return h("a", { class: "btn small", href, click: make }, form.toUpperCase());
  });
  $("#l-par").replaceChildren(...links);
}

function stop() {
  source?.close();
  source = null;
  $("#l-par-progress").hidden = true;
}

/**
 * @param {string} progress
 * @param {string} href
 */
function fetchSheet(progress, href) {
  stop();
  const [box, bar, words] = [$("#l-par-progress"), $("#l-par-bar"), $("#l-par-words")];
  bar.value = 0;
  words.textContent = "The sheet waits for its turn …";
  box.hidden = false;
  source = new EventSource(progress);
  source.onmessage = (message) => {
    /** @type {{share: number, words: string}} */
    const now = JSON.parse(message.data);
    bar.value = now.share;
    if (now.words) words.textContent = `${Math.round(100 * now.share)} %: ${now.words} …`;
  };
  source.addEventListener("done", () => {
    bar.value = 1;
    stop();
    location.assign(href);
  });
  source.addEventListener("refused", (message) => {
    stop();
    toast(capitalized(JSON.parse(message.data).message));
  });
}
