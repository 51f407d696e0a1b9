// This browser's own salts: a fresh one for each shoe or game, which the house learns when wagers are closed.
import { toast } from "./notices.js";
import { checkProof, hashOfSalt } from "./proof.js";
import { api, randomHex } from "./server.js";

/** @typedef {import("./types/proof.js").OwnSalt} OwnSalt */
/** @typedef {import("./types/proof.js").SaltsView} SaltsView */

const KEPT = "salts";
const MOST = 50;
const SALT_BYTES = 32;

/** @returns {Record<string, OwnSalt>} */
const all = () => JSON.parse(localStorage.getItem(KEPT) ?? "{}");

/**
 * @param {string} commitment
 * @param {OwnSalt} own
 */
function keepSalt(commitment, own) {
  const others = Object.entries(all()).filter(([seal]) => seal !== commitment);
  const newest = [...others.slice(1 - MOST), [commitment, own]];
  localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(newest)));
}

/**
 * This browser's salt for a commitment of the house's, if it made one.
 * @param {string} commitment
 * @returns {OwnSalt | null}
 */
export const ownSalt = (commitment) => all()[commitment] ?? null;

/**
 * The hash that goes with a wager: of a salt made after the commitment was seen. None where none is taken.
 * @param {string | null} commitment
 * @param {SaltsView | null} salts
 */
export async function saltHash(commitment, salts) {
  if (!commitment || salts?.stage !== "open" || !globalThis.crypto?.subtle) return "";
  if (salts.yours) return salts.yours;
  const fresh = randomHex(SALT_BYTES);
  const hash = await hashOfSalt(commitment, fresh);
  const kept = ownSalt(commitment);
  // A hash of ours that is here and not ours any more was copied by somebody: another salt is made.
  const own = kept && !salts.hashes.includes(kept.hash) ? kept : { salt: fresh, hash, shown: null };
  keepSalt(commitment, own);
  return own.hash;
}

/** @type {Set<string>} */
const revealing = new Set();

/**
 * Reveal this browser's salt when wagers are closed; the hashes that are shown then are all there may be.
 * @param {string} path
 * @param {string | null} commitment
 * @param {SaltsView | null} salts
 */
export async function revealWhenAsked(path, commitment, salts) {
  if (!commitment || salts?.stage !== "asked" || revealing.has(commitment)) return;
  const own = ownSalt(commitment);
  const place = own ? salts.hashes.indexOf(own.hash) : -1;
  if (!own || place < 0 || salts.revealed[place]) return;
  if (own.shown && own.shown.join() !== salts.hashes.join()) return; // other hashes than at first: nothing is told
  keepSalt(commitment, { ...own, shown: salts.hashes });
  revealing.add(commitment);
  try {
    await api("POST", `${path}/salts`, { salt: own.salt });
  } catch {
    // too late, or the line is lost: the next state asks again, or says that the salt was left out
  } finally {
    revealing.delete(commitment);
  }
}

/**
 * When cards are over for which this browser revealed a salt, look by itself whether it is in their proof.
 * @param {string} name what the cards are called, such as `Shoe 2`
 * @param {string} commitment
 * @param {string} path where their proof is
 * @returns {Promise<string>} what was found, as a sentence
 */
export async function checkOwnSalt(name, commitment, path) {
  const own = ownSalt(commitment);
  if (!own?.shown) return "";
  /** @type {import("./types/proof.js").ShoeProof} */
  const proof = await api("GET", path);
  const findings = await checkProof(proof, proof.cards.match(/../g) ?? [], [commitment], own);
  const bad = findings.filter(({ good }) => !good);
  if (!bad.length) return `${name} was checked: your browser's salt is in its cards.`;
  const words = `${name} does not hold. This is not so: ${bad.map(({ what }) => what.toLowerCase()).join("; ")}.`;
  toast(words);
  return words;
}

/**
 * What this browser's part in the cards is, as a sentence.
 * @param {SaltsView | null} salts
 */
export function saltsText(salts) {
  if (!salts) return "";
  const { stage, hashes, revealed, yours } = salts;
  if (stage === "asked") return "Wagers are closed, and the players' browsers reveal their salts.";
  if (stage === "open") {
    return yours
      ? "Your browser's salt is in, by its hash."
      : "Your first wager brings a salt of your browser's.";
  }
  if (yours) {
    const is = revealed[hashes.indexOf(yours)];
    return is
      ? "Your browser's salt is in these cards."
      : "Your browser's salt came too late and is left out.";
  }
  return revealed.includes(true)
    ? "The salts of these cards were closed before you came."
    : "No player's word is in these cards.";
}
