// Serious accessibility faults of the page, as lines of text: names, labels, headings, ids, landmarks, contrast.
() => {
  const faults = [];
  const shown = (element) => { const box = element.getBoundingClientRect(); const style = getComputedStyle(element); return box.width > 0 && box.height > 0 && style.visibility !== "hidden" && !element.closest("[hidden], dialog:not([open])"); };
  const where = (element) => `<${element.tagName.toLowerCase()}${element.id ? "#" + element.id : ""}${element.className && element.className.baseVal === undefined ? "." + String(element.className).trim().replace(/\s+/g, ".") : ""}>`;
  const name = (element) => (element.getAttribute("aria-label") ?? (element.getAttribute("aria-labelledby") ? document.getElementById(element.getAttribute("aria-labelledby"))?.textContent : null) ?? element.getAttribute("alt") ?? (element.labels?.length ? [...element.labels].map((label) => label.textContent).join(" ") : null) ?? element.textContent ?? element.getAttribute("title") ?? "").trim();
  if (!document.documentElement.lang) faults.push("the page has no language");
  if (!document.title.trim()) faults.push("the page has no title");
  if (document.querySelectorAll("main").length !== 1) faults.push("the page has not exactly one main part");
  if (document.querySelectorAll("h1").length !== 1) faults.push("the page has not exactly one h1");
  const ids = new Set();
  for (const element of document.querySelectorAll("[id]")) { if (ids.has(element.id)) faults.push(`the id ${element.id} is there twice`); ids.add(element.id); }
  for (const element of document.querySelectorAll("a[href], button, input, select, textarea, [role=button], [role=radio], [role=tab], [role=slider]")) if (shown(element) && !name(element)) faults.push(`${where(element)} has no name`);
  for (const element of document.querySelectorAll("svg[role=img], img, [role=img]")) if (shown(element) && !name(element)) faults.push(`${where(element)} is a picture without a name`);
  for (const element of document.querySelectorAll("[tabindex]")) if (Number(element.getAttribute("tabindex")) > 0) faults.push(`${where(element)} changes the order of the keyboard`);
  let level = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4")) { if (!shown(heading)) continue; const now = Number(heading.tagName[1]); if (now > level + 1) faults.push(`heading “${heading.textContent}” jumps from ${level} to ${now}`); level = now; }
  for (const element of document.querySelectorAll("button, a.btn, select, input:not([type=checkbox]):not([type=radio]):not([type=range])")) { const box = element.getBoundingClientRect(); if (shown(element) && box.height < 24) faults.push(`${where(element)} is ${Math.round(box.height)} px high: too small to touch`); }
  // Contrast of text against the nearest solid background (WCAG 2: 4.5, large text 3).
  const parse = (colour) => { const found = /rgba?\(([^)]+)\)/.exec(colour); if (!found) return null; const [r, g, b, a = 1] = found[1].split(/[ ,/]+/).filter(Boolean).map(Number); return { r, g, b, a }; };
  const over = (top, below) => ({ r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a), b: top.b * top.a + below.b * (1 - top.a), a: 1 });
  const light = ({ r, g, b }) => { const part = (value) => { const v = value / 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }; return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };
  const background = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (at.classList?.contains("chip")) return null;
      const image = style.backgroundImage;
      if (image !== "none") { const stops = [...image.matchAll(/rgba?\([^)]+\)/g)].map((found) => parse(found[0])).filter((colour) => colour.a > 0.9); if (!stops.length) return null; layers.push(stops.reduce((a, b) => (light(a) > light(b) ? a : b))); break; }
      const colour = parse(style.backgroundColor);
      if (colour && colour.a > 0) { layers.push(colour); if (colour.a === 1) break; }
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
