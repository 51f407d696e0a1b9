// Deals a finished shoe again in this browser, from the revealed secret alone (docs/fairness.md has the bytes).
const text = new TextEncoder();
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
const toHex = (bytes) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const RANKS = "A23456789TJQK";
const SUITS = "cdhs";

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

/** The cards of a deck text such as `Ac:1,2c:1,…`, in its order. */
function cardsOf(deck) {
  const cards = [];
  for (const part of deck.split(/[ ,]+/)) {
    const [card, count] = part.split(":");
    for (let n = 0; n < Number(count ?? 1); n += 1) cards.push(card);
  }
  const index = (card) => 13 * SUITS.indexOf(card[1]) + RANKS.indexOf(card[0]);
  return cards.sort((a, b) => index(a) - index(b));
}

async function keystream(secret, salt, info, bytes) {
  const base = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, base, 256);
  const key = await crypto.subtle.importKey("raw", bits, "AES-CTR", false, ["encrypt"]);
  const stream = await crypto.subtle.encrypt(
    { name: "AES-CTR", counter: new Uint8Array(16), length: 128 },
    key,
    new Uint8Array(bytes),
  );
  return new DataView(stream);
}

/** All findings about a record: {what, good}. `seals` are the commitments this browser saw before the cards. */
export async function checkProof(proof, shown, seals = []) {
  const fields = [proof.game, proof.rules_hash, proof.shoe_id, proof.deck];
  const secret = fromHex(proof.secret);
  const findings = [];
  const seal = toHex(
    await crypto.subtle.digest("SHA-256", encode("cardroom/commitment/1", ...fields, secret)),
  );
  findings.push({ what: "The revealed secret opens the seal", good: seal === proof.commitment });
  if (seals.length) {
    findings.push({
      what: "The seal is the one this browser was shown before the deal",
      good: seals.includes(proof.commitment),
    });
  }
  const deck = cardsOf(proof.deck);
  const words = await keystream(
    secret,
    fromHex(proof.salt),
    encode("cardroom/cards/1", ...fields),
    64 * deck.length,
  );
  let at = 0;
  const below = (bound) => {
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
  const dealt = deck.slice(0, shown.length).join("");
  findings.push({
    what: `The secret deals the ${shown.length} cards that were shown, in their order`,
    good: dealt === shown.join(""),
  });
  return findings;
}
