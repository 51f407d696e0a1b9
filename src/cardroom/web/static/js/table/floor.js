// The floor: rules that are announced, and the waiting list (PROC-3).
import { $, h } from "../dom.js";
import { capitalized } from "../words.js";
import { page, secondsUntil } from "./page.js";
import { leave, wait } from "./play.js";

/** How long the spot that is offered stays the visitor's. */
export const offerLeft = () => `${secondsUntil(page.state.you.offer_until)} s`;

/** @param {import("../types/table.js").Announcement} said */
function announced(said) {
  let head = "Announced, from the next shoe on:";
  if (said.needs_opening) head = "Announced, from when the table next opens:";
  if (said.in_force) head = "New rules since this shoe:";
  const rules = said.rules.flatMap((rule, index) => [
    index ? "; " : "",
    index ? rule.words : capitalized(rule.words),
    " ",
    h("span", { class: "clause" }, rule.clause),
  ]);
  return h("p", { class: "b-announced small" }, h("b", {}, head), h("span", {}, rules));
}

/**
 * @param {import("../dom.js").Children} words
 * @param {string} text
 * @param {() => void} click
 * @param {string | null} id
 */
const lineWithButton = (words, text, click, id = null) =>
  h(
    "p",
    { class: "small" },
    h("span", {}, words),
    h("button", { class: "btn small", type: "button", id, click }, text),
  );

function offered() {
  const words =
    page.state.phase === "round"
      ? "Stake when this round is over."
      : h(
          "span",
          {},
          "Stake within ",
          h("span", { class: "num", id: "b-offer" }, offerLeft()),
          " or it goes to the next.",
        );
  return lineWithButton(
    [h("b", {}, `Spot ${page.state.you.spots[0]} is yours. `), words],
    "Give it up",
    leave,
  );
}

/** Whether the visitor may ask for a place on the list. */
function mayWait() {
  const { you, full, enabled } = page.state;
  return full && !you.spots.length && you.place === null && enabled;
}

/** @param {string} names */
function waiting(names) {
  const { you, waiting: everybody } = page.state;
  if (you.place !== null) {
    const others = everybody.length > 1 ? names : "";
    const words = `You are number ${you.place} on the waiting list. ${others}`;
    return lineWithButton(words, "Leave the list", leave, "b-unwait");
  }
  if (you.offer_until) return offered();
  if (mayWait()) {
    return lineWithButton(`Every spot is taken. ${names}`, "Wait for a spot", wait, "b-wait");
  }
  return names ? h("p", { class: "small" }, names) : null;
}

/** What the visitor is told of their spots, before and after they lose one. */
const notices = () =>
  (page.state.you.notices ?? []).map(({ words, clause }) =>
    h("p", { class: "small b-notice" }, h("span", {}, words), h("span", { class: "clause" }, clause)),
  );

/** Show it, and leave it alone while nothing of it changes. */
export function showFloor() {
  const { announcement, you, phase, waiting: everybody } = page.state;
  const names = everybody.length
    ? `Waiting: ${everybody.map((one) => (one.you ? "you" : one.name)).join(", ")}.`
    : "";
  const inRound = phase === "round";
  const content = [
    announcement,
    you.notices,
    you.place,
    you.offer_until,
    names,
    mayWait(),
    inRound,
    you.spots[0],
  ];
  const box = $("#b-floor");
  if (box.dataset.key !== JSON.stringify(content)) {
    box.dataset.key = JSON.stringify(content);
    box.replaceChildren(...notices(), waiting(names) ?? "");
    $("#b-news").replaceChildren(announcement ? announced(announcement) : "");
  }
  const wagered = Object.keys(page.wanted).length > 0;
  $("#b-leave").disabled = !you.seated || you.place !== null || inRound || wagered;
}
