// Parts of a page, or the whole page, made anew by themselves: never over what the visitor has begun.
import { $ } from "./dom.js";

/**
 * These parts of the page as the server makes them now; everything else stays as it is.
 * @param {string[]} selectors
 */
export async function freshen(...selectors) {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const selector of selectors) {
    const part = $(selector, fresh);
    if (part) $(selector)?.replaceWith(part);
  }
}

const LEAVING_SECONDS = 10; // a file that is fetched looks like leaving too, and the page stays
let left = -Infinity;
addEventListener("beforeunload", () => {
  left = performance.now();
});

/** The whole page, unless a link was followed a moment ago: a reload would take its place. */
export function reload() {
  const wait = left + 1000 * LEAVING_SECONDS - performance.now();
  if (wait > 0) setTimeout(reload, wait);
  else location.reload();
}
