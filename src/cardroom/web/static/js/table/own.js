// A table of one's own: any house options, computer players, a speed.
import { inputOf, label, valueIn } from "../controls.js";
import { $, $$, h } from "../dom.js";
import { orTell } from "../notices.js";
import { api, newKey } from "../server.js";
import { game } from "./page.js";

/** @typedef {import("../types/lab.js").Control} Control */

/**
 * The options in which the new table is to differ.
 * @type {Record<string, boolean | number | string>}
 */
const changed = {};

/** @param {Control} one */
function control(one) {
  const id = `own-${one.key}`;
  const input = inputOf(one, id);
  input.addEventListener("change", () => {
    const value = valueIn(one, input);
    changed[one.key] = typeof value === "number" && !Number.isInteger(value) ? String(value) : value;
  });
  return h(
    "div",
    { class: "b-option", title: one.words },
    h("label", { for: id }, label(one)),
    input,
    h("span", { class: "clause" }, one.clause ?? ""),
  );
}

/** The house options of this game, in groups; fetched when they are first asked for. */
async function showOptions() {
  const box = $("#b-own-options");
  if (box.childElementCount) return;
  /** @type {import("../types/lab.js").RulesView} */
  const { controls } = await api("POST", "/lab/rules", { game, options: {} });
  /** @type {Map<string, Control[]>} */
  const groups = new Map();
  for (const one of controls) groups.set(one.group_title, [...(groups.get(one.group_title) ?? []), one]);
  box.replaceChildren(
    ...[...groups].map(([title, own]) => h("details", {}, h("summary", {}, title), own.map(control))),
  );
}

for (const button of $$(".b-own")) {
  button.addEventListener("click", () => {
    $("#b-own-form").showModal();
    orTell(showOptions);
  });
}
$("#b-own-close").addEventListener("click", () => $("#b-own-form").close());
$("#b-own-open").addEventListener("click", () =>
  orTell(async () => {
    const style = { computers: Number($("#b-own-computers").value), speed: $("#b-own-speed").value };
    const shelf = $$("#b-own-shelf input:checked").map(({ value }) => [`side_bets.${value}.offered`, true]);
    const [variant] = $$("#b-own-variant option:checked").map(({ value }) => value);
    const options = { ...changed, ...Object.fromEntries(shelf) };
    const wanted = { game, ...(variant ? { variant } : {}), options, ...style };
    const own = await api("POST", "/tables", wanted, { key: newKey() });
    location.href = `/tables/${own.table}`;
  }),
);
