// A long answer as it is computed: how far it is, then the answer. Who lets go of it lets the server stop.
import { Refused, started } from "../server.js";

/** @typedef {{share: number, words: string}} Share */

/**
 * One event of a stream: its name, `message` unless told, and what it says.
 * @param {string} text
 */
function eventOf(text) {
  const lines = text.split("\n").map((line) => line.split(/: (.*)/s, 2));
  const { event = "message", data = "{}" } = Object.fromEntries(lines);
  return { event, said: JSON.parse(data) };
}

/**
 * The events of an answer, one after another, however the network cuts them.
 * @param {Response} response
 */
async function* eventsOf(response) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    yield* parts.map(eventOf);
  }
}

/**
 * Ask, and hear how far it is until the answer is there.
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} signal
 * @param {(now: Share) => void} hear
 * @returns {Promise<any>}
 */
export async function follow(path, body, signal, hear) {
  const response = await started("POST", path, body, { signal, accept: "text/event-stream" });
  if (!response.ok) throw new Refused((await response.json()).error, response.status);
  for await (const { event, said } of eventsOf(response)) {
    if (event === "done") return said;
    if (event === "refused") throw new Error(said.message);
    hear(said);
  }
  throw new Error("the server broke off; ask again");
}
