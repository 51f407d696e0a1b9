// The designer: a side bet as a form, its figures as it is typed, a table to play it at.
import { conditionChooser } from "./designer/conditions.js";
import { showFailure, showFigures } from "./designer/figures.js";
import { offerCorrelation } from "./designer/correlation.js";
import { offerPays } from "./designer/pays.js";
import { $, $$, dataOf, h } from "./dom.js";
import { ask, passes } from "./lab/asking.js";
import { orTell, toast } from "./notices.js";
import { api, newKey } from "./server.js";

/** @typedef {{name: string, when: string, pays: string}} Line */
/** @typedef {{title: string, looks_at: string[], lines: Line[], more: string}} Fields */

const draft = dataOf($("#designer"), "draft");
const conditions = dataOf($("#designer"), "conditions");
/** Counts up with every change: the answer to an older one is thrown away. */
let version = 0;
/** @type {number | undefined} */
let timer;

/** @param {Line} line */
function addLine(line) {
  /** @type {(words: string, key: string, value: string) => HTMLElement} */
  const field = (words, key, value) =>
    h(
      "label",
      { class: `d-${key}` },
      words,
      h("input", { type: "text", "data-key": key, value, autocomplete: "off", spellcheck: "false" }),
    );
  /** @param {string} text */
  const also = (text) => {
    const when = $("[data-key=when]", item);
    const [before, key] = [when.value.trim(), text.split(" ")[0]];
    // Two conditions of one kind cannot stand beside each other in a file: both then stand in one list.
    const again = new RegExp(`(^|[{,])\\s*${key} =`).test(before);
    when.value = again ? `all = [{ ${before} }, { ${text} }]` : [before, text].filter(Boolean).join(", ");
    changed();
  };
  const item = h(
    "li",
    {},
    h("div", { class: "d-line" }, [
      field("Name", "name", line.name),
      field("Pays", "pays", line.pays),
      field("Wins when", "when", line.when),
    ]),
    h("details", {}, h("summary", {}, "Add a condition"), conditionChooser(conditions, also)),
    h("button", { class: "btn small quiet", type: "button", click: () => drop(item) }, "Take this line out"),
  );
  $("#d-lines").append(item);
}

/** @param {HTMLElement} item */
function drop(item) {
  item.remove();
  changed();
}

/** The text of the bet's file, as the form has it. */
function textOf() {
  const lines = $$("#d-lines > li").map((item) => {
    /** @param {string} key */
    const value = (key) => $(`[data-key=${key}]`, item).value;
    const [name, pays] = [JSON.stringify(value("name")), JSON.stringify(value("pays"))];
    return `  { name = ${name}, when = { ${value("when")} }, pays = ${pays} },\n`;
  });
  const places = $$("[name=place]:checked").map((box) => JSON.stringify(box.value));
  const more = $("#d-more").value.trim();
  return [
    `title = ${JSON.stringify($("#d-title").value)}\n`,
    `looks_at = [${places.join(", ")}]\n`,
    more ? `${more}\n` : "",
    `lines = [\n${lines.join("")}]\n`,
  ].join("");
}

/** @param {Fields} fields */
function fill(fields) {
  $("#d-title").value = fields.title;
  for (const box of $$("[name=place]")) box.checked = fields.looks_at.includes(box.value);
  $("#d-lines").replaceChildren();
  for (const line of fields.lines) addLine(line);
  $("#d-more").value = fields.more;
}

/** How long after a failure the figures are asked for again, in milliseconds. */
const LATER = 5000;
/** @type {number | undefined} */
let later;

/**
 * The figures of a bet. When they cannot be had that is said in their place, and they are asked for again.
 * @param {string} text
 * @param {(answer: any) => void} then
 */
async function look(text, then = () => {}) {
  const mine = ++version;
  clearTimeout(later);
  try {
    const answer = await ask("/lab/bet", { game: $("#d-game").value, text }, () => mine === version);
    if (mine !== version) return;
    showFigures(answer);
    then(answer);
  } catch (error) {
    if (mine !== version) return;
    const again = () => look(text, then);
    showFailure(/** @type {Error} */ (error).message, passes(error), again);
    if (passes(error)) later = setTimeout(again, LATER);
  }
}

function changed() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const text = textOf();
    $("#d-text").textContent = text;
    $("#d-correlation").textContent = "";
    look(text);
  }, 150);
}

/** @param {string} text a file's, from which the form is filled */
function load(text) {
  $("#d-text").textContent = text;
  return look(text, (answer) => {
    if (!answer.fields) return;
    fill(answer.fields);
    $("#d-text").textContent = textOf();
  });
}

$("#d-form").addEventListener("input", changed);
$("#d-form").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
$("#d-add").addEventListener("click", () => {
  addLine({ name: "", when: "", pays: "" });
  $("#d-lines li:last-child input").focus();
});
/** @param {(string | null)[]} pays of each line; null for one that is left out */
function take(pays) {
  $$("#d-lines > li").forEach((item, place) => {
    if (pays[place] === null) item.remove();
    else $("[data-key=pays]", item).value = pays[place];
  });
  changed();
}
/** The bet as it stands, with its game. */
const asItStands = () => ({ game: $("#d-game").value, text: textOf() });
offerPays(asItStands, take);
offerCorrelation(asItStands);
$("#d-save").addEventListener("click", () => {
  const link = URL.createObjectURL(new Blob([textOf()], { type: "application/toml" }));
  const name =
    $("#d-title")
      .value.toLowerCase()
      .replace(/[^a-z0-9]+/g, "-") || "bet";
  h("a", { href: link, download: `${name}.toml` }).click();
  URL.revokeObjectURL(link);
});
$("#d-load").addEventListener("change", (/** @type {any} */ event) =>
  orTell(async () => load(await event.target.files[0].text())),
);
$("#d-share").addEventListener("click", () =>
  orTell(async () => {
    const query = new URLSearchParams({ game: $("#d-game").value, bet: textOf() });
    history.replaceState(null, "", `/lab/bet?${query}`);
    await navigator.clipboard.writeText(location.href);
    toast("The link is copied.");
  }),
);
$("#d-play").addEventListener("click", () =>
  orTell(async () => {
    const wanted = { game: $("#d-game").value, options: {}, bet: textOf() };
    const own = await api("POST", "/tables", wanted, { key: newKey() });
    location.href = `/tables/${own.table}`;
  }),
);
$("#d-game").value = draft.game;
load(draft.text);
