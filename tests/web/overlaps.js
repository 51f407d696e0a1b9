// What lies over something else on a felt: letters, chips, cards of other hands, indices of cards, what is printed.
// `overlapping()` names each pair of them; no size of window and no moment of a round may have any.
window.overlapping = () => {
  const felt = document.querySelector(".b-felt");
  if (!felt) return [];
  const inside = 1.5; // so much is a rounding
  const rect = ({ left, right, top, bottom }) => ({ left, right, top, bottom });
  const seen = (one) => one.getClientRects().length && getComputedStyle(one).visibility === "visible" && !one.closest(".sr, dialog:not([open])");
  const meet = (one, other) => one.left + inside < other.right && other.left + inside < one.right && one.top + inside < other.bottom && other.top + inside < one.bottom;
  const things = [];
  const words = document.createTreeWalker(felt, NodeFilter.SHOW_TEXT);
  for (let text = words.nextNode(); text; text = words.nextNode()) {
    const one = text.parentElement;
    if (!text.data.trim() || one.closest("svg, option, select") || !seen(one)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const tight = parseFloat(getComputedStyle(one).fontSize) * 0.15; // letters are lower than their line
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const middle = (top + bottom) / 2, half = Math.min((bottom - top) / 2, parseFloat(getComputedStyle(one).fontSize) / 2) - tight;
      things.push({ kind: "words", one, name: text.data.trim(), box: { left, right, top: middle - half, bottom: middle + half } });
    }
  }
  for (const one of felt.querySelectorAll(".b-arcs text")) {
    if (!seen(one)) continue;
    const to = one.getScreenCTM();
    for (let place = 0; place < one.getNumberOfChars(); place += 1) {
      const { x, y } = one.getEndPositionOfChar(place), from = one.getStartPositionOfChar(place);
      const size = parseFloat(getComputedStyle(one).fontSize);
      const corner = new DOMPoint(Math.min(x, from.x), Math.min(y, from.y) - size * 0.7).matrixTransform(to);
      const far = new DOMPoint(Math.max(x, from.x), Math.max(y, from.y)).matrixTransform(to);
      things.push({ kind: "print", one, name: `print ${one.textContent.trim().slice(0, 12)}… at ${place}`, box: { left: corner.x, right: far.x, top: corner.y, bottom: far.y } });
    }
  }
  for (const one of felt.querySelectorAll(".b-chipstack")) if (seen(one)) things.push({ kind: "chips", one, name: `chips in ${one.parentElement.parentElement.className}`, box: rect(one.getBoundingClientRect()) });
  for (const one of felt.querySelectorAll(".b-spot.turn, .b-hand.turn")) {
    const { boxShadow } = getComputedStyle(one);
    if (seen(one) && boxShadow !== "none") things.push({ kind: "frame", one, name: `frame of ${one.className}`, box: rect(one.getBoundingClientRect()) });
  }
  for (const one of felt.querySelectorAll(".card")) {
    if (!seen(one)) continue;
    const box = rect(one.getBoundingClientRect()), wide = box.right - box.left, high = box.bottom - box.top;
    const across = one.classList.contains("sideways"); // turned to the right: its index is at the right
    const index = across
      ? { left: box.right - wide * 0.18, right: box.right, top: box.top, bottom: box.top + high * 0.16 }
      : { left: box.left, right: box.left + wide * 0.18, top: box.top, bottom: box.top + high * 0.12 };
    things.push({ kind: "card", one, fan: one.parentElement, name: `card ${one.dataset.card}`, box, index, above: Number(one.style.zIndex) });
  }
  const apart = (first, second) => {
    if (first.one === second.one || first.one.contains(second.one) || second.one.contains(first.one)) return true;
    const kinds = [first.kind, second.kind];
    if (kinds.includes("frame")) {
      const [frame, other] = first.kind === "frame" ? [first.box, second.box] : [second.box, first.box];
      const within = frame.left <= other.left && other.right <= frame.right && frame.top <= other.top && other.bottom <= frame.bottom;
      if (kinds.includes("words")) return within || !meet(frame, other); // no line goes through a word
      return !kinds.includes("print") || !meet(frame, other);
    }
    if (first.kind === "print" && second.kind === "print") return true;
    const circle = first.one.closest(".b-circle");
    if (circle && circle === second.one.closest(".b-circle")) return true; // an amount stands at the foot of its chips
    if (first.kind === "card" && second.kind === "card" && first.fan === second.fan) {
      const [under, over] = first.above < second.above ? [first, second] : [second, first];
      return !meet(under.index, over.box);
    }
    return !meet(first.box, second.box);
  };
  const found = new Set();
  things.forEach((first, place) => {
    for (const second of things.slice(place + 1)) if (!apart(first, second)) found.add(`${first.name} / ${second.name}`);
  });
  return [...found];
};
