// The replay of a round, step by step.
import { $, api, card, dollars, fanned, h, refused, toast } from "./lib.js";
import { checkProof } from "./proof.js";

const game = JSON.parse($("#round21").dataset.state);
const STATUS = {
  won: "✓ won",
  lost: "✕ lost",
  pushed: "push",
  surrendered: "surrendered",
  rescued: "rescued",
  stood: "stands",
  void: "void",
};
let at = game.steps.length - 1;
let timer = null;
function show(step) {
  at = Math.max(0, Math.min(game.steps.length - 1, step));
  const { round, events } = game.steps[at];
  $("#r-phase").textContent = events[0] ? events[0].charAt(0).toUpperCase() + events[0].slice(1) : "";
  $("#r-total").textContent = round.dealer_total;
  $("#r-dealer").replaceChildren(...round.dealer.map((text) => card(text)));
  $("#r-spots").replaceChildren(
    ...round.spots.map((spot) =>
      h(
        "div",
        { class: "b-spot full" },
        h(
          "div",
          { class: "b-hands" },
          spot.hands.map((hand) =>
            h(
              "div",
              { class: `b-hand ${hand.turn ? "turn" : ""} ${hand.status}` },
              h(
                "div",
                { class: "b-fan" },
                fanned(
                  hand.cards.map((text, index) => {
                    const one = card(text);
                    if (index < hand.sideways) one.classList.add("sideways");
                    return one;
                  }),
                ),
              ),
              h("span", { class: "b-total num" }, hand.cards.length ? hand.total : ""),
              h(
                "span",
                { class: "b-status num" },
                `${dollars(hand.stake_cents)}${STATUS[hand.status] ? ` · ${STATUS[hand.status]}` : ""}`,
              ),
            ),
          ),
        ),
        h("span", { class: "b-who" }, `Spot ${spot.number} · ${spot.player}`),
      ),
    ),
  );
  $("#r-events").replaceChildren(
    ...game.steps
      .slice(0, at + 1)
      .flatMap((one) => one.events)
      .map((text) => h("li", {}, text)),
  );
  $("#r-events").scrollTop = 1e6;
  $("#r-range").value = at;
}
const end = game.steps.length - 1;
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
  if (at >= end) show(0);
  $("#r-play").firstChild.textContent = "Pause ";
  timer = setInterval(() => {
    if (at >= end) stop();
    else show(at + 1);
  }, 700);
};
$("#r-first").onclick = () => show(0);
$("#r-back").onclick = () => show(at - 1);
$("#r-next").onclick = () => show(at + 1);
$("#r-last").onclick = () => show(end);
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
  try {
    const path = `/tables/${game.table}/shoes/${game.shoe}`;
    const proof = await api("GET", path);
    const findings = [
      ...(await checkProof(proof, proof.cards.match(/../g))),
      {
        what: "This round is in the shoe's record, word for word",
        good: proof.rounds.includes(game.in_shoe),
      },
    ];
    $("#r-proof").replaceChildren(
      h(
        "ul",
        { class: "k-proof-list" },
        findings.map((finding) => h("li", { class: finding.good ? "" : "bad" }, finding.what)),
      ),
      h(
        "p",
        { class: "small" },
        h(
          "a",
          {
            class: "btn small",
            id: "r-save",
            href: `/api/v1${path}`,
            download: `${game.table}-shoe-${game.shoe}.json`,
          },
          "Save the record",
        ),
      ),
    );
  } catch (error) {
    if (error.status !== 404) {
      refused(error);
      return;
    }
    $("#r-proof").replaceChildren(
      h("p", { class: "small" }, "The shoe is still in play: its secret is revealed when it is over."),
    );
  }
};
$("#r-copy").onclick = async () => {
  await navigator.clipboard.writeText(location.href);
  toast("The link is copied.");
};
show(at);
