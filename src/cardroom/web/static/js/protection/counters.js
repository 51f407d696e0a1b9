// The counters of the form: as many as somebody adds, each told in plain fields.
import { $, $$, dataOf } from "../dom.js";

const players = () => $("#p-players");

/**
 * A number that was typed, or null where the field is empty.
 * @param {HTMLElement} box
 * @param {string} name
 */
function numberIn(box, name) {
  const text = $(`[name=${name}]`, box).value.trim();
  return text ? Number(text) : null;
}

/**
 * What was chosen, or null for the first choice, which says nothing.
 * @param {HTMLElement} box
 * @param {string} name
 */
const chosenIn = (box, name) => $(`[name=${name}]`, box)?.value || null;

/** What stands for a count in a choice: ten tags follow. */
const OWN = "own";

/**
 * The name of a count, or ten tags of one's own from ace to ten.
 * @param {HTMLElement} box
 * @param {string} name
 */
function countIn(box, name) {
  const chosen = chosenIn(box, name);
  if (chosen !== OWN) return chosen;
  const tags = $$(`[data-tags-of=${name}] label`, box).map((label) => {
    const tag = $("input", label).value.trim();
    const letter = label.textContent.trim();
    if (!tag) throw new Error(`the tag of ${letter} is missing; a count has ten, ace to ten`);
    return tag;
  });
  return tags.join(",");
}

/**
 * Tags are there to be typed where a count of one's own is chosen, and are no part of the form elsewhere.
 * @param {HTMLSelectElement} choice
 */
function showTags(choice) {
  const tags = $(`[data-tags-of=${choice.name}]`, /** @type {Element} */ (choice.closest(".p-player")));
  if (!tags) return;
  tags.hidden = choice.value !== OWN;
  tags.disabled = tags.hidden;
}

/** @param {HTMLElement} box */
function rampIn(box) {
  const steps = $$(".p-step", box).map((step) => [numberIn(step, "from_count"), numberIn(step, "units")]);
  const entries = steps.filter(([from, units]) => from !== null || units !== null);
  if (entries.some((step) => step.includes(null))) {
    throw new Error("each step of the wagers needs both, a count and units");
  }
  return entries.map(([from, units]) => `${from}:${units}`).join(",");
}

/** @param {HTMLElement} box */
function sidesIn(box) {
  return $$(".p-side", box)
    .map((side) => ({
      wager: side.dataset.wager,
      from_count: numberIn(side, "from_count"),
      units: numberIn(side, "units") ?? undefined,
    }))
    .filter((side) => side.from_count !== null);
}

/** @param {HTMLElement} box */
const habitsIn = (box) => ({
  count: countIn(box, "count"),
  ramp: rampIn(box),
  spots: numberIn(box, "spots") ?? undefined,
  enter: numberIn(box, "enter"),
  leave: numberIn(box, "leave"),
  deviations: chosenIn(box, "deviations"),
  play_count: countIn(box, "play_count"),
  insurance_from: box.querySelector("[name=insurance_from]") ? numberIn(box, "insurance_from") : null,
  insurance_count: countIn(box, "insurance_count"),
  sides: sidesIn(box),
  side_count: countIn(box, "side_count"),
  running: chosenIn(box, "running") !== null,
  decks_known: chosenIn(box, "decks_known"),
  rounding: chosenIn(box, "rounding"),
  cover: numberIn(box, "cover"),
});

/** The count of the first counter. */
export const firstCount = () => countIn(players(), "count");

/** What is asked: which question, and its body. */
export function inputs() {
  const counters = $$(".p-player", players()).map(habitsIn);
  const form = $("#p-counter");
  const table = { others: numberIn(form, "others") ?? undefined, cut_cards: numberIn(form, "cut_cards") };
  return counters.length === 1
    ? { what: "counter", body: { ...counters[0], ...table } }
    : { what: "team", body: { counters, ...table } };
}

/** Numbers in the order of the spots; only who is not alone can leave. */
function number() {
  const all = $$(".p-player", players());
  for (const [place, box] of all.entries()) {
    $(".p-number", box).textContent = String(place + 1);
    $(".p-leave", box).hidden = all.length === 1;
  }
  $("#p-more-counters").disabled = all.length >= dataOf($("#protection"), "most");
}

/** @param {Event} event */
function openAround(event) {
  const box = /** @type {HTMLElement} */ (event.target).closest("details");
  if (box) box.open = true;
}

/** One more counter sits down, or one leaves. */
export function watchCounters() {
  $("#p-more-counters").addEventListener("click", () => {
    players().append($("#p-player").content.cloneNode(true));
    number();
    $(".p-player:last-child select", players()).focus();
  });
  players().addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest(".p-leave");
    if (!button) return;
    button.closest(".p-player")?.remove();
    number();
    $("#p-more-counters").focus();
  });
  players().addEventListener("change", (/** @type {Event} */ event) => {
    const changed = event.target;
    if (changed instanceof HTMLSelectElement) showTags(changed);
  });
  for (const choice of $$("select", players())) showTags(choice);
  // What a closed box has in it that cannot be is shown, so that the browser can say what is wrong with it.
  $("#p-counter").addEventListener("invalid", openAround, true);
  number();
}
