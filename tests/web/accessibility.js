// Accessibility faults that axe-core does not find, as lines of text: ids that are there twice, what is too small to touch, and
// too little contrast of text over a gradient, such as felt, against the lightest colour of it (WCAG 2: 4.5, large text 3).
() => {
  const faults = [];
  const shown = (element) => { const box = element.getBoundingClientRect(); const style = getComputedStyle(element); return box.width > 0 && box.height > 0 && style.visibility !== "hidden" && !element.closest("[hidden], dialog:not([open])"); };
  const where = (element) => `<${element.tagName.toLowerCase()}${element.id ? "#" + element.id : ""}${element.className && element.className.baseVal === undefined ? "." + String(element.className).trim().replace(/\s+/g, ".") : ""}>`;
  const ids = new Set();
  for (const element of document.querySelectorAll("[id]")) { if (ids.has(element.id)) faults.push(`the id ${element.id} is there twice`); ids.add(element.id); }
  for (const element of document.querySelectorAll("button, a.btn, select, input:not([type=checkbox]):not([type=radio]):not([type=range])")) { const box = element.getBoundingClientRect(); if (shown(element) && box.height < 24) faults.push(`${where(element)} is ${Math.round(box.height)} px high: too small to touch`); }
  const parse = (colour) => { const found = /rgba?\(([^)]+)\)/.exec(colour); if (!found) return null; const [r, g, b, a = 1] = found[1].split(/[ ,/]+/).filter(Boolean).map(Number); return { r, g, b, a }; };
  const over = (top, below) => ({ r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a), b: top.b * top.a + below.b * (1 - top.a), a: 1 });
  const light = ({ r, g, b }) => { const part = (value) => { const v = value / 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }; return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };
  const background = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const image = style.backgroundImage;
      if (image.includes("conic-gradient")) return null; // a chip, whose middle is plain
      if (image !== "none") { const stops = [...image.matchAll(/rgba?\([^)]+\)/g)].map((found) => parse(found[0])).filter((colour) => colour.a > 0.9); if (!stops.length) return null; layers.push(stops.reduce((a, b) => (light(a) > light(b) ? a : b))); break; }
      const colour = parse(style.backgroundColor);
      if (colour && colour.a > 0) { layers.push(colour); if (colour.a === 1) return null; } // a plain background is axe-core's
    }
    return layers.reverse().reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), element = walker.currentNode.parentElement;
    if (!text || !shown(element) || element.closest("svg, script, style, .sr, [disabled], .lost, .k-space, [aria-hidden=true]")) continue;
    const style = getComputedStyle(element), below = background(element), colour = parse(style.color);
    if (!below || !colour) continue;
    const mixed = over(colour, below), [a, b] = [light(mixed), light(below)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.5 && Number(style.fontWeight) >= 700);
    const key = `${where(element)} ${style.color}`;
    if (ratio < (large ? 3 : 4.5) && !seen.has(key)) { seen.add(key); faults.push(`${where(element)} “${text.slice(0, 24)}” has a contrast of ${ratio.toFixed(2)}`); }
  }
  return faults;
}
