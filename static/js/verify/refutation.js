/** How a proof fails: the errors, and the comparisons that throw them. */

/** The recording contradicts itself; the message says how. */
export class Refuted extends Error {}

/** The file is not a recording, or was altered; the message says what is wrong. */
export class Damaged extends Error {}

/**
 * Throws Refuted unless what is recorded equals what is right.
 *
 * @param {string} what names what is compared
 * @param {string | number | readonly (string | number)[]} recorded
 * @param {string | number | readonly (string | number)[]} right
 */
export function same(what, recorded, right) {
  if (String(recorded) === String(right)) return;
  throw new Refuted(`${what} should be ${inWords(right)}, but the recording says ${inWords(recorded)}`);
}

/**
 * Throws Refuted with the message `otherwise` unless `holds`.
 *
 * @param {unknown} holds
 * @param {string} otherwise
 * @returns {asserts holds}
 */
export function must(holds, otherwise) {
  if (!holds) throw new Refuted(otherwise);
}

/**
 * The bytes of a key in lower-case hexadecimal digits. Throws Refuted for anything else; `what` names the key.
 *
 * @type {(digits: string, what: string) => Uint8Array<ArrayBuffer>}
 */
export function keyIn(digits, what) {
  const pairs = digits.match(/[0-9a-f]{2}/g) ?? [];
  must(pairs.join("") === digits, `${what} is no hexadecimal number`);
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/** @param {string | number | readonly (string | number)[]} value */
function inWords(value) {
  const text = typeof value === "object" ? value.join(" ") : String(value);
  return text.length > 60 ? `${text.slice(0, 40)}…` : text || "nothing";
}
