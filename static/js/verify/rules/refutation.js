/**
 * The errors of a recording that does not hold, and the checks that throw them.
 */

import { inWords } from "./words.js";

/** The recording contradicts itself; the text says what does not fit. */
export class Refuted extends Error {
  /**
   * @param {string} what
   * @param {number} event the number of the event in its hand, from 0; -1: the last one
   */
  constructor(what, event = -1) {
    super(what);
    this.event = event;
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
