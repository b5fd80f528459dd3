/**
 * Holds back entries that are on air, so that the page keeps pace with a delayed video of the show. Without a delay,
 * releases entries at once. No DOM.
 *
 * @import { Entry } from "../../common/types.js"
 */

/** How fast a delay shrinks: milliseconds of delay per millisecond of real time. */
const CATCHING_UP = 2;
/** The maximum time between two searches for due entries while the delay is changing. */
const LOOK_MS = 100;

/**
 * A queue that releases entries by a clock. Times are in milliseconds of the show, delays in milliseconds of this
 * device's clock.
 */
export class HeldBack {
  /** The number of the last entry that arrived, released or not. */
  last = 0;
  #release;
  /** @type {Entry[]} */
  #entries = [];
  /** The moment on air when the clock was last set. */
  #clock = 0;
  #clockSetAt = performance.now();
  #shown = 0;
  /** @type {{ from: number, to: number, since: number }} the delay; it changes gradually */
  #wait;
  #timer = 0;

  /**
   * @param {number} ms the delay
   * @param {(entry: Entry) => void} release called with each entry in order when it is due
   */
  constructor(ms, release) {
    this.#wait = { from: ms, to: ms, since: performance.now() };
    this.#release = release;
  }

  /** The moment that may be shown. */
  get now() {
    return Math.max(this.#shown, this.#live - this.#delay);
  }

  /** Whether entries are held back now, or will be. */
  get holds() {
    return this.#wait.to > 0 || this.#entries.length > 0;
  }

  /** The delay that was set. The page may still be adjusting to it. */
  get ms() {
    return this.#wait.to;
  }

  /** Sets the delay. For a longer delay, the picture freezes for a while; for a shorter delay, it catches up. */
  set ms(ms) {
    this.#wait = { from: this.#delay, to: ms, since: performance.now() };
    this.release();
  }

  /** Sets the clock. @param {number} atMs the moment that is on air now */
  setClock(atMs) {
    this.#clock = atMs;
    this.#clockSetAt = performance.now();
    if (atMs < this.#shown) this.#shown = 0;
  }

  /** Starts again with the entries up to number `last`. @type {(entries: Entry[], last: number) => void} */
  fill(entries, last) {
    this.#entries = entries;
    this.last = last;
    this.release();
  }

  /**
   * @param {Entry} entry
   * @param {boolean} live whether the entry has just gone on air; false if the page missed it and gets it late
   * @returns {"next" | "old" | "gap"} "gap" if entries are missing; then nothing changes
   */
  entry(entry, live) {
    if (entry.seq !== this.last + 1) return entry.seq <= this.last ? "old" : "gap";
    this.last = entry.seq;
    if (live || entry.at_ms > this.#live) this.setClock(entry.at_ms);
    this.#entries.push(entry);
    this.release();
    return "next";
  }

  /** Releases all entries that are due. Also called after the device has slept. */
  release() {
    clearTimeout(this.#timer);
    for (let [next] = this.#entries; next && next.at_ms <= this.now; [next] = this.#entries) {
      this.#entries.shift();
      this.#shown = next.at_ms;
      this.#release(next);
    }
    const [next] = this.#entries;
    if (!next) return;
    const moves = this.#delay !== this.#wait.to;
    const due = next.at_ms - this.now;
    this.#timer = setTimeout(() => this.release(), moves ? Math.min(LOOK_MS, due) : due);
  }

  get #live() {
    return this.#clock + performance.now() - this.#clockSetAt;
  }

  get #delay() {
    const { from, to, since } = this.#wait;
    const passed = performance.now() - since;
    return to > from ? Math.min(to, from + passed) : Math.max(to, from - CATCHING_UP * passed);
  }
}
