// Watches a table: every place on it is measured at every change, and each geometry is kept with what was said then;
// so is what lies over something else (overlaps.js).
({ root, said, places: PLACES, ofSpot: OF_SPOT }) => {
  const round = (value) => Math.round(value * 2) / 2;
  const name = (one) => one.dataset.action ?? one.dataset.strip ?? one.dataset.space ?? one.dataset.wager ?? (one.id || one.className.replace(" moment", "")); // a blackjack lights the felt up
  const box = (one) => { const { x, y, width, height } = one.getBoundingClientRect(); return one.getClientRects().length ? [x, y + scrollY, width, height].map(round).join(" ") : "hidden"; };
  const line = (one) => `${name(one)}: ${box(one)}`;
  window.geometries = new Map();
  window.overlaps = new Map();
  const measure = () => {
    const spots = [...document.querySelectorAll(".b-spot")].filter((one) => one.getClientRects().length);
    const places = [...document.querySelectorAll(PLACES)].map(line);
    const large = spots.length === 1; // one spot lies in front, whichever it is
    for (const spot of spots) for (const one of spot.querySelectorAll(OF_SPOT || "nothing")) places.push(`${large ? "" : spot.dataset.spot} ${one.className.split(" ")[0]}: ${box(one)}`);
    const key = places.join("\n");
    const now = document.querySelector(said).textContent;
    if (!window.geometries.has(key)) window.geometries.set(key, now);
    for (const pair of window.overlapping?.() ?? []) if (!window.overlaps.has(pair)) window.overlaps.set(pair, now);
  };
  new MutationObserver(measure).observe(document.querySelector(root), { subtree: true, childList: true, attributes: true, characterData: true });
  measure();
}
