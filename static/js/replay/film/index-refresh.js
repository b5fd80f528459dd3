/**
 * Decides when the source is asked anew what there is to tell of a show that is on air.
 *
 * @import { Entry } from "../../common/types.js"
 */

/** Entries after which there is something new to tell about a hand. */
const TELLING = new Set([
  "tournament_opened",
  "game_started",
  "game_ended",
  "hand_started",
  "hand_ended",
  "highlight_marked",
  "bot_eliminated",
  "control_set",
  "tournament_ended",
  "trouble_shown",
]);
/** It is asked so much later, and up to as long again, so that not everybody asks at once. */
const ASKED_AFTER_MS = 400;
/** So long after its time the next entry may come before it is asked whether everybody waits. */
const LULL_MS = 2500;

/** The next question, and the one that is asked if nothing happens. */
export class IndexRefresh {
  #ask;
  #asking = 0;
  #lull = 0;

  /** @param {() => void} ask */
  constructor(ask) {
    this.#ask = ask;
  }

  /** Asks in a moment. Does nothing if that is so already. */
  soon() {
    if (this.#asking) return;
    const wait = ASKED_AFTER_MS * (1 + Math.random());
    this.#asking = setTimeout(() => {
      this.#asking = 0;
      this.#ask();
    }, wait);
  }

  /** @param {Entry} entry that has just come on air */
  after(entry) {
    if (TELLING.has(entry.type)) this.soon();
    this.expect(entry.hold_ms);
  }

  /** @param {number} ms after which the next entry is due: asks if none has come by then */
  expect(ms) {
    clearTimeout(this.#lull);
    this.#lull = setTimeout(() => this.soon(), ms + LULL_MS);
  }
}
