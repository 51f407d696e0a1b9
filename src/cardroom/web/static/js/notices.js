// What the page tells the visitor beside its content.
import { $, h } from "./dom.js";
import { capitalized } from "./words.js";

/**
 * Tell it to those who hear the page.
 * @param {string} text
 */
export function say(text) {
  const box = $("#live");
  if (box && box.textContent !== text) box.textContent = text;
}

/** @type {number | undefined} */
let toastTimer;
/**
 * Tell the player something, with the clause behind it.
 * @param {string} message
 * @param {string | null} clause
 */
export function toast(message, clause = null) {
  $(".toast")?.remove();
  const notice = h("div", { class: "toast", role: "alert" }, message);
  if (clause) notice.append(h("span", { class: "clause" }, ` ${clause}`));
  document.body.append(notice);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => $(".toast")?.remove(), 6000);
}

/**
 * Tell why something was not done.
 * @param {any} error
 */
export const refused = (error) => toast(capitalized(error.message), error.clause);

/**
 * Try something, and tell why when it is refused; a repeated attempt waits for nothing.
 * @param {() => Promise<void>} attempt
 */
export async function orTell(attempt) {
  try {
    await attempt();
  } catch (error) {
    refused(error);
  }
}

/**
 * What a request changed is told, and the page made anew.
 * @param {Promise<unknown>} request
 * @param {string} words
 */
export const thenReload = (request, words) =>
  request
    .then(() => {
      toast(words);
      setTimeout(() => location.reload(), 700);
    })
    .catch(refused);
