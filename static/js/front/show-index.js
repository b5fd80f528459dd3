/**
 * What the studio tells of a whole show that is on: its hands, and what comes when. It is asked anew when something
 * that it tells has changed on air, and now and then, as times follow the show.
 *
 * @import { ShowSchedule } from "../common/types.js"
 * @import { FilmHand } from "../replay/film/film.js"
 * @import { Source } from "../replay/film/studio-source.js"
 */

/** Entries after which there is something new. */
const TELLING = new Set([
  "hand_started",
  "hand_ended",
  "highlight_marked",
  "game_started",
  "game_ended",
  "stage_ended",
]);
/** It is asked so much later, and up to as long again, so that not everybody asks at once. */
const ASKED_AFTER_MS = 400;
const NOW_AND_THEN_MS = 30_000;

/** The index of one channel. */
export class ShowIndex {
  /** @type {FilmHand[]} */
  hands = [];
  /** @type {ShowSchedule} */
  schedule = {};
  #source;
  #changed;
  #epoch = "";
  #asking = 0;

  /**
   * @param {Source} source
   * @param {() => void} changed called when there is something new
   */
  constructor(source, changed) {
    this.#source = source;
    this.#changed = changed;
    setInterval(() => document.hidden || this.ask(), NOW_AND_THEN_MS);
  }

  /** @param {string | undefined} type of an entry that was on air; undefined: any may have been */
  aired(type) {
    if (!type || TELLING.has(type)) this.ask();
  }

  /** Asks, a little later. */
  ask() {
    if (this.#asking) return;
    const wait = ASKED_AFTER_MS * (1 + Math.random());
    this.#asking = setTimeout(() => {
      this.#asking = 0;
      void this.#tell();
    }, wait);
  }

  async #tell() {
    const index = await this.#source.index(Math.max(0, this.hands.length - 1)).catch(() => null);
    if (!index) return;
    if (index.since > this.hands.length || (index.epoch !== this.#epoch && index.since)) {
      this.hands = []; // another show than the one whose hands are known
      this.#epoch = index.epoch;
      return this.ask();
    }
    this.#epoch = index.epoch;
    this.hands = [...this.hands.slice(0, index.since), ...index.outline.hands];
    this.schedule = index.schedule;
    this.#changed();
  }
}
