/**
 * Follows the entries of a recording one by one, and says where in it the first one stands that is wrong.
 *
 * @import { Happening } from "./rules/events.js"
 * @import { Published } from "./published-hands.js"
 * @import { Tournament } from "./recording.js"
 * @import { Ledger } from "./season.js"
 * @typedef {Tournament | Published | Ledger} Story what has been proved of a recording so far
 */

import { isOfAHand } from "./rules/events.js";
import { Damaged, Refuted } from "./rules/refutation.js";

/** Takes the events of a file; where one is wrong, it throws Refuted with the place. */
export class Entries {
  /** @type {Story | null} */
  story = null;
  /** How many entries were taken. */
  count = 0;
  /** The lines of the events of the last hand. @type {number[]} */
  #lines = [];
  #opened;

  /** @param {(event: Happening) => Story} opened what the first event begins */
  constructor(opened) {
    this.#opened = opened;
  }

  /**
   * Throws Refuted, with the place in the file, where the event contradicts those before it.
   *
   * @param {Happening} event
   */
  take(event) {
    this.count += 1;
    if (event.type === "hand_started") this.#lines = [];
    if (isOfAHand(event)) this.#lines.push(this.count + 1);
    try {
      if (this.story) this.story.take(event);
      else this.story = this.#opened(event);
    } catch (error) {
      if (error instanceof Damaged) throw error;
      const at = error instanceof Refuted ? this.#lines[error.event] : 0;
      const what = error instanceof Refuted ? error.message : "it does not follow from what came before";
      throw new Refuted(what, -1, this.#where(at || this.count + 1));
    }
  }

  /**
   * Where an entry stands, for people who look for it.
   *
   * @param {number} line
   */
  #where(line) {
    return [this.story?.where, `line ${line} of the file`].filter(Boolean).join(", ");
  }
}
