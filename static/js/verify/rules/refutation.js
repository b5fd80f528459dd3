/**
 * How a proof fails: a recording contradicts the rules or itself, and the comparisons that say so.
 *
 * @import { Happening } from "./events.js"
 */

import { difference, inWords } from "./differences.js";

/** The recording contradicts itself; the text says what does not fit. */
export class Refuted extends Error {
  /**
   * @param {string} what
   * @param {number} event the number of the event in its hand, from 0; -1: the last one
   * @param {string} where it stands in the file, "" if that is not known
   */
  constructor(what, event = -1, where = "") {
    super(what);
    this.event = event;
    this.where = where;
  }
}

/** The file is no recording, or was altered; the text says what is wrong with it. */
export class Damaged extends Error {}

/**
 * Throws Refuted unless what is recorded equals what is right.
 *
 * @param {string} what is compared, in words
 * @param {unknown} recorded
 * @param {unknown} right
 */
export function same(what, recorded, right) {
  if (JSON.stringify(recorded) === JSON.stringify(right)) return;
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
 * Throws Refuted unless the recorded events of a hand, from number `begin` on, are those that the rules lead to.
 *
 * @param {readonly Happening[]} recorded
 * @param {readonly Happening[]} right
 */
export function sameEvents(recorded, right, begin = 0) {
  for (const [at, isThere] of recorded.slice(begin, begin + right.length).entries()) {
    const should = /** @type {Happening} */ (right[at]);
    if (JSON.stringify(isThere) !== JSON.stringify(should)) throw new Refuted(difference(isThere, should), begin + at);
  }
}

/**
 * The bytes of a key in lower-case hexadecimal digits. Throws Refuted for anything else.
 *
 * @param {string} digits
 * @param {string} what it is the key of
 */
export function keyIn(digits, what) {
  const pairs = digits.match(/[0-9a-f]{2}/g) ?? [];
  must(pairs.join("") === digits, `${what} is no hexadecimal number`);
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}
