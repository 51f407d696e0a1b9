// A blackjack-family table: renders whole states, places wagers, plays hands, asks the coach.
import {
  $,
  $$,
  api,
  average,
  card,
  counted,
  dollars,
  fanned,
  h,
  KEYS,
  keyFor,
  live,
  newKey,
  randomHex,
  refused,
  say,
  serverClock,
  showPurse,
  takesKeys,
  toast,
  tone,
  walksByKeyboard,
} from "./lib.js";
import { checkProof } from "./proof.js";

const root = $("#table");
const table = root.dataset.table;
const layout = JSON.parse(root.dataset.layout);
const FIXED = layout.min_cents === layout.max_cents;
const CHIPS = FIXED ? [layout.min_cents, 200, 300] : [100, 500, 2500, 10000];
let state = JSON.parse(root.dataset.state);
let clock = serverClock(state.now);
let chip = FIXED ? layout.min_cents : 500;
let asked = {}; // what was sent and is not in a state yet, by spot
let building = {}; // stakes below the minimum, chip by chip: they stand on this page until they are enough
let wanted = wagersOf(state);
let pending = 0;
let sending = Promise.resolve();
let advice = null;
const shown = new Map();
let acting = false;
let previous = JSON.parse(sessionStorage.getItem(`b-wagers-${table}`) ?? "null");
const salt = sessionStorage.getItem("b-salt") ?? randomHex(16);
sessionStorage.setItem("b-salt", salt);
const coach = $("#b-coach");
coach.checked = localStorage.getItem("b-coach") === "on";
coach.addEventListener("change", () => {
  localStorage.setItem("b-coach", coach.checked ? "on" : "off");
  verdict("");
  if (!walksByKeyboard()) coach.blur();
});

function wagersOf(view) {
  return Object.fromEntries(
    view.spots
      .filter((spot) => spot.you && (spot.stake_cents || Object.keys(spot.side).length))
      .map((spot) => [spot.number, { stake_cents: spot.stake_cents, side: { ...spot.side } }]),
  );
}
const standing = () => ({ ...wagersOf(state), ...building });
const tooSmall = (wager) => wager && wager.stake_cents < layout.min_cents;
const open = () => state.phase === "wagers" && state.enabled;

// Wagers.
function add(number, bet, cents) {
  if (!open()) return;
  const now = wanted[number] ?? { stake_cents: 0, side: {} };
  const next = { stake_cents: now.stake_cents, side: { ...now.side } };
  if (bet === null) {
    next.stake_cents = Math.min(
      layout.max_cents,
      Math.max(0, next.stake_cents + (FIXED ? Math.sign(cents) * layout.min_cents : cents)),
    );
  } else {
    const kind = layout.side_bets.find((one) => one.wager === bet);
    if (tooSmall(next)) {
      toast("Place the primary wager first; a side bet stands beside it.", kind.clause);
      return;
    }
    const step = kind.stake === "fixed" ? kind.fixed_cents : Math.abs(cents);
    const most =
      kind.stake === "fixed"
        ? kind.fixed_cents
        : Math.min(layout.side_max_cents, kind.stake === "at_most_primary" ? next.stake_cents : Infinity);
    const value =
      (next.side[bet] ?? 0) +
      (cents < 0 || (kind.stake === "fixed" && next.side[bet])
        ? -step
        : Math.max(step, layout.side_min_cents));
    if (value <= 0) delete next.side[bet];
    else next.side[bet] = Math.min(most, Math.max(value, layout.side_min_cents));
    if (kind.needs === null && bet === "match-up" && !next.side["match-up"]) delete next.side["match-down"];
  }
  if (!next.stake_cents) next.side = {};
  place(number, next);
}
function place(number, next) {
  const stood = asked[number] ?? wagersOf(state)[number]?.stake_cents;
  delete building[number];
  if (next.stake_cents && tooSmall(next)) {
    next = { stake_cents: next.stake_cents, side: {} };
    building[number] = next;
  }
  wanted = { ...wanted, [number]: next };
  if (!next.stake_cents) delete wanted[number];
  render();
  if (tooSmall(next)) {
    if (!stood) return;
    next = { stake_cents: 0, side: {} };
  } // what stood at the table is taken back
  asked[number] = next.stake_cents;
  pending += 1;
  sending = sending
    .then(() =>
      api(
        "PUT",
        `/tables/${table}/spots/${number}/wagers`,
        { stake_cents: next.stake_cents, side: next.side, salt },
        { key: newKey() },
      ),
    )
    .catch((error) => {
      if (pending === 1) {
        delete building[number];
        wanted = standing();
      }
      refused(error);
    })
    .finally(() => {
      pending -= 1;
      render();
    }); // what is wanted stays in view until the next state
}
function repeat() {
  if (previous && open()) {
    for (const [number, wager] of Object.entries(previous)) place(Number(number), wager);
  }
}
function clear() {
  if (open()) for (const number of Object.keys(wanted)) place(Number(number), { stake_cents: 0, side: {} });
}
async function deal() {
  try {
    await sending;
    previous = { ...wanted };
    sessionStorage.setItem(`b-wagers-${table}`, JSON.stringify(previous));
    receive(await api("POST", `/tables/${table}/deal`));
  } catch (error) {
    refused(error);
  }
}

// Play.
async function act(option) {
  if (acting) return;
  acting = true;
  const step = state.step;
  const { spot, hand } = state.turn;
  const split = state.round.spots.find((one) => one.number === spot).hands.length > 1;
  try {
    const answer = await api(
      "POST",
      `/tables/${table}/actions`,
      { spot, action: option.action, step },
      { key: newKey() },
    );
    advice = null;
    if (coach.checked && answer.coach) {
      const { best, chosen, cost_cents: cost } = answer.coach;
      verdict(
        `Spot ${spot}${split ? `, hand ${hand}` : ""}: ${best === chosen || cost <= 0 ? `${chosen} was best.` : `${best} was better; ${chosen} costs ${average(cost)} on average.`}`,
      );
    }
    receive(answer);
  } catch (error) {
    refused(error);
  } finally {
    acting = false;
    render();
  }
}
async function advise() {
  try {
    advice = await api("GET", `/tables/${table}/advice`);
    if (!advice.ready) toast(cap(advice.why));
    render();
  } catch (error) {
    refused(error);
  }
}
function verdict(text) {
  $("#b-verdict").textContent = text;
}
const cap = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// Pictures. Cards come from left to right as they lie: the last one dealt is the leftmost (PROC-17).
function cardsInto(box, texts, sideways = 0) {
  const key = box.dataset.key;
  const before = shown.get(key) ?? [];
  const added = texts.length - before.length;
  if (JSON.stringify(before) === JSON.stringify(texts) && box.childElementCount === texts.length) return;
  box.replaceChildren(
    ...texts.map((text, index) => {
      const was = before[index - added];
      const one = card(text, { dealt: was === undefined || (was === "back" && text !== "back") });
      if (index < sideways) one.classList.add("sideways");
      return one;
    }),
  );
  if (box.classList.contains("b-fan")) fanned([...box.children]);
  shown.set(key, [...texts]);
}
const STATUS = {
  won: "✓ won",
  lost: "✕ lost",
  pushed: "push",
  surrendered: "surrendered",
  rescued: "rescued",
  stood: "stands",
  void: "void",
};
function handBox(spot, hand, index) {
  const fan = h("div", { class: "b-fan", "data-key": `${state.round_number}-${spot.number}-${index}` });
  cardsInto(fan, hand.cards, hand.sideways);
  return h(
    "div",
    { class: `b-hand ${hand.turn && state.phase === "round" ? "turn" : ""} ${hand.status}` },
    fan,
    h("span", { class: "b-total num" }, hand.total),
    h(
      "span",
      { class: "b-status num" },
      `${dollars(hand.stake_cents)}${STATUS[hand.status] ? ` · ${STATUS[hand.status]}` : ""}`,
    ),
  );
}
function spotBox(spot) {
  const played = state.round?.spots.find((one) => one.number === spot.number);
  const wager =
    wanted[spot.number] && (spot.you || !spot.player)
      ? wanted[spot.number]
      : { stake_cents: spot.stake_cents, side: spot.side };
  const showHands = played && (state.phase === "round" || !wager.stake_cents || true);
  const taken = spot.player && !spot.you;
  const circle = h(
    "button",
    {
      class: `b-circle ${wager.stake_cents ? "staked" : ""} ${wager.stake_cents && tooSmall(wager) ? "few" : ""}`,
      type: "button",
      disabled: !open() || taken,
      "aria-label": `Spot ${spot.number}${spot.player ? `, ${spot.player}` : ", free"}: ${wager.stake_cents ? dollars(wager.stake_cents) : "no wager"}`,
      click: (event) => add(spot.number, null, event.shiftKey ? -chip : chip),
      contextmenu: (event) => {
        event.preventDefault();
        add(spot.number, null, -chip);
      },
    },
    wager.stake_cents ? dollars(wager.stake_cents) : taken ? "" : String(spot.number),
  );
  const sides = layout.side_bets
    .filter(
      (bet) =>
        (spot.you || (!spot.player && wager.stake_cents >= layout.min_cents) || wager.side[bet.wager]) &&
        (open() || wager.side[bet.wager]),
    )
    .map((bet) =>
      h(
        "button",
        {
          class: `b-sidebet ${wager.side[bet.wager] ? "staked" : ""}`,
          type: "button",
          disabled: !open() || taken,
          "aria-label": `${bet.title} on spot ${spot.number}: ${wager.side[bet.wager] ? dollars(wager.side[bet.wager]) : "none"}`,
          click: (event) => add(spot.number, bet.wager, event.shiftKey ? -chip : chip),
          contextmenu: (event) => {
            event.preventDefault();
            add(spot.number, bet.wager, -chip);
          },
        },
        `${bet.title}${wager.side[bet.wager] ? ` ${dollars(wager.side[bet.wager])}` : ""}`,
      ),
    );
  const inPlay =
    state.phase === "round" && played
      ? Object.entries(played.side).map(([bet, amount]) =>
          h(
            "span",
            { class: "b-sidebet staked" },
            `${layout.side_bets.find((one) => one.wager === bet)?.title ?? bet} ${dollars(amount)}`,
          ),
        )
      : [];
  if (played?.insurance_cents) {
    inPlay.push(h("span", { class: "b-sidebet staked" }, `Insurance ${dollars(played.insurance_cents)}`));
  }
  const mine = state.turn && state.turn.spot === spot.number;
  return h(
    "div",
    {
      class: `b-spot ${mine ? "turn" : ""} ${played || spot.you || (wager.stake_cents && !taken) ? "full" : ""}`,
      "data-spot": spot.number,
    },
    showHands
      ? h(
          "div",
          { class: "b-hands" },
          played.hands.map((hand, index) => handBox(spot, hand, index)),
        )
      : null,
    inPlay.length ? h("div", { class: "b-sides" }, inPlay) : null,
    state.phase === "round" && played ? null : circle,
    sides.length && state.phase !== "round" ? h("div", { class: "b-sides" }, sides) : null,
    spot.you && state.phase !== "round"
      ? h(
          "button",
          {
            class: "b-release",
            type: "button",
            "aria-label": `Give spot ${spot.number} up`,
            click: () => release(spot.number),
          },
          "give up",
        )
      : null,
    h(
      "span",
      { class: `b-who ${spot.you ? "you" : ""}` },
      spot.player
        ? `${spot.you ? "You" : spot.player}${spot.ready && state.phase === "wagers" ? " · ready" : ""}`
        : played
          ? played.player
          : "free",
    ),
  );
}

// The floor: rules that are announced, and the waiting list (PROC-3).
function floor() {
  const said = state.announcement;
  const { place, offer_until: until } = state.you;
  const lines = [];
  if (said) {
    lines.push(
      h(
        "p",
        { class: "b-announced small" },
        h(
          "b",
          {},
          said.in_force
            ? "New rules since this shoe:"
            : said.needs_opening
              ? "Announced, from when the table next opens:"
              : "Announced, from the next shoe on:",
        ),
        h(
          "span",
          {},
          said.rules.flatMap((rule, index) => [
            index ? "; " : "",
            index ? rule.words : cap(rule.words),
            " ",
            h("span", { class: "clause" }, rule.clause),
          ]),
        ),
      ),
    );
  }
  const list = state.waiting.length
    ? `Waiting: ${state.waiting.map((one) => (one.you ? "you" : one.name)).join(", ")}.`
    : "";
  const join = state.full && !state.you.spots.length && place === null && state.enabled;
  if (place !== null) {
    lines.push(
      h(
        "p",
        { class: "small" },
        h("span", {}, `You are number ${place} on the waiting list. ${state.waiting.length > 1 ? list : ""}`),
        h("button", { class: "btn small", type: "button", id: "b-unwait", click: leave }, "Leave the list"),
      ),
    );
  } else if (until) {
    lines.push(
      h(
        "p",
        { class: "small" },
        h(
          "span",
          {},
          h("b", {}, `Spot ${state.you.spots[0]} is yours. `),
          state.phase === "round"
            ? "Stake when this round is over."
            : h(
                "span",
                {},
                "Stake within ",
                h("span", { class: "num", id: "b-offer" }, offerLeft()),
                " or it goes to the next.",
              ),
        ),
        h("button", { class: "btn small", type: "button", click: leave }, "Give it up"),
      ),
    );
  } else if (join) {
    lines.push(
      h(
        "p",
        { class: "small" },
        h("span", {}, `Every spot is taken. ${list}`),
        h(
          "button",
          {
            class: "btn small",
            type: "button",
            id: "b-wait",
            click: async () => {
              try {
                receive(await api("POST", `/tables/${table}/waiting`));
              } catch (error) {
                refused(error);
              }
            },
          },
          "Wait for a spot",
        ),
      ),
    );
  } else if (list) lines.push(h("p", { class: "small" }, list));
  const key = JSON.stringify([said, place, until, list, join, state.phase === "round", state.you.spots[0]]);
  if ($("#b-floor").dataset.key !== key) {
    $("#b-floor").dataset.key = key;
    $("#b-floor").replaceChildren(...lines);
  }
  $("#b-leave").hidden =
    !state.you.seated || place !== null || state.phase === "round" || Object.keys(wanted).length > 0;
}
const offerLeft = () => `${Math.max(0, Math.ceil((Date.parse(state.you.offer_until) - clock()) / 1000))} s`;
async function release(number) {
  delete building[number];
  try {
    await sending;
    receive(await api("DELETE", `/tables/${table}/spots/${number}`));
  } catch (error) {
    refused(error);
  }
}
async function leave() {
  try {
    receive(await api("POST", `/tables/${table}/leave`));
  } catch (error) {
    refused(error);
  }
}

function phaseText() {
  if (!state.enabled) return "This table is closed by the house.";
  if (state.phase === "shuffle") return "The cards are shuffled.";
  if (state.phase === "round") {
    if (!state.turn) return state.round.phase === "dealer" ? "The dealer plays." : "The cards are dealt.";
    const mine = state.you.options.length > 0;
    if (state.round.phase === "insurance") {
      return mine ? "The dealer shows an ace. Insurance?" : `Insurance: ${state.turn.player} decides.`;
    }
    return mine ? `Your hand on spot ${state.turn.spot}.` : `${state.turn.player} decides.`;
  }
  if (state.deal_at) {
    const seconds = Math.max(0, Math.ceil((Date.parse(state.deal_at) - clock()) / 1000));
    return seconds ? `The deal begins in ${seconds} s, or when everybody is ready.` : "The deal begins.";
  }
  if (state.full && !state.you.spots.length) return "Every spot is taken.";
  const few = Object.keys(building)[0];
  if (few) {
    return `${dollars(building[few].stake_cents)} on spot ${few}: the smallest wager is ${dollars(layout.min_cents)}.`;
  }
  return Object.keys(wanted).length
    ? "Your wagers stand. Deal when you are ready."
    : "Choose a chip and put it on a spot.";
}
function actions() {
  const box = $("#b-actions");
  const focused = document.activeElement?.dataset?.action;
  if (state.you.options.length) {
    const values = Object.fromEntries(
      (advice?.step === state.step && advice.ready ? advice.values : []).map((line) => [
        line.action,
        line.value_cents,
      ]),
    );
    const best = advice?.step === state.step && advice.ready ? advice.values[0]?.action : null;
    box.replaceChildren(
      ...state.you.options.map((option) =>
        h(
          "button",
          {
            class: `btn ${option.action === best ? "best" : ""}`,
            type: "button",
            "data-action": option.action,
            disabled: acting,
            click: () => act(option),
          },
          option.title,
          option.adds_cents ? h("small", { class: "num" }, `${dollars(option.adds_cents)} more`) : null,
          option.key ? h("kbd", {}, option.key.toUpperCase()) : null,
          values[option.action] !== undefined
            ? h(
                "small",
                { class: "num b-worth" },
                `${option.action === best ? "best " : ""}${average(values[option.action], { sign: true })}`,
              )
            : null,
        ),
      ),
      h(
        "button",
        { class: "btn quiet", type: "button", id: "b-advice", "data-action": "advice", click: advise },
        "Advice",
        keyFor("advice"),
      ),
    );
  } else if (state.phase === "wagers") {
    const staked = Object.keys(wanted).length > 0;
    const few = Object.keys(building).length > 0;
    box.replaceChildren(
      h(
        "div",
        { class: "b-chips", role: "radiogroup", "aria-label": "Chip" },
        CHIPS.map((amount) =>
          h(
            "button",
            {
              class: "chip",
              type: "button",
              role: "radio",
              "data-cents": amount,
              "data-action": `chip${amount}`,
              "aria-checked": String(amount === chip),
              "aria-label": `${dollars(amount)} chip`,
              tabindex: amount === chip ? 0 : -1,
              click: () => {
                chip = amount;
                actions();
              },
            },
            String(amount / 100),
          ),
        ),
      ),
      h(
        "button",
        {
          class: "btn small",
          type: "button",
          "data-action": "clear",
          disabled: !open() || !staked,
          click: clear,
        },
        "Clear",
        keyFor("clear"),
      ),
      h(
        "button",
        {
          class: "btn small",
          type: "button",
          "data-action": "repeat",
          disabled: !open() || !previous || staked,
          click: repeat,
        },
        "Repeat",
        keyFor("repeat"),
      ),
      h(
        "button",
        {
          class: "btn main",
          type: "button",
          id: "b-deal",
          "data-action": "deal",
          disabled: !open() || !staked || few || state.you.ready,
          click: deal,
        },
        state.you.ready ? "Waiting" : "Deal",
        keyFor("deal"),
      ),
    );
  } else box.replaceChildren(h("p", { class: "soft" }, state.turn ? "It is another player's turn." : ""));
  if (focused && walksByKeyboard()) $(`[data-action="${focused}"]`, box)?.focus();
}
function render() {
  $(".b-table").classList.toggle("playing", state.phase === "round");
  $("#b-phase").textContent = phaseText();
  const dealer = $("#b-dealer");
  dealer.dataset.key = `${state.round_number}-dealer`;
  cardsInto(dealer, state.round?.dealer ?? []);
  $("#b-dealer-total").textContent = state.round?.dealer_total ?? "";
  const focusedSpot = document.activeElement?.closest?.(".b-spot")?.dataset.spot;
  const focusedLabel = document.activeElement?.getAttribute?.("aria-label")?.split(":")[0];
  $("#b-spots").replaceChildren(...state.spots.map(spotBox));
  if (focusedSpot && walksByKeyboard()) {
    $$(`.b-spot[data-spot="${focusedSpot}"] button`)
      .find((button) => button.getAttribute("aria-label").startsWith(focusedLabel))
      ?.focus();
  }
  actions();
  floor();
  $("#b-told").replaceChildren(...state.told.slice(-40).map((line) => h("li", {}, line)));
  $("#b-told").scrollTop = 1e6;
  $("#b-shoe").textContent = state.shoe.endless
    ? "infinitely many decks"
    : state.shoe.cards_left === null
      ? "shuffling"
      : `shoe ${state.shoe.number} · ${counted(state.shoe.cards_left, "card")} left${state.shoe.last_round ? " · last round" : ""}`;
  const meters = Object.entries(state.meters);
  $("#b-meters").hidden = !meters.length;
  $("#b-meters").textContent = meters
    .map(
      ([wager, amount]) =>
        `${layout.side_bets.find((bet) => bet.wager === wager)?.title ?? wager}: ${dollars(amount)}`,
    )
    .join(" · ");
  $("#b-shoe-number").textContent = state.shoe.number;
  $("#b-seal").textContent = state.shoe.commitment ?? "the next shoe is being made";
  $("#b-cut").textContent = state.shoe.cut ? `${cap(state.shoe.cut)}.` : "";
  $("#b-check").hidden = !state.shoe.over;
  $("#b-renew").hidden = !(state.you.owner && state.phase === "wagers");
  renderLast();
  showPurse(state.you);
}
function renderLast() {
  const last = state.last;
  const box = $("#b-last");
  if (!last || box.dataset.shown === last.id) return;
  box.dataset.shown = last.id;
  // A return of no more than the stake is told plainly and not celebrated (R-60).
  const own =
    last.your_net_cents === null
      ? ""
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
  const others = last.results.filter((line) => !line.you);
  box.replaceChildren(
    own,
    others.length
      ? h(
          "p",
          { class: "small" },
          others.map((line) => `${line.name} ${dollars(line.net_cents, { sign: true })}`).join(" · "),
        )
      : "",
    h("p", {}, h("a", { href: `/rounds/${last.id}` }, `Replay and share round ${last.number}`)),
  );
  if (last.your_net_cents !== null) {
    say(`Round over. Your result ${dollars(last.your_net_cents, { sign: true })}.`);
  }
  account();
}
async function account() {
  if (!state.you.seated) return;
  try {
    const sum = await api("GET", `/tables/${table}/coach`);
    if (!sum.rounds) return;
    const money = (value) => average(value, { sign: true });
    $("#b-account").replaceChildren(
      h(
        "table",
        {},
        h(
          "tbody",
          {},
          [
            ["Rounds", String(sum.rounds)],
            ["The house's edge on your wagers", money(sum.expected_cents)],
            [`Mistakes (${sum.mistakes} of ${sum.judged} decisions)`, money(-sum.mistakes_cents)],
            ["Luck", money(sum.luck_cents)],
            ["Result on hands and insurance", money(sum.net_cents)],
          ].map(([name, value]) => h("tr", {}, h("td", {}, name), h("td", { class: "num" }, value))),
        ),
      ),
      h(
        "p",
        { class: "tiny soft" },
        "Edge and mistakes are exact averages for a fresh shoe; luck is what is left.",
      ),
    );
  } catch {
    /* told after the next round */
  }
}

function receive(next) {
  if (Date.parse(next.now) < Date.parse(state.now)) return; // an older state that came late
  clock = serverClock(next.now);
  const yourTurn = next.you.options.length && !state.you.options.length;
  if (next.rules_hash !== state.rules_hash) {
    location.reload();
    return;
  } // other limits, other side bets: the whole layout is new
  if (next.round_number !== state.round_number) verdict(""); // it spoke of the round before
  state = next;
  if (state.phase !== "wagers") building = {};
  for (const number of Object.keys(building)) {
    if (state.spots.some((spot) => spot.number === Number(number) && spot.player && !spot.you)) {
      delete building[number];
    }
  }
  if (next.shoe.commitment) {
    const seals = JSON.parse(sessionStorage.getItem(`b-seals-${table}`) ?? "[]");
    if (!seals.includes(next.shoe.commitment)) {
      sessionStorage.setItem(`b-seals-${table}`, JSON.stringify([...seals.slice(-9), next.shoe.commitment]));
    }
  }
  if (!pending) {
    asked = {};
    wanted = standing();
  }
  render();
  if (yourTurn) {
    const hand = next.round.spots.find((spot) => spot.number === next.turn.spot)?.hands[next.turn.hand - 1];
    say(`Your turn: ${hand?.total}, dealer shows ${next.round.dealer_total}.`);
  }
}
$("#b-check").addEventListener("click", async () => {
  try {
    const { shoes } = await api("GET", `/tables/${table}/shoes`);
    const seals = JSON.parse(sessionStorage.getItem(`b-seals-${table}`) ?? "[]");
    const proof = shoes[0];
    const findings = await checkProof(
      proof,
      proof.cards.match(/../g),
      seals.includes(proof.commitment) ? seals : [],
    );
    $("#b-proof").replaceChildren(
      h(
        "ul",
        { class: "k-proof-list" },
        findings.map((finding) => h("li", { class: finding.good ? "" : "bad" }, finding.what)),
      ),
    );
  } catch (error) {
    refused(error);
  }
});
$("#b-renew").addEventListener("click", async () => {
  try {
    receive(await api("POST", `/tables/${table}/new-shoe`));
  } catch (error) {
    refused(error);
  }
});
$("#b-leave").addEventListener("click", leave);
$("#b-table").addEventListener("change", (event) => {
  location.href = `/tables/${event.target.value}`;
});
$("#b-own").addEventListener("click", async () => {
  try {
    location.href = `/tables/${(await api("POST", "/tables", { game: root.dataset.game }, { key: newKey() })).table}`;
  } catch (error) {
    refused(error);
  }
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target)) return;
  const key = event.key.toLowerCase();
  const option = state.you.options.find((one) => one.key && one.key === key);
  const digit = /^Digit([1-9])$/.exec(event.code);
  if (option) act(option);
  else if (key === KEYS.advice && state.you.options.length) advise();
  else if (
    event.code === "Space" &&
    !event.target.closest("input") &&
    !(walksByKeyboard() && event.target.closest("button, a, summary"))
  ) {
    event.preventDefault();
    const button = $("#b-deal");
    if (button && !button.disabled) deal();
  } else if (digit && Number(digit[1]) <= state.spots.length) {
    add(Number(digit[1]), null, event.shiftKey ? -chip : chip);
  } else if (key === KEYS.repeat) repeat();
  else if (key === KEYS.clear) clear();
  else if (key === KEYS["smaller chip"] || key === KEYS["larger chip"]) {
    const sizes = [...CHIPS].sort((one, other) => one - other);
    chip =
      sizes[
        Math.min(sizes.length - 1, Math.max(0, sizes.indexOf(chip) + (key === KEYS["larger chip"] ? 1 : -1)))
      ];
    actions();
  }
});
setInterval(() => {
  if (state.deal_at) $("#b-phase").textContent = phaseText();
  if ($("#b-offer")) $("#b-offer").textContent = offerLeft();
  const box = $("#b-clock");
  box.hidden = !state.decide_by || !state.turn;
  if (!box.hidden) {
    $("i", box).style.width = `${Math.max(0, Math.min(100, (Date.parse(state.decide_by) - clock()) / 300))}%`;
  }
}, 200);
render();
account();
live(`/tables/${table}/live`, receive, (up) => {
  $("#b-link").hidden = up;
});
