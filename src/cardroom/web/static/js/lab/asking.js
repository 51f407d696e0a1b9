// Requests of the lab: they change nothing, so one that failed is tried again by itself.
import { api, Refused } from "../server.js";

/** How long is waited before each further try, in milliseconds. */
const WAITS = [400, 1200, 3000];
/** Answers that say: not now. */
const PASSING = [429, 502, 503, 504];

/**
 * Whether a failure may pass by itself: the server was away, or had no room.
 * @param {unknown} error
 */
export const passes = (error) => !(error instanceof Refused) || PASSING.includes(error.status);

/** @param {number} milliseconds */
const pause = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/**
 * Ask the lab, again and again for a while where that may help, as long as the answer is wanted.
 * @param {string} path
 * @param {object} body
 * @param {() => boolean} wanted
 * @returns {Promise<any>}
 */
export async function ask(path, body, wanted = () => true) {
  for (const wait of WAITS) {
    try {
      return await api("POST", path, body);
    } catch (error) {
      if (!passes(error) || !wanted()) throw error;
      await pause(wait);
      if (!wanted()) throw error;
    }
  }
  return api("POST", path, body);
}
