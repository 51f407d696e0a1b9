// What runs out of its sheet, of the felt or of the window; words that run out of their box or are cut off.
(() => {
  const faults = [];
  const told = (what, one) => faults.push(`${what}: ${one.outerHTML.slice(0, 160)}`);
  const scrolls = (one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX);
  const within = (one, test) => { for (let outer = one.parentElement; outer; outer = outer.parentElement) if (test(outer)) return true; return false; };
  for (const one of document.querySelectorAll("body *")) {
    const box = one.getBoundingClientRect(), style = getComputedStyle(one);
    if (!box.width || !box.height || style.visibility === "hidden" || one.closest(".sr, .skip, svg svg, dialog:not([open])") || within(one, scrolls)) continue;
    const frame = (one.closest(".felt, .sheet") ?? document.documentElement).getBoundingClientRect();
    if (one.matches(".nav a, main .btn, main .felt > *, main .felt .card, main .scroll > table, main .tag, main td, main th") && (box.left < frame.left - 1 || box.right > frame.right + 1)) told("out of its frame", one);
    if (box.right > innerWidth + 1 || box.left < -1) told("out of the window", one);
    if (one.closest("svg")) continue;
    if (style.overflowX !== "visible" && !scrolls(one) && one.matches(":not(.fan)") && one.scrollWidth > one.clientWidth + 1) told("cut off", one);
    if (![...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()) || style.display === "inline" || scrolls(one)) continue;
    const range = document.createRange();
    range.selectNodeContents(one);
    const words = range.getBoundingClientRect(), slack = parseFloat(style.fontSize) / 2; // letters are higher than a tight line
    const outer = one.parentElement.getBoundingClientRect();
    if (["static", "relative"].includes(style.position) && getComputedStyle(one.parentElement).display !== "inline" && (box.left < outer.left - 8 || box.right > outer.right + 8)) told("out of what it lies in", one);
    if (words.left < box.left - 1 || words.right > box.right + 1 || words.bottom > box.bottom + slack || words.top < box.top - slack) told("words out of their box", one);
  }
  return faults;
})()
