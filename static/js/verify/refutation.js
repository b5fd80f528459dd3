/** The errors of a proof that fails, and the checks that throw them. */

/** The recording contradicts itself. The message says how. */
export class Refuted extends Error {}

/** The file is not a recording, or was altered. The message says what is wrong. */
export class Damaged extends Error {}

/**
 * Throws Refuted unless `recorded` equals `expected`.
 *
 * @param {string} what the name of the compared values, for the message
 * @param {string | number | readonly (string | number)[]} recorded
 * @param {string | number | readonly (string | number)[]} expected
 */
export function expectEqual(what, recorded, expected) {
  if (String(recorded) === String(expected)) return;
  throw new Refuted(`${what} should be ${shorten(expected)}, but the recording says ${shorten(recorded)}`);
}

/**
 * Throws Refuted with the message `otherwise` unless `holds`.
 *
 * @param {unknown} holds
 * @param {string} otherwise
 * @returns {asserts holds}
 */
export function expectTrue(holds, otherwise) {
  if (!holds) throw new Refuted(otherwise);
}

/**
 * Decodes a key from lower-case hexadecimal digits. Throws Refuted for anything else. `what` is the key's name.
 *
 * @type {(digits: string, what: string) => Uint8Array<ArrayBuffer>}
 */
export function parseKey(digits, what) {
  const pairs = digits.match(/[0-9a-f]{2}/g) ?? [];
  expectTrue(pairs.join("") === digits, `${what} is not a hexadecimal number`);
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/** @param {string | number | readonly (string | number)[]} value */
function shorten(value) {
  const text = typeof value === "object" ? value.join(" ") : String(value);
  return text.length > 60 ? `${text.slice(0, 40)}…` : text || "nothing";
}
