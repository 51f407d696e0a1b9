// Deals a finished shoe again in this browser, from the revealed secret alone (docs/fairness.md has the bytes).
import { h } from "./dom.js";

/** @typedef {import("./types/proof.js").Proof} Proof */
/** @typedef {import("./types/proof.js").Finding} Finding */

const text = new TextEncoder();
const RANKS = "A23456789TJQK";
const SUITS = "cdhs";

/** @param {string} hex */
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));

/** @param {ArrayBuffer} bytes */
const toHex = (bytes) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Fields one after the other, each behind its length in four bytes.
 * @param {(string | Uint8Array)[]} fields
 */
function encode(...fields) {
  const parts = fields.map((field) => (typeof field === "string" ? text.encode(field) : field));
  const out = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(out.buffer).setUint32(at, part.length);
    out.set(part, at + 4);
    at += 4 + part.length;
  }
  return out;
}

/**
 * The cards of a deck text such as `Ac:1,2c:1,…`, in the order of a new deck.
 * @param {string} deck
 */
function cardsOf(deck) {
  const cards = deck.split(/[ ,]+/).flatMap((part) => {
    const [card, count] = part.split(":");
    return /** @type {string[]} */ (Array(Number(count ?? 1)).fill(card));
  });
  const index = (/** @type {string} */ card) => 13 * SUITS.indexOf(card[1]) + RANKS.indexOf(card[0]);
  return cards.sort((one, other) => index(one) - index(other));
}

/**
 * @param {Uint8Array<ArrayBuffer>} secret
 * @param {Uint8Array<ArrayBuffer>} salt
 * @param {Uint8Array<ArrayBuffer>} info
 * @param {number} bytes
 */
async function keystream(secret, salt, info, bytes) {
  const { subtle } = crypto;
  const base = await subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const bits = await subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, base, 256);
  const key = await subtle.importKey("raw", bits, "AES-CTR", false, ["encrypt"]);
  const counter = { name: "AES-CTR", counter: new Uint8Array(16), length: 128 };
  return new DataView(await subtle.encrypt(counter, key, new Uint8Array(bytes)));
}

/**
 * Shuffle a deck by the words of a key stream, each number below its bound without bias.
 * @param {string[]} deck
 * @param {DataView} words
 */
function shuffle(deck, words) {
  let at = 0;
  const below = (/** @type {number} */ bound) => {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const word = words.getUint32(at);
      at += 4;
      if (word < limit) return word % bound;
    }
  };
  for (let place = 0; place < deck.length - 1; place += 1) {
    const chosen = place + below(deck.length - place);
    [deck[place], deck[chosen]] = [deck[chosen], deck[place]];
  }
}

/**
 * All findings about a record. `seals` are the commitments this browser saw before the cards.
 * @param {Proof} proof
 * @param {string[]} shown
 * @param {string[]} seals
 */
export async function checkProof(proof, shown, seals = []) {
  const fields = [proof.game, proof.rules_hash, proof.shoe_id, proof.deck];
  const secret = fromHex(proof.secret);
  const sealed = encode("cardroom/commitment/1", ...fields, secret);
  const seal = toHex(await crypto.subtle.digest("SHA-256", sealed));
  /** @type {Finding[]} */
  const findings = [{ what: "The revealed secret opens the seal", good: seal === proof.commitment }];
  if (seals.length) {
    const what = "The seal is the one this browser was shown before the deal";
    findings.push({ what, good: seals.includes(proof.commitment) });
  }
  const deck = cardsOf(proof.deck);
  const info = encode("cardroom/cards/1", ...fields);
  shuffle(deck, await keystream(secret, fromHex(proof.salt), info, 64 * deck.length));
  findings.push({
    what: `The secret deals the ${shown.length} cards that were shown, in their order`,
    good: deck.slice(0, shown.length).join("") === shown.join(""),
  });
  return findings;
}

/** @param {Finding[]} findings */
export const findingsList = (findings) =>
  h(
    "ul",
    { class: "k-proof-list" },
    findings.map((finding) => h("li", { class: finding.good ? "" : "bad" }, finding.what)),
  );
