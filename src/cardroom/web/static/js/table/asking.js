// A question before money is given up; a setting turns it off.
import { $ } from "../dom.js";
import { chips } from "../words.js";

const KEPT = "ask-before-giving-up";
const setting = $("#b-ask-setting");
setting.checked = localStorage.getItem(KEPT) !== "off";
setting.addEventListener("change", () => localStorage.setItem(KEPT, setting.checked ? "on" : "off"));

/**
 * Whether the visitor means it; asked only where the option gives something up and the setting is on.
 * @param {import("../types/table.js").Option} option
 * @returns {Promise<boolean>}
 */
export function meant(option) {
  if (!option.gives_up_cents || !setting.checked) return Promise.resolve(true);
  const dialog = $("#b-ask");
  $("#b-ask-words").textContent =
    `${option.title} gives up ${chips(option.gives_up_cents)} and ends the hand.`;
  $("#b-ask-yes").textContent = option.title;
  $("#b-ask-no-more").checked = false;
  dialog.returnValue = "";
  dialog.showModal();
  $("#b-ask-no").focus();
  return new Promise((answer) => {
    const closed = () => {
      dialog.removeEventListener("close", closed);
      if ($("#b-ask-no-more").checked) {
        setting.checked = false;
        localStorage.setItem(KEPT, "off");
      }
      answer(dialog.returnValue === "yes");
    };
    dialog.addEventListener("close", closed);
  });
}
$("#b-ask-yes").addEventListener("click", () => $("#b-ask").close("yes"));
$("#b-ask-no").addEventListener("click", () => $("#b-ask").close("no"));
