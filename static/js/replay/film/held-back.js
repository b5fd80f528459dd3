/**
 * Holds back entries (events that are on air, such as bets), so that the page keeps pace with a delayed video of the
 * show. Without a delay, releases entries at once. No DOM.
 *
 * @import { Entry } from "../../common/types.js"
 */

/** How fast a delay shrinks: milliseconds of delay per millisecond of real time. */
const CATCH_UP_RATE = 2;
/** The maximum time between two searches for due entries while the delay is changing. */
const POLL_MS = 100;

/**
 * A queue that releases entries by a clock. All times and delays are in milliseconds. A time is a moment of the show.
 */
export class DelayQueue {
  /** The number of the last entry that arrived, released or not. */
  lastSeq = 0;
  #onRelease;
  /** @type {Entry[]} */
  #entries = [];
  /** The moment on air when the clock was last set. */
  #clockMs = 0;
  #clockSetAt = performance.now();
  #lastReleasedMs = 0;
  /** @type {{ from: number, to: number, since: number }} the delay; it changes gradually */
  #delayChange;
  #releaseTimer = 0;

  /**
   * @param {number} ms the delay
   * @param {(entry: Entry) => void} release called with each entry in order when it is due
   */
  constructor(ms, release) {
    this.#delayChange = { from: ms, to: ms, since: performance.now() };
    this.#onRelease = release;
  }

  /** The moment that may be shown. */
  get now() {
    return Math.max(this.#lastReleasedMs, this.#liveMs - this.#currentDelayMs);
  }

  /** Whether entries are held back now, or will be. */
  get isHolding() {
    return this.#delayChange.to > 0 || this.#entries.length > 0;
  }

  /** The delay that was set. The page may still be adjusting to it. */
  get delayMs() {
    return this.#delayChange.to;
  }

  /**
   * Sets the delay. If the delay grows, the picture freezes for a while. If the delay shrinks, the picture catches up.
   */
  set delayMs(ms) {
    this.#delayChange = { from: this.#currentDelayMs, to: ms, since: performance.now() };
    this.release();
  }

  /** @param {number} atMs the moment that is on air now */
  setClock(atMs) {
    this.#clockMs = atMs;
    this.#clockSetAt = performance.now();
    if (atMs < this.#lastReleasedMs) this.#lastReleasedMs = 0;
  }

  /**
   * Starts again with `entries`. `last` is the number of the entry that arrived last.
   *
   * @type {(entries: Entry[], last: number) => void}
   */
  restart(entries, last) {
    this.#entries = entries;
    this.lastSeq = last;
    this.release();
  }

  /**
   * @param {Entry} entry
   * @param {boolean} live whether the entry has just gone on air; false if the page missed it and gets it late
   * @returns {"next" | "old" | "gap"} "gap" if entries are missing; then nothing changes
   */
  entry(entry, live) {
    if (entry.seq !== this.lastSeq + 1) return entry.seq <= this.lastSeq ? "old" : "gap";
    this.lastSeq = entry.seq;
    if (live || entry.at_ms > this.#liveMs) this.setClock(entry.at_ms);
    this.#entries.push(entry);
    this.release();
    return "next";
  }

  /** Releases all entries that are due. Also called after the device has slept. */
  release() {
    clearTimeout(this.#releaseTimer);
    for (let [next] = this.#entries; next && next.at_ms <= this.now; [next] = this.#entries) {
      this.#entries.shift();
      this.#lastReleasedMs = next.at_ms;
      this.#onRelease(next);
    }
    const [next] = this.#entries;
    if (!next) return;
    const isDelayChanging = this.#currentDelayMs !== this.#delayChange.to;
    const due = next.at_ms - this.now;
    this.#releaseTimer = setTimeout(() => this.release(), isDelayChanging ? Math.min(POLL_MS, due) : due);
  }

  get #liveMs() {
    return this.#clockMs + performance.now() - this.#clockSetAt;
  }

  get #currentDelayMs() {
    const { from, to, since } = this.#delayChange;
    const passed = performance.now() - since;
    return to > from ? Math.min(to, from + passed) : Math.max(to, from - CATCH_UP_RATE * passed);
  }
}
