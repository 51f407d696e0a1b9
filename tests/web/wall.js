// The wall as it is measured from outside: where its parts are, what is too small to read, what runs out of its part.
() => {
  const least = innerHeight / 40, small = [], out = [], places = {};
  const parts = [...document.querySelectorAll(".w-head, .w-stage, .w-side, .w-board, .w-game, .w-tile")];
  parts.forEach((part, number) => { const { x, y, width, height } = part.getBoundingClientRect(); places[`${part.id || part.className.split(" ")[0]} ${number}`] = [x, y, width, height].map(Math.round); });
  const line = document.querySelector("#w-say").getBoundingClientRect();
  places.say = [line.x, line.y, line.width].map(Math.round);
  const inside = (box, part, what, slack = 1) => { const frame = part.getBoundingClientRect(); if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - slack || box.bottom > frame.bottom + slack) out.push(`${what} out of ${part.id || part.className}: ${[box.left, box.top, box.right, box.bottom].map(Math.round)}, not in ${[frame.left, frame.top, frame.right, frame.bottom].map(Math.round)}`); };
  const partOf = (element) => element.closest(".w-tile, .w-game, .w-head, .w-stage, .w-side, .w-say, .w-broken");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let texts = 0;
  while (walker.nextNode()) {
    const words = walker.currentNode.textContent.trim(), element = walker.currentNode.parentElement;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect();
    if (!words || !box.width || !box.height || element.closest("script, style")) continue;
    texts += 1;
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (size < least) small.push(`“${words}” ${size}px`);
    const part = partOf(element);
    if (!part) out.push(`“${words}” is in no part`);
    else inside(box, part, `“${words}”`, 0.15 * size); // a font's own box is higher than its letters
  }
  // The letters of a card are drawn in the file of the deck: 23 or 72 hundredths of its width.
  for (const card of document.querySelectorAll("svg.card")) {
    const box = card.getBoundingClientRect();
    if (!box.width) continue;
    const share = card.querySelector("use").getAttribute("href").includes("#large-") ? 0.72 : 0.23;
    if (share * box.width < least) small.push(`${card.dataset.card}: ${share * box.width}px`);
    inside(box, partOf(card), card.dataset.card);
  }
  if (document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth) out.push("the page scrolls");
  return { small, out, places, texts };
}
