// Small helpers that every page uses: elements, money, cards, requests, live connections.
const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";
export const asset = (path) => meta("assets") + path;
export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** An element with attributes and children; functions become listeners, null children are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat());
  return element;
}

const RANKS = {
  A: "ace",
  T: "ten",
  J: "jack",
  Q: "queen",
  K: "king",
  2: "two",
  3: "three",
  4: "four",
  5: "five",
  6: "six",
  7: "seven",
  8: "eight",
  9: "nine",
};
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
export const cardName = (text) =>
  text === "back" ? "a card face down" : `${RANKS[text[0]]} of ${SUITS[text[1]]}`;

/** A card of the deck; `large` has a large index for small spaces. */
export function card(text, { large = false, dealt = false } = {}) {
  const id = large && text !== "back" ? `large-${text}` : text;
  return svg(
    "svg",
    {
      class: dealt ? "card dealt" : "card",
      viewBox: "0 0 100 140",
      role: "img",
      "aria-label": cardName(text),
      "data-card": text,
    },
    svg("use", { href: `${asset("cards.svg")}#${id}` }),
  );
}

/** Cards of a hand, from left to right as they lie: each over the one at its right and a step lower, so that three corners of every card are seen (PROC-17). */
export function fanned(cards) {
  const step = cards.length > 5 ? 14 : 20;
  cards.forEach((one, index) => {
    one.style.zIndex = cards.length - index;
    one.style.marginTop = `${step * (cards.length - 1 - index)}px`;
  });
  return cards;
}

export function dollars(cents, { sign = false } = {}) {
  const text = `$${Math.floor(Math.abs(cents) / 100).toLocaleString("en-US")}${cents % 100 ? `.${String(Math.abs(cents) % 100).padStart(2, "0")}` : ""}`;
  return cents < 0 ? `−${text}` : sign && cents > 0 ? `+${text}` : text;
}
/** A number with its thing: `1 ticket`, `2 tickets`. */
export const counted = (number, thing) =>
  `${number.toLocaleString("en-US")} ${thing}${number === 1 ? "" : "s"}`;
/** An amount on average: dollars from one dollar on, cents below, tenths below ten of them. */
export function average(cents, { sign = false } = {}) {
  const amount = Math.abs(cents);
  if (amount < 0.05) return "0¢";
  const text =
    Math.round(amount) >= 100
      ? `$${(amount / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
      : amount >= 9.95
        ? `${amount.toFixed(0)}¢`
        : `${amount.toFixed(1)}¢`;
  return cents < 0 ? `−${text}` : sign ? `+${text}` : text;
}
export const tone = (cents) => (cents > 0 ? "win" : cents < 0 ? "loss" : "");

export function randomHex(bytes) {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

export class Refused extends Error {
  constructor(body, status) {
    super(body.message);
    this.clause = body.clause;
    this.kind = body.kind;
    this.status = status;
  }
}

/** A request to the API; changing ones carry the session's token, and a key so that a repeat is done once. */
export async function api(method, path, body, { key = null } = {}) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRF-Token"] = meta("csrf");
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const attempt = () =>
    fetch(`/api/v1${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  let response;
  try {
    response = await attempt();
  } catch (error) {
    if (!key && method !== "GET") throw error;
    response = await attempt(); // the answer was lost: with a key, asking again is safe
  }
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer.error, response.status);
  return answer;
}
export const newKey = () => randomHex(12);

/** The key of every action, one and the same at every game and in the terminal; the server has the list. */
export const KEYS = JSON.parse(document.body?.dataset.keys ?? "{}");
export const keyFor = (action) => h("kbd", {}, KEYS[action] === " " ? "Space" : KEYS[action].toUpperCase());
/** Whether what has the focus wants the keys for itself: a box to write or choose in, not one to tick. */
export const takesKeys = (target) =>
  Boolean(
    target.closest("dialog, select, textarea, input:not([type=checkbox], [type=radio], [type=button])"),
  );

export function say(text) {
  const box = $("#live");
  if (box && box.textContent !== text) box.textContent = text;
}

let byKeyboard = false;
addEventListener(
  "pointerdown",
  () => {
    byKeyboard = false;
  },
  true,
);
addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Tab") byKeyboard = true;
  },
  true,
);
/** Whether the visitor walks the page by keyboard: then focus is kept, and Space belongs to the focused button. */
export const walksByKeyboard = () => byKeyboard;

let toastTimer;
/** Tell the player something, with the clause behind it. */
export function toast(message, clause = null) {
  $(".toast")?.remove();
  document.body.append(
    h(
      "div",
      { class: "toast", role: "alert" },
      message,
      clause ? h("span", { class: "clause" }, ` ${clause}`) : null,
    ),
  );
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => $(".toast")?.remove(), 6000);
}
export const refused = (error) =>
  toast(error.message.charAt(0).toUpperCase() + error.message.slice(1), error.clause);

/** Keep a live connection: every message is a whole state, so a lost one costs nothing. */
export function live(path, receive, status = () => {}) {
  let wait = 500;
  let socket;
  const open = () => {
    socket = new WebSocket(
      `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/v1${path}`,
    );
    socket.onopen = () => {
      wait = 500;
      status(true);
    };
    socket.onmessage = (message) => receive(JSON.parse(message.data));
    socket.onclose = () => {
      status(false);
      setTimeout(open, wait);
      wait = Math.min(wait * 2, 8000);
    };
  };
  open();
  addEventListener("pagehide", () => {
    if (socket) {
      socket.onclose = null;
      socket.close();
    }
  });
}

/** Show chips, time and result in the head of the page, and the reality check when it is due (R-59). */
export function showPurse(you) {
  const purse = $("#purse");
  if (!purse) return;
  $("[data-purse=chips]", purse).textContent = dollars(you.chips_cents);
  $("[data-purse=time]", purse).textContent = `${you.session_minutes} min`;
  const net = $("[data-purse=net]", purse);
  net.textContent = dollars(you.session_net_cents, { sign: true });
  net.className = tone(you.session_net_cents);
  const play = $("[data-purse=play]", purse);
  play.hidden = !you.in_play_cents;
  play.textContent = `${dollars(you.in_play_cents)} in play`;
  const dialog = $("#reality");
  if (you.reality_check && !dialog.open) {
    $("[data-reality=minutes]", dialog).textContent = `${you.session_minutes} minutes`;
    $("[data-reality=net]", dialog).textContent = dollars(you.session_net_cents, { sign: true });
    $("[data-reality=play]", dialog).textContent = you.in_play_cents
      ? `, with ${dollars(you.in_play_cents)} in play`
      : "";
    dialog.showModal();
  }
}

/** A countdown to a moment of the server's clock, whatever this machine's clock says. */
export function serverClock(now) {
  const ahead = Date.parse(now) - Date.now();
  return () => Date.now() + ahead;
}
