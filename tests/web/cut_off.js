// What runs out of its sheet, of the felt or of the window.
[...document.querySelectorAll(".nav a, main .btn, main .felt > *, main .felt .card, main .scroll > table")].filter((one) => {
  const box = one.getBoundingClientRect();
  const frame = (one.closest(".felt, .sheet") ?? document.documentElement).getBoundingClientRect();
  return box.width && (box.left < frame.left - 1 || box.right > frame.right + 1);
}).map((one) => one.outerHTML.slice(0, 120))
