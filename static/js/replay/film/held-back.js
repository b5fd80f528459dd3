/**
 * Entries of a show that are on air already and wait until they are as old as this page shows them: who watches a
 * video of the show, which comes later, wants the page no sooner. Without a wait they pass at once. No DOM.
 *
 * @import { Entry } from "../../common/types.js"
 */

/** A shorter wait is reached by playing so much faster. */
const CATCHING_UP = 2;
/** While the wait changes, it is looked so often whether an entry is due. */
const LOOK_MS = 100;

/** The queue, and the clock it goes by. Times are milliseconds of the show, waits those of the clock. */
export class HeldBack {
  /** The number of the last entry that has come, whether it has been released or not. */
  last = 0;
  #release;
  /** @type {Entry[]} */
  #entries = [];
  /** The show's time on air when it was last told. */
  #told = 0;
  #toldAt = performance.now();
  #shown = 0;
  /** @type {{ from: number, to: number, since: number }} the wait, which moves from one length to another */
  #wait;
  #timer = 0;

  /**
   * @param {number} ms how long entries wait
   * @param {(entry: Entry) => void} release called with every entry when its time has come, in their order
   */
  constructor(ms, release) {
    this.#wait = { from: ms, to: ms, since: performance.now() };
    this.#release = release;
  }

  /** The moment that may be shown. */
  get now() {
    return Math.max(this.#shown, this.#live - this.#waited);
  }

  /** Whether anything is held back, or will be. */
  get holds() {
    return this.#wait.to > 0 || this.#entries.length > 0;
  }

  /** How long entries wait, or will when the page has caught up. */
  get ms() {
    return this.#wait.to;
  }

  /** A longer wait lets the picture stand until it is reached, a shorter one lets it catch up. */
  set ms(ms) {
    this.#wait = { from: this.#waited, to: ms, since: performance.now() };
    this.release();
  }

  /** @param {number} atMs the moment that is on air now */
  tell(atMs) {
    this.#told = atMs;
    this.#toldAt = performance.now();
    if (atMs < this.#shown) this.#shown = 0;
  }

  /** Begins anew with entries that were on air, up to `last`. @type {(entries: Entry[], last: number) => void} */
  fill(entries, last) {
    this.#entries = entries;
    this.last = last;
    this.release();
  }

  /**
   * @param {Entry} entry that comes on air
   * @param {boolean} live whether it has just come on, and was not missed before
   * @returns {"next" | "old" | "gap"} "gap" where entries are missing; nothing changes then
   */
  entry(entry, live) {
    if (entry.seq !== this.last + 1) return entry.seq <= this.last ? "old" : "gap";
    this.last = entry.seq;
    if (live || entry.at_ms > this.#live) this.tell(entry.at_ms);
    this.#entries.push(entry);
    this.release();
    return "next";
  }

  /** Releases what is due, as after a sleep. */
  release() {
    clearTimeout(this.#timer);
    for (let [next] = this.#entries; next && next.at_ms <= this.now; [next] = this.#entries) {
      this.#entries.shift();
      this.#shown = next.at_ms;
      this.#release(next);
    }
    const [next] = this.#entries;
    if (!next) return;
    const moves = this.#waited !== this.#wait.to;
    const due = next.at_ms - this.now;
    this.#timer = setTimeout(() => this.release(), moves ? Math.min(LOOK_MS, due) : due);
  }

  get #live() {
    return this.#told + performance.now() - this.#toldAt;
  }

  get #waited() {
    const { from, to, since } = this.#wait;
    const passed = performance.now() - since;
    return to > from ? Math.min(to, from + passed) : Math.max(to, from - CATCHING_UP * passed);
  }
}
