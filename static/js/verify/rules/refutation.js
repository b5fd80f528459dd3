/**
 * What is said when a recording does not hold, and how two things are held against each other.
 */

import { told } from "./words.js";

/** The recording contradicts itself; the text says what does not fit. */
export class Refuted extends Error {
  /**
   * @param {string} what
   * @param {number} event the number of the event in its hand, from 0; -1: it is the one that was taken last
   */
  constructor(what, event = -1) {
    super(what);
    this.event = event;
  }
}

/** The file is no recording, or was altered; the text says what is wrong with it. */
export class Damaged extends Error {}

/**
 * Throws Refuted unless the recording says what is right.
 *
 * @param {string} what
 * @param {unknown} recorded
 * @param {unknown} right
 */
export function same(what, recorded, right) {
  if (JSON.stringify(recorded) === JSON.stringify(right)) return;
  throw new Refuted(`${what} should be ${told(right)}, but the recording says ${told(recorded)}`);
}

/**
 * Throws Refuted unless it holds.
 *
 * @param {unknown} holds
 * @param {string} otherwise
 * @returns {asserts holds}
 */
export function must(holds, otherwise) {
  if (!holds) throw new Refuted(otherwise);
}
