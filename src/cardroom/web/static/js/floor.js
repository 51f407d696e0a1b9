// The floor: every act is a form with its reason; a correction has a second person; the shuffle is shown.
import { reload } from "./anew.js";
import { $, $$ } from "./dom.js";
import { orTell, thenReload } from "./notices.js";
import { api } from "./server.js";

/**
 * What a field says: a number, a yes or no, or its text.
 * @param {HTMLInputElement | HTMLSelectElement} field
 */
function valueOf(field) {
  if (field.dataset.kind === "flag") return field.value === "yes";
  return field.type === "number" ? Number(field.value) : field.value;
}

/**
 * The named fields of a part of a form.
 * @param {ParentNode} part
 * @param {(field: any) => boolean} wanted
 */
const fieldsOf = (part, wanted) =>
  Object.fromEntries(
    $$("[name]", part)
      .filter(wanted)
      .map((field) => [field.name, valueOf(field)]),
  );

/**
 * What a form asks for; fields in a fieldset are an entry of a list.
 * @param {HTMLFormElement} form
 */
function wantedOf(form) {
  /** @type {Record<string, any>} */
  const wanted = fieldsOf(form, (field) => !field.closest("[data-list]"));
  for (const part of $$("[data-list]", form)) {
    (wanted[part.dataset.list] ??= []).push(fieldsOf(part, () => true));
  }
  return wanted;
}

/** The second person, and what each player's result should be. */
function signedByTwo() {
  const code = $("#f-second-code").value.trim();
  const person = {
    name: $("#f-second-name").value,
    password: $("#f-second-password").value,
  };
  const nets = $$("[data-net]").map((field) => [field.dataset.net, Math.round(100 * Number(field.value))]);
  return {
    second: code ? { ...person, code } : person,
    net_cents: Object.fromEntries(nets),
  };
}

for (const form of $$("form[data-act]")) {
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const { spot, ...wanted } = wantedOf(form);
    const path = form.dataset.act.replace("{spot}", spot);
    const body = form.dataset.two ? { ...wanted, ...signedByTwo() } : wanted;
    thenReload(api("POST", path, body), form.dataset.done);
    if (form.dataset.two) $("#f-second-password").value = "";
  });
}

/** @type {{words: string, piles: number[]}[]} */
let steps = [];
let at = 0;

function showStep() {
  const { words, piles } = steps[at];
  const most = Math.max(...steps.flatMap((step) => step.piles));
  for (const pile of $$("[data-pile]")) {
    const cards = piles[Number(pile.dataset.pile) - 1];
    $("b", pile).textContent = String(cards);
    $("span", pile).style.setProperty("--part", String(cards / most));
  }
  $("#f-step").textContent = `${at + 1} of ${steps.length}. ${words}`;
  $("#f-back").disabled = at === 0;
  $("#f-next").disabled = at === steps.length - 1;
}

$("#f-show-shuffle")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  orTell(async () => {
    const query = new URLSearchParams({
      start: $("#f-start").value,
      seed: $("#f-seed").value,
    });
    ({ steps } = await api("GET", `${$("#f-shown").dataset.path}?${query}`));
    at = 0;
    $("#f-piles").hidden = false;
    showStep();
  });
});
for (const [button, step] of /** @type {[string, number][]} */ ([
  ["#f-back", -1],
  ["#f-next", 1],
])) {
  $(button)?.addEventListener("click", () => {
    at += step;
    showStep();
  });
}

// What happens at the tables meanwhile: the list is made anew, and at a table, where somebody may be
// writing a reason, it is said.
const SECONDS_BETWEEN_LOOKS = 4;
const watched = $("[data-watch]");

/** @type {string | null} */
let known = null;

async function look() {
  const now = JSON.stringify(await api("GET", watched.dataset.watch));
  const changed = known !== null && now !== known;
  known ??= now;
  if (!changed) return;
  if (watched.dataset.reloads) reload();
  else $("#f-changed").hidden = false;
}

if (watched) {
  $("#f-look")?.addEventListener("click", () => location.reload());
  const again = () => look().catch(() => undefined);
  again();
  setInterval(again, 1000 * SECONDS_BETWEEN_LOOKS);
}
