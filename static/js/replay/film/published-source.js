/**
 * A live show from a static host. Fetches every index soon after it is due, and then the files that the index
 * announces. Releases each entry a fixed time after it was on air in the room, so that all viewers see the entry
 * together.
 *
 * @import { Entry } from "../../common/types.js"
 * @import { Listener } from "../../overlay/transport.js"
 * @import { FilmHand, Segment } from "./film.js"
 * @import { Connection, Index } from "./studio-source.js"
 * @import { Published } from "./published-files.js"
 */

import { reduce } from "../../overlay/reducer.js";
import { emptyHand, handInProgress, lastBefore } from "./film.js";
import { PublishedEntries } from "./published-entries.js";
import { PublishedFiles } from "./published-files.js";

/** An index is fetched this long after it is due, and up to `SPREAD_MS` later, so that requests spread out. */
const [AFTER_MS, SPREAD_MS] = [500, 2000];
/** A host that takes longer than this to answer may be gone. */
const SILENCE_MS = 3000;
/** The first and the maximum delay before a retry. The delay doubles each time. After the show, it is the maximum. */
const RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
/** If the index is older than this, the next index is late, or a cache keeps the old index for too long. */
const STALE_MS = 15_000;
/** An index that is older than the known index, but by less than this, comes from a cache. */
const CACHED_MS = 60_000;
/**
 * If the clocks of host and studio differ by more than this, one of them is wrong, so time is counted from the index.
 */
const [LATE_MS, EARLY_MS] = [30_000, -2000];
/** The difference of the clocks is measured with this number of indexes. */
const MEASURED = 3;
/** Entries may be released this much too early, because timers are not exact. */
const EARLY_RELEASE_MS = 4;
const UNKNOWN = "The show starts here as soon as it is on the host.";

export class PublishedSource {
  #files;
  /** @type {Listener | undefined} */
  #listener;
  /** The newest index. @type {Published | undefined} */
  #index;
  /** All hands up to the newest index, even those that are not due yet. @type {FilmHand[]} */
  #hands = [];
  /** Indexes that are not due yet. @type {Published[]} */
  #later = [];
  /** The index that is due. @type {Index | undefined} */
  #known;
  /** The current hand, with the entries released so far. @type {Segment | undefined} */
  #open;
  #entries;
  /** @type {number[]} */
  #ages = [];
  #skew = 0;
  #failures = 0;
  /** The number of consecutive fetches without a new index. */
  #repeats = 0;
  #asking = false;
  /** This page's random delay of up to SPREAD_MS. It never changes, so that the page's requests are evenly spaced. */
  #spreadMs = Math.random() * SPREAD_MS;
  #timer = 0;
  #due = 0;
  #up = false;

  /** @param {string} address of the channel's folder */
  constructor(address) {
    this.#files = new PublishedFiles(address);
    this.#entries = new PublishedEntries(this.#files);
  }

  /** The moment of the show that viewers should see now, in milliseconds. */
  get now() {
    if (!this.#index) return 0;
    return Math.min(this.#index.at_ms, this.#index.at_ms + this.#age - this.#index.delay_s * 1000);
  }

  /** The age of the index, in milliseconds. */
  get #age() {
    return this.#files.clock.now - this.#skew - (this.#index?.now_utc_ms ?? 0);
  }

  /** The number of the last entry that has been released. */
  get #last() {
    return this.#open ? this.#open.first_seq - 1 + this.#open.entries.length : 0;
  }

  /** @returns {Promise<Index>} the index of the entries that are due */
  async index() {
    if (!this.#known || !this.#open) throw new Error(UNKNOWN);
    const { n, first_seq, entries } = this.#open;
    const current = this.#known.outline.hands[n] ?? emptyHand(first_seq, entries[0]?.at_ms ?? this.now);
    const hands = [...this.#hands.slice(0, n), current];
    return { ...this.#known, at_ms: this.now, last: this.#last, open: n, outline: { ...this.#known.outline, hands } };
  }

  /** @returns {Promise<Segment>} */
  async open() {
    if (!this.#open) throw new Error(UNKNOWN);
    return { ...this.#open, entries: [...this.#open.entries] };
  }

  /** @type {(epoch: string, number: number) => Promise<Segment>} */
  segment(epoch, number) {
    return this.#files.segment(epoch, number);
  }

  /** @type {(listener: Listener) => Connection} */
  follow(listener) {
    this.#listener = listener;
    document.addEventListener("visibilitychange", () => document.hidden || this.#ask());
    addEventListener("online", () => this.#ask());
    this.#files.beginWhole();
    void this.#ask();
    return { drop: () => void this.#ask(), again: () => this.#greet() };
  }

  /** Fetches the index, and plans the next request. */
  async #ask() {
    if (this.#asking) return;
    this.#asking = true;
    clearTimeout(this.#timer);
    const silence = setTimeout(() => this.#say(false, SILENCE_MS), SILENCE_MS);
    try {
      await this.#learn(await this.#files.index(this.#index !== undefined && this.#age > STALE_MS));
      this.#failures = 0;
      if (this.#files.clock.known) void this.#files.probe();
    } catch (error) {
      this.#failures += 1;
      if (!this.#known) this.#listener?.absent(error instanceof Error ? error.message : UNKNOWN);
    }
    clearTimeout(silence);
    this.#asking = false;
    this.#connected();
    this.#timer = setTimeout(() => this.#ask(), this.#wait());
  }

  /** Milliseconds until the next request for an index. */
  #wait() {
    const times = this.#failures || this.#repeats;
    const retryMs = RETRY_MS * 2 ** (times - 1);
    if (this.#failures || !this.#index) return Math.min(retryMs, MAX_RETRY_MS) * (1 + Math.random());
    if (this.#index.state === "over") return MAX_RETRY_MS;
    if (times) return Math.min(retryMs, this.#index.every_ms);
    const due = AFTER_MS + Math.max(0, this.#index.every_ms - this.#age);
    const { clock } = this.#files;
    return clock.fine ? due + this.#spreadMs : clock.untilSecond(due);
  }

  /** @param {Published} index */
  async #learn(index) {
    const older = (this.#index?.now_utc_ms ?? 0) - index.now_utc_ms;
    const isNew = older < 0 || older >= CACHED_MS;
    this.#repeats = isNew ? 0 : this.#repeats + 1;
    if (older > 0 && !isNew) return;
    if (older !== 0) this.#measure(index);
    this.#index = index;
    this.#files.learn(index);
    const known = this.#known?.epoch === index.epoch && index.since <= this.#hands.length;
    if (!known) return this.#begin(index, 0);
    this.#hands = [...this.#hands.slice(0, index.since), ...index.outline.hands];
    this.#later.push(index);
    try {
      await this.#readOn(index);
    } finally {
      this.#feed();
    }
  }

  /** Checks from the age of indexes whether the clocks of host and studio agree. @type {(index: Published) => void} */
  #measure({ now_utc_ms }) {
    const { clock } = this.#files;
    this.#ages = [...this.#ages, clock.now - now_utc_ms].slice(-MEASURED);
    const least = Math.min(...this.#ages);
    const enough = this.#ages.length >= (clock.known ? MEASURED : 1);
    this.#skew = enough && (least > LATE_MS || least < EARLY_MS) ? least : 0;
  }

  /**
   * Goes to the moment that viewers should see now, as if the page had just been opened.
   *
   * @param {Published} index
   * @param {number} from the first hand that may be shown
   */
  async #begin(index, from) {
    [this.#later, this.#known] = [[], undefined];
    this.#entries.clear();
    this.#files.beginParts(index);
    const all = await this.#files.whole();
    if (all.epoch !== index.epoch || all.outline.hands.length < index.since) throw new Error(UNKNOWN);
    this.#files.learn(all);
    this.#files.learn(index);
    const hands = [...all.outline.hands.slice(0, index.since), ...index.outline.hands];
    const now = this.now;
    const current = lastBefore(hands.length, (at) => (hands[at]?.at_ms ?? 0) <= now);
    const n = Math.max(from, index.first, current);
    const piece = /** @type {Segment} */ (await this.#entries.begin(index, n));
    this.#open = { ...piece, entries: [] };
    this.#hands = hands;
    this.#known = {
      ...all,
      ...index,
      since: 0,
      outline: { ...all.outline, hands: [...hands.slice(0, n), handInProgress(hands[n])], finished: false },
    };
    this.#later = [index];
    await this.#readOn(index).catch(() => undefined); // after the next index, the page tries again
    const end = this.#entries.nextHand?.first_seq;
    for (const entry of this.#entries.due(this.now + EARLY_RELEASE_MS, end)) this.#release(entry);
    this.#greet();
  }

  /** Fetches all new entries, and skips a hand that is lost. @type {(index: Published) => Promise<void>} */
  async #readOn(index) {
    try {
      await this.#entries.readOn(index);
    } catch (error) {
      const lost = this.#entries.lostHand(index);
      if (lost === undefined) throw error;
      await this.#begin(index, lost + 1);
    }
  }

  /** Releases the entries that are due, and the indexes with them. */
  #feed() {
    clearTimeout(this.#due);
    for (const entry of this.#entries.due(this.now + EARLY_RELEASE_MS)) {
      this.#release(entry);
      if (this.#listener?.entry(entry) === "gap") return this.#greet();
    }
    const before = standingOf(this.#known);
    while (this.#known && this.#later[0] && this.#later[0].last <= this.#last) {
      const { outline, ...index } = /** @type {Published} */ (this.#later.shift());
      const hands = [...this.#hands.slice(0, index.since), ...outline.hands];
      this.#known = { ...this.#known, ...index, since: 0, outline: { ...this.#known.outline, ...outline, hands } };
    }
    if (standingOf(this.#known) !== before) return this.#greet(); // no entry announces this change
    const { next } = this.#entries;
    if (next) this.#due = setTimeout(() => this.#feed(), Math.max(0, next.at_ms - this.now));
  }

  /** @param {Entry} entry a due entry, perhaps the first of the next hand */
  #release(entry) {
    const next = this.#entries.dueHand(entry);
    if (this.#open && next) {
      const { opening, entries } = this.#open;
      this.#open = { ...next, opening: next.opening ?? entries.reduce(reduce, opening), entries: [] };
    }
    this.#open?.entries.push(entry);
  }

  /** Tells the listener the show's position, so that the listener fetches the entries that it lacks. */
  #greet() {
    if (!this.#known || !this.#open || !this.#listener) return;
    const { epoch, speed } = this.#known;
    const [seq, at_ms, known] = [this.#last, this.now, this.#listener.position()];
    this.#listener.welcome({ type: "welcome", seq, at_ms, epoch, speed, channel: "" });
    const isMissingEntries = known.epoch === epoch && known.seq !== seq;
    if (isMissingEntries) this.#listener.snapshot({ type: "snapshot", seq, at_ms, state: this.#open.opening });
    else this.#feed();
    this.#connected();
  }

  #connected() {
    const stale = this.#index?.state !== "over" && this.#age > STALE_MS;
    this.#say(this.#known !== undefined && !this.#failures && !stale);
  }

  /** `silentMs`: for how long the host has not answered. @type {(up: boolean, silentMs?: number) => void} */
  #say(up, silentMs) {
    if (up !== this.#up) this.#listener?.connected(up, silentMs);
    this.#up = up;
  }
}

/** Sums up the facts that only an index has: state, sequel, recording. @type {(index: Index | undefined) => string} */
function standingOf(index) {
  return index ? `${index.state} ${index.goes_on} ${index.recording ?? ""}` : "";
}
