// What scrolls can be scrolled by keyboard: a region whose content runs out of it takes the focus, under the name of its section.
import { $$ } from "./dom.js";

/** @param {HTMLElement} region */
function mark(region) {
  const scrolls = region.scrollWidth > region.clientWidth || region.scrollHeight > region.clientHeight;
  if (!scrolls) {
    for (const name of ["tabindex", "role", "aria-label"]) region.removeAttribute(name);
    return;
  }
  region.tabIndex = 0;
  const heading = region.closest("section, dialog, main")?.querySelector("h1, h2, h3");
  if (region.matches("div, pre")) region.setAttribute("role", "region"); // a list stays a list
  region.setAttribute("aria-label", heading?.textContent?.trim() || "Scrolls");
}

for (const region of $$(".scroll:not([tabindex])")) {
  const look = () => mark(region);
  new ResizeObserver(look).observe(region);
  new MutationObserver(look).observe(region, { childList: true, subtree: true });
  look();
}
