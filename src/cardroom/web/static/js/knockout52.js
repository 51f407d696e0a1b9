// The Knockout 52 table: renders whole states, sends wagers, keeps the house to its seal.
import {
  $,
  $$,
  api,
  card,
  counted,
  dollars,
  h,
  KEYS,
  live,
  newKey,
  randomHex,
  refused,
  say,
  serverClock,
  showPurse,
  takesKeys,
  tone,
  walksByKeyboard,
} from "./lib.js";
import { checkProof } from "./proof.js";

const root = $("#knockout52");
const table = root.dataset.table;
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const CHIPS = [100, 500, 2500, 10000];
let state = JSON.parse(root.dataset.state);
let chip = 500;
let stakes = { ...state.you.stakes };
let sending = Promise.resolve();
let pending = 0;
let clock = serverClock(state.now);
let shownGame = null;
let shownCards = 0;
let lastStakes = JSON.parse(sessionStorage.getItem("k52-stakes") ?? "null");
const salt = sessionStorage.getItem("k52-salt") ?? randomHex(16);
sessionStorage.setItem("k52-salt", salt);

// The layout, built once.
const bet = (wager, number) =>
  h(
    "button",
    {
      class: "k-bet",
      type: "button",
      "data-wager": wager.wager,
      click: (event) => change(wager.wager, event.shiftKey ? -chip : chip),
      contextmenu: (event) => {
        event.preventDefault();
        change(wager.wager, -chip);
      },
    },
    h("span", { class: "k-circle" }),
    h("span", { class: "k-title" }, wager.title),
    h("span", { class: "k-pays" }, `pays ${wager.pays}`),
    h("span", { class: "k-chance num" }),
    h("span", { class: "bar" }, h("i")),
    h("kbd", { class: "sr" }, String(number)),
  );
state.wagers.forEach((wager, index) => {
  if (index === 4) {
    $("#k-atw").append(bet(wager, 5));
    return;
  }
  const spaces = RANKS.map((rank, column) =>
    h("div", { class: "k-space", "data-space": 13 * index + column }, rank),
  );
  $("#k-rows").append(
    h(
      "div",
      { class: "k-row" },
      bet(wager, index + 1),
      h("div", { class: "k-spaces", role: "group", "aria-label": `Row ${index + 1}` }, spaces),
    ),
  );
});
const chipRow = $(".k-chips");
for (const cents of CHIPS) {
  chipRow.append(
    h(
      "button",
      {
        class: "chip",
        type: "button",
        role: "radio",
        "data-cents": cents,
        "aria-label": `${dollars(cents)} chip`,
        click: () => choose(cents),
      },
      String(cents / 100),
    ),
  );
}
function choose(cents) {
  chip = cents;
  for (const button of $$(".chip", chipRow)) {
    const on = Number(button.dataset.cents) === cents;
    button.setAttribute("aria-checked", on);
    button.tabIndex = on ? 0 : -1;
  }
}
choose(chip);

function change(wager, cents) {
  if (state.phase !== "open") return;
  place({ ...stakes, [wager]: Math.max(0, (stakes[wager] ?? 0) + cents) });
}
function place(wanted) {
  const before = stakes;
  stakes = Object.fromEntries(Object.entries(wanted).filter(([, cents]) => cents > 0));
  if (!Object.keys(stakes).length && !Object.keys(before).length) return;
  render();
  const body = { stakes, salt };
  pending += 1;
  sending = sending
    .then(() => api("PUT", `/knockout-52/tables/${table}/wagers`, body, { key: newKey() }))
    .catch((error) => {
      if (pending === 1) stakes = { ...state.you.stakes };
      refused(error);
    })
    .finally(() => {
      pending -= 1;
      render();
    });
}
async function deal() {
  try {
    await sending;
    if (state.phase === "open") {
      lastStakes = { ...stakes };
      sessionStorage.setItem("k52-stakes", JSON.stringify(lastStakes));
    }
    receive(await api("POST", `/knockout-52/tables/${table}/deal`));
  } catch (error) {
    refused(error);
  }
}

function phaseText() {
  if (!state.enabled) return "This table is closed by the house.";
  if (state.phase === "dealing") {
    return `Card ${state.cards.length} of 52 · ${state.wagers.find((w) => w.wager === state.marker).title}`;
  }
  if (state.deal_at) {
    const seconds = Math.max(0, Math.ceil((Date.parse(state.deal_at) - clock()) / 1000));
    return seconds ? `The deal begins in ${seconds} s, or when everybody is ready.` : "The deal begins.";
  }
  if (state.outcome && state.cards.length) {
    return state.outcome === "all-the-way"
      ? "All the Way: 52 cards, no match."
      : `A match in ${state.last.title}, at card ${state.cards.length}.`;
  }
  return Object.keys(stakes).length
    ? "Your wagers stand. Deal when you are ready."
    : "Choose a chip and put it on a wager.";
}

function render() {
  const open = state.phase === "open" && state.enabled;
  $("#k-phase").textContent = phaseText();
  for (const wager of state.wagers) {
    const button = $(`.k-bet[data-wager="${wager.wager}"]`);
    const staked = stakes[wager.wager] ?? 0;
    const over = wager.chance.decimal === 0 || wager.chance.decimal === 1;
    $(".k-circle", button).textContent = staked ? dollars(staked) : "";
    $(".k-chance", button).replaceChildren(
      h("span", {}, over ? wager.percent : `${wager.percent}`),
      h("span", { class: "tiny soft", title: `Exactly ${wager.chance.fraction}` }, over ? "" : "exact"),
    );
    $(".bar i", button).style.width = `${100 * wager.chance.decimal}%`;
    button.classList.toggle("staked", staked > 0);
    button.classList.toggle("won", wager.chance.decimal === 1);
    button.classList.toggle("lost", wager.chance.decimal === 0);
    button.classList.toggle("marked", state.marker === wager.wager);
    button.disabled = !open;
    button.setAttribute(
      "aria-label",
      `${wager.title}, pays ${wager.pays}, chance ${wager.percent}, your stake ${dollars(staked)}${state.marker === wager.wager ? ", the marker stands here" : ""}`,
    );
  }
  if (shownGame !== state.cards_of_game || shownCards > state.cards.length) {
    for (const space of $$(".k-space")) {
      $(".card", space)?.remove();
      space.classList.remove("match");
    }
    shownCards = 0;
    shownGame = state.cards_of_game;
  }
  const fresh = state.cards.length - shownCards <= 2;
  state.cards
    .slice(shownCards)
    .forEach((text, offset) =>
      $(`[data-space="${shownCards + offset}"]`).append(card(text, { large: true, dealt: fresh })),
    );
  shownCards = state.cards.length;
  const last = state.cards.length - 1;
  for (const space of $$(".k-space")) {
    const number = Number(space.dataset.space);
    space.classList.toggle("next", state.phase === "dealing" && number === last + 1);
    space.classList.toggle(
      "match",
      Boolean(state.outcome) && state.outcome !== "all-the-way" && number === last,
    );
  }
  const mine = Object.keys(state.you.stakes).length > 0;
  $("#k-deal").firstChild.textContent =
    state.phase === "dealing" ? "Next card " : state.you.ready ? "Waiting " : "Deal ";
  $("#k-deal").disabled =
    state.phase === "dealing"
      ? !state.you.alone
      : !open || !Object.keys(stakes).length || (state.you.ready && mine);
  $("#k-clear").disabled = !open;
  $("#k-repeat").disabled = !open;
  $("#k-repeat").hidden = !lastStakes;
  renderPlayers();
  renderLast();
  $("#k-number").textContent = state.game;
  $("#k-seal").textContent = state.commitment;
  showPurse(state.you);
}

const stakeWords = (placed) =>
  state.wagers
    .filter((wager) => placed[wager.wager])
    .map((wager) => `${wager.title} ${dollars(placed[wager.wager])}`)
    .join(", ");
function renderPlayers() {
  const box = $("#k-players");
  if (!state.players.length) {
    box.replaceChildren(h("p", { class: "soft" }, "Nobody has staked yet."));
    return;
  }
  box.replaceChildren(
    h(
      "table",
      {},
      h(
        "tbody",
        {},
        state.players.map((player) =>
          h(
            "tr",
            {},
            h(
              "td",
              {},
              h("b", {}, player.name),
              player.you ? " (you)" : "",
              h("br"),
              h("span", { class: "small soft" }, stakeWords(player.stakes)),
            ),
            h(
              "td",
              { class: `num ${tone(player.net_cents)}` },
              state.phase === "dealing"
                ? dollars(player.net_cents, { sign: true })
                : player.ready
                  ? "ready"
                  : "…",
            ),
          ),
        ),
      ),
    ),
  );
}
function renderLast() {
  const box = $("#k-last");
  const last = state.last;
  if (!last) {
    box.replaceChildren(h("p", { class: "soft" }, "No game has been dealt here yet."));
    return;
  }
  if (box.dataset.shown === last.id) return;
  box.dataset.shown = last.id;
  // A return of no more than the stake is told plainly and not celebrated.
  const own =
    last.your_net_cents === null
      ? null
      : h(
          "p",
          {},
          "You staked ",
          h("b", { class: "num" }, dollars(last.your_stake_cents)),
          last.your_net_cents > 0
            ? " and won "
            : last.your_net_cents < 0
              ? " and lost "
              : " and got it back.",
          last.your_net_cents
            ? h("b", { class: `num ${tone(last.your_net_cents)}` }, dollars(Math.abs(last.your_net_cents)))
            : "",
        );
  box.replaceChildren(
    h(
      "p",
      {},
      `Game ${last.number}: `,
      h("b", {}, last.outcome === "all-the-way" ? "All the Way" : `match in ${last.title}`),
      `, ${counted(last.cards, "card")}.`,
    ),
    own ?? "",
    h("p", {}, h("a", { href: `/rounds/${last.id}` }, "Replay and share")),
  );
  $("#k-proof").replaceChildren(
    h(
      "button",
      { class: "btn small", type: "button", click: () => prove(last) },
      `Check game ${last.number}`,
    ),
  );
  if (last.your_net_cents !== null) {
    say(`Game over: ${last.title}. Your result ${dollars(last.your_net_cents, { sign: true })}.`);
  }
}
async function prove(last) {
  const game = await api("GET", `/knockout-52/games/${last.id}`);
  const seals = JSON.parse(sessionStorage.getItem(`k52-seals-${table}`) ?? "[]");
  const findings = await checkProof(
    game.proof,
    game.card_texts,
    seals.length && seals.some((seal) => seal.game === last.number)
      ? seals.filter((seal) => seal.game === last.number).map((seal) => seal.seal)
      : [],
  );
  $("#k-proof").replaceChildren(
    h("p", { class: "small" }, h("b", {}, `Game ${last.number}, dealt again here:`)),
    h(
      "ul",
      { class: "k-proof-list" },
      findings.map((finding) => h("li", { class: finding.good ? "" : "bad" }, finding.what)),
    ),
  );
}

function receive(next) {
  if (Date.parse(next.now) < Date.parse(state.now)) return; // an older state that came late
  clock = serverClock(next.now);
  const seals = JSON.parse(sessionStorage.getItem(`k52-seals-${table}`) ?? "[]");
  if (next.phase === "open" && !seals.some((seal) => seal.game === next.game)) {
    sessionStorage.setItem(
      `k52-seals-${table}`,
      JSON.stringify([...seals.slice(-19), { game: next.game, seal: next.commitment }]),
    );
  }
  if (
    next.cards.length > state.cards.length &&
    next.phase === "dealing" &&
    Object.keys(next.you.stakes).length
  ) {
    say(`${phaseOf(next)}`);
  }
  state = next;
  if (!pending) stakes = { ...state.you.stakes };
  render();
}
const phaseOf = (view) => {
  const text = view.cards.at(-1);
  return $(`[data-card="${text}"]`)?.getAttribute("aria-label") ?? `Card ${view.cards.length}`;
};

$("#k-deal").addEventListener("click", deal);
$("#k-clear").addEventListener("click", () => place({}));
$("#k-repeat").addEventListener("click", () => {
  if (lastStakes) place(lastStakes);
});
$("#k-table").addEventListener("change", (event) => {
  location.href = `/knockout-52/${event.target.value}`;
});
$("#k-own").addEventListener("click", async () => {
  try {
    location.href = `/knockout-52/${(await api("POST", "/knockout-52/tables", { decks: Number($("#k-decks").value) }, { key: newKey() })).table}`;
  } catch (error) {
    refused(error);
  }
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target)) return;
  const key = event.key.toLowerCase();
  const digit = /^Digit([1-5])$/.exec(event.code);
  if (digit) change(state.wagers[digit[1] - 1].wager, event.shiftKey ? -chip : chip);
  else if (event.code === "Space" && !(walksByKeyboard() && event.target.closest("button, a"))) {
    event.preventDefault();
    if (!$("#k-deal").disabled) deal();
  } else if (key === KEYS.clear) $("#k-clear").click();
  else if (key === KEYS.repeat) $("#k-repeat").click();
  else if (key === KEYS["smaller chip"] || key === KEYS["larger chip"]) {
    choose(
      CHIPS[
        Math.min(CHIPS.length - 1, Math.max(0, CHIPS.indexOf(chip) + (key === KEYS["larger chip"] ? 1 : -1)))
      ],
    );
  } else return;
  if (digit) event.preventDefault();
});
setInterval(() => {
  if (state.deal_at) $("#k-phase").textContent = phaseText();
}, 250);
render();
live(`/knockout-52/tables/${table}/live`, receive, (up) => {
  $("#k-link").hidden = up;
});
