// The replay of a Knockout 52 game, card by card, and its proof.
import { $, $$, card, dollars, h, toast } from "./lib.js";
import { checkProof } from "./proof.js";

const game = JSON.parse($("#round52").dataset.state);
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const bet = (wager) =>
  h(
    "div",
    { class: "k-bet", "data-wager": wager.wager },
    h("span", { class: "k-circle" }),
    h("span", { class: "k-title" }, wager.title),
    h("span", { class: "k-pays" }, `pays ${wager.pays}`),
    h("span", { class: "k-chance num" }),
    h("span", { class: "bar" }, h("i")),
  );
game.steps[0].wagers.forEach((wager, index) => {
  if (index === 4) {
    $("#r-atw").append(bet(wager));
    return;
  }
  $("#r-rows").append(
    h(
      "div",
      { class: "k-row" },
      bet(wager),
      h(
        "div",
        { class: "k-spaces" },
        RANKS.map((rank, column) => h("div", { class: "k-space", "data-space": 13 * index + column }, rank)),
      ),
    ),
  );
});
let at = game.steps.length - 1;
let timer = null;
function show(step) {
  at = Math.max(0, Math.min(game.steps.length - 1, step));
  const now = game.steps[at];
  $("#r-phase").textContent = at === 0 ? "The wagers stand." : now.events[0].text;
  for (const space of $$(".k-space")) {
    const number = Number(space.dataset.space);
    const text = game.card_texts[number];
    if (number < at && !$(".card", space)) {
      space.append(card(text, { large: true, dealt: number === at - 1 }));
    }
    if (number >= at) $(".card", space)?.remove();
    space.classList.toggle("match", at === game.cards && game.outcome !== "all-the-way" && number === at - 1);
  }
  for (const wager of now.wagers) {
    const box = $(`.k-bet[data-wager="${wager.wager}"]`);
    $(".k-chance", box).textContent = wager.percent;
    $(".bar i", box).style.width = `${100 * wager.chance.decimal}%`;
    box.classList.toggle("won", wager.chance.decimal === 1);
    box.classList.toggle("lost", wager.chance.decimal === 0);
  }
  const events = game.steps
    .slice(0, at + 1)
    .flatMap((one) => one.events)
    .slice(-14);
  $("#r-events").replaceChildren(
    ...events.map((event) =>
      h(
        "li",
        { class: event.kind === "paid" ? "win" : "" },
        event.text,
        event.cents === undefined ? "" : ` ${dollars(event.cents, { sign: event.kind !== "stake" })}`,
      ),
    ),
  );
  $("#r-range").value = at;
}
const stop = () => {
  clearInterval(timer);
  timer = null;
  $("#r-play").firstChild.textContent = "Play ";
};
const play = () => {
  if (timer) {
    stop();
    return;
  }
  if (at >= game.cards) show(0);
  $("#r-play").firstChild.textContent = "Pause ";
  timer = setInterval(() => {
    if (at >= game.cards) stop();
    else show(at + 1);
  }, 550);
};
$("#r-first").onclick = () => show(0);
$("#r-back").onclick = () => show(at - 1);
$("#r-next").onclick = () => show(at + 1);
$("#r-last").onclick = () => show(game.cards);
$("#r-play").onclick = play;
$("#r-range").oninput = (event) => show(Number(event.target.value));
addEventListener("keydown", (event) => {
  if (event.target.closest("input, button, a")) return;
  if (event.key === "ArrowLeft") show(at - 1);
  else if (event.key === "ArrowRight") show(at + 1);
  else if (event.code === "Space") {
    event.preventDefault();
    play();
  }
});
$("#r-check").onclick = async () => {
  const findings = await checkProof(game.proof, game.card_texts);
  $("#r-proof").replaceChildren(
    h(
      "ul",
      { class: "k-proof-list" },
      findings.map((finding) => h("li", { class: finding.good ? "" : "bad" }, finding.what)),
    ),
  );
};
$("#r-copy").onclick = async () => {
  await navigator.clipboard.writeText(location.href);
  toast("The link is copied.");
};
$("#r-save").onclick = () => {
  const sorted = (value) =>
    Array.isArray(value)
      ? value.map(sorted)
      : value && typeof value === "object"
        ? Object.fromEntries(
            Object.keys(value)
              .sort()
              .map((key) => [key, sorted(value[key])]),
          )
        : value;
  const link = h("a", {
    href: URL.createObjectURL(new Blob([JSON.stringify(sorted(game.proof))], { type: "application/json" })),
    download: `${game.id}.json`,
  });
  link.click();
};
show(at);
