// The server: its files, requests to its API, live connections, its clock.

/** @param {string} name */
function meta(name) {
  const element = /** @type {HTMLMetaElement | null} */ (document.querySelector(`meta[name="${name}"]`));
  return element?.content ?? "";
}

/**
 * The address of a file that belongs to the pages.
 * @param {string} path
 */
export const asset = (path) => meta("assets") + path;

/** @param {number} bytes */
export function randomHex(bytes) {
  const numbers = [...crypto.getRandomValues(new Uint8Array(bytes))];
  return numbers.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A key for a request that must be done once, however often it is sent. */
export const newKey = () => randomHex(12);

/** What the server would not do, in its own words. */
export class Refused extends Error {
  /**
   * @param {{message: string, kind: string, clause: string | null}} body
   * @param {number} status
   */
  constructor(body, status) {
    super(body.message);
    this.clause = body.clause;
    this.kind = body.kind;
    this.status = status;
  }
}

/**
 * Begin a request to the API; changing ones carry the session's token.
 * @param {"GET" | "POST" | "PUT" | "DELETE"} method
 * @param {string} path
 * @param {object} [body]
 * @param {{key?: string | null, accept?: string, signal?: AbortSignal}} options
 */
export function started(method, path, body, { key = null, accept = "application/json", signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: accept };
  if (method !== "GET") headers["X-CSRF-Token"] = meta("csrf");
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const text = body === undefined ? undefined : JSON.stringify(body);
  return fetch(`/api/v1${path}`, { method, headers, body: text, signal });
}

/**
 * A request to the API and its answer; with a key a repeat is done once.
 * @param {"GET" | "POST" | "PUT" | "DELETE"} method
 * @param {string} path
 * @param {object} [body]
 * @param {{key?: string | null}} options
 * @returns {Promise<any>}
 */
export async function api(method, path, body, { key = null } = {}) {
  const attempt = () => started(method, path, body, { key });
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

/**
 * Keep a live connection: every message is a whole state, so a lost one costs nothing.
 * @param {string} path
 * @param {(state: any) => void} receive
 * @param {(up: boolean) => void} status
 */
export function live(path, receive, status) {
  let wait = 500;
  /** @type {WebSocket | undefined} */
  let socket;
  const open = () => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/api/v1${path}`);
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
    if (!socket) return;
    socket.onclose = null;
    socket.close();
  });
}

/**
 * The server's clock in milliseconds, whatever this machine's clock says.
 * @param {string} now
 */
export function serverClock(now) {
  const ahead = Date.parse(now) - Date.now();
  return () => Date.now() + ahead;
}
