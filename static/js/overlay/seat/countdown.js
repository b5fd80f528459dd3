/**
 * The clock before the show: the time until the hour in the page's address, as a show does not know its own start.
 */

import { el, write } from "../../common/dom.js";
import { timeOf } from "../../common/format.js";

const HOUR_MS = 3600000;
/** A start that is longer ago than this was yesterday's. */
const LATE_MS = 6 * HOUR_MS;

/** A clock. `update` changes only those of its elements that show something else now. */
export class Countdown {
  #start;
  #figure = el("countdown__figure");
  root = el("countdown", el("countdown__word", "THE SHOW BEGINS IN"), this.#figure);

  /** @param {string} start "20:00" by this machine's clock, or "" */
  constructor(start) {
    this.#start = start;
  }

  /** @param {boolean} wanted whether the show has not begun */
  update(wanted) {
    this.root.hidden = !this.#start || !wanted;
    if (!this.root.hidden) write(this.#figure, figureOf(leftUntil(this.#start)));
  }

  /** How long until the clock shows another number, in milliseconds. */
  get wait() {
    return this.root.hidden ? Number.POSITIVE_INFINITY : leftUntil(this.#start) % 1000 || 1000;
  }
}

/** @param {string} start */
function leftUntil(start) {
  const now = Date.now();
  const [hours = 0, minutes = 0] = start.split(":").map(Number);
  const begins = new Date(now).setHours(hours, minutes, 0, 0);
  const left = begins - now;
  return Math.max(0, left < -LATE_MS ? left + 24 * HOUR_MS : left);
}

/** @param {number} ms */
function figureOf(ms) {
  const seconds = Math.ceil(ms / 1000);
  return seconds ? timeOf(1000 * seconds) : "NOW";
}
