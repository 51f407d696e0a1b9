// Bytes: hexadecimal, fields joined so that no two lists of them give the same bytes, hashes.
const text = new TextEncoder();

/** @param {string} hex */
export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));

/** @param {ArrayBuffer} bytes */
const toHex = (bytes) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Fields one after the other, each behind its length in four bytes.
 * @param {(string | Uint8Array)[]} fields
 */
export function encode(...fields) {
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

/** @param {Uint8Array<ArrayBuffer>} bytes */
export const sha256 = async (bytes) => toHex(await crypto.subtle.digest("SHA-256", bytes));
