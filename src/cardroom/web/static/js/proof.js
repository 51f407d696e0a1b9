// Deals a finished shoe again in this browser, from the revealed secret alone (docs/fairness.md has the bytes).
import { encode, fromHex, sha256 } from "./bytes.js";
import { h } from "./dom.js";
import { counted } from "./words.js";

/** @typedef {import("./types/proof.js").Proof} Proof */
/** @typedef {import("./types/proof.js").Finding} Finding */
/** @typedef {import("./types/proof.js").OwnSalt} OwnSalt */

const RANKS = "A23456789TJQK";
const SUITS = "cdhs";
/** More than any shoe takes: eight decks and a thousand cards without end, each of four bytes, few refused. */
const KEYSTREAM_BYTES = 65536;

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
 * What is shown of a salt before it is revealed; it covers the house's commitment.
 * @param {string} commitment
 * @param {string} salt
 */
export const hashOfSalt = (commitment, salt) =>
  sha256(encode("cardroom/player-salt/1", fromHex(commitment), fromHex(salt)));

/**
 * The salt of a deal: the cut, and a hash of it with all salts that were revealed, if any was.
 * @param {string} cut
 * @param {string[]} salts
 */
const jointSalt = async (cut, salts) =>
  salts.length ? sha256(encode("cardroom/salts/2", fromHex(cut), ...salts.map(fromHex))) : cut;

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
 * Numbers below bounds from the words of a key stream, without bias.
 * @param {DataView} words
 * @returns {(bound: number) => number}
 */
function numbers(words) {
  let at = 0;
  return (bound) => {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const word = words.getUint32(at);
      at += 4;
      if (word < limit) return word % bound;
    }
  };
}

/**
 * @param {string[]} deck
 * @param {(bound: number) => number} below
 */
function shuffle(deck, below) {
  for (let place = 0; place < deck.length - 1; place += 1) {
    const chosen = place + below(deck.length - place);
    [deck[place], deck[chosen]] = [deck[chosen], deck[place]];
  }
}

const ENDLESS = "infinite ";

/**
 * The first cards of a deck text, shuffled, or drawn one by one from a deck without end.
 * @param {string} deck
 * @param {DataView} words
 * @param {number} count
 */
function deal(deck, words, count) {
  const below = numbers(words);
  if (!deck.startsWith(ENDLESS)) {
    const cards = cardsOf(deck);
    shuffle(cards, below);
    return cards.slice(0, count);
  }
  const ranks = deck === `${ENDLESS}spanish` ? RANKS.replace("T", "") : RANKS;
  const whole = [...SUITS].flatMap((suit) => [...ranks].map((rank) => rank + suit));
  return Array.from({ length: count }, () => whole[below(whole.length)]);
}

/**
 * What is found about the players' salts in a record; `own` is this browser's.
 * @param {Proof} proof
 * @param {OwnSalt | null} own
 */
async function saltFindings(proof, own) {
  const salts = proof.salts ?? [];
  const revealed = salts.filter(({ salt }) => salt);
  const hashes = await Promise.all(revealed.map(({ salt }) => hashOfSalt(proof.commitment, salt)));
  const joint = await jointSalt(
    proof.cut ?? proof.salt,
    revealed.map(({ salt }) => salt),
  );
  /** @type {Finding[]} */
  const findings = [];
  if (revealed.length) {
    const fits = revealed.every(({ hash }, place) => hash === hashes[place]) && joint === proof.salt;
    findings.push({
      what: "The players' salts fit the hashes given before them, and are in the deal",
      good: fits,
    });
  } else if (proof.salts) {
    const what = "No player's word is in these cards: they follow from the house's secret alone";
    findings.push({ what, good: joint === proof.salt });
  }
  const late = salts.length - revealed.length;
  if (late) findings.push({ what: `${late} of ${salts.length} salts were not revealed in time`, good: true });
  if (!own?.shown) return findings; // no salt of this browser's was asked for
  findings.push({
    what: "This browser's own salt is among them",
    good: revealed.some(({ salt }) => salt === own.salt),
  });
  findings.push({
    what: "The hashes are those that this browser was shown before it revealed its salt",
    good: salts.map(({ hash }) => hash).join() === own.shown.join(),
  });
  return findings;
}

/**
 * All findings about a record. `seals` are the commitments this browser saw before the cards, `own` is its salt.
 * @param {Proof} proof
 * @param {string[]} shown
 * @param {string[]} seals
 * @param {OwnSalt | null} own
 */
export async function checkProof(proof, shown, seals = [], own = null) {
  const fields = [proof.game, proof.rules_hash, proof.shoe_id, proof.deck];
  const secret = fromHex(proof.secret);
  const sealed = encode("cardroom/commitment/1", ...fields, secret);
  const seal = await sha256(sealed);
  /** @type {Finding[]} */
  const findings = [{ what: "The revealed secret opens the seal", good: seal === proof.commitment }];
  if (seals.length) {
    const what = "The seal is the one this browser was shown before the deal";
    findings.push({ what, good: seals.includes(proof.commitment) });
  }
  const info = encode("cardroom/cards/1", ...fields);
  const words = await keystream(secret, fromHex(proof.salt), info, KEYSTREAM_BYTES);
  findings.push({
    what: `The secret deals the ${counted(shown.length, "card")} shown, in order`,
    good: deal(proof.deck, words, shown.length).join("") === shown.join(""),
  });
  return [...findings, ...(await saltFindings(proof, own))];
}

/** @param {Finding[]} findings */
export const findingsList = (findings) =>
  h(
    "ul",
    { class: "k-proof-list" },
    findings.map((finding) => h("li", { class: finding.good ? "" : "bad" }, finding.what)),
  );
