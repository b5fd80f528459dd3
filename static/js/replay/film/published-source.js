/**
 * A show that is on, from a static host: asks for every index soon after it is due, which brings what is new, and tells
 * each entry a fixed time after it was on air in the room, so that all viewers see it at the same moment.
 *
 * @import { Entry } from "../../common/types.js"
 * @import { Listener } from "../../overlay/transport.js"
 * @import { FilmHand, Segment } from "./film.js"
 * @import { Connection, Index } from "./studio-source.js"
 * @import { Published } from "./published-files.js"
 */

import { reduce } from "../../overlay/reducer.js";
import { emptyHand, lastBefore } from "./film.js";
import { PublishedEntries } from "./published-entries.js";
import { PublishedFiles } from "./published-files.js";

/** An index is asked for so long after it is due, and up to so much later, as not all pages are to ask at once. */
const [AFTER_MS, SPREAD_MS] = [500, 2000];
/** The host may be gone if it has not answered after this long. */
const SILENCE_MS = 3000;
/** One that has not come is asked for again so much later, then after twice that, and so on; seldom after the end. */
const AGAIN_MS = 1000;
const LONGEST_MS = 30_000;
/** An index older than this is late, or the host keeps it for too long. */
const STALE_MS = 15_000;
/** An index that is older than the one known, by less than this, comes from a cache. */
const CACHED_MS = 60_000;
/** Clocks that differ by more than this do not both tell the time: then it is counted from the index. */
const [LATE_MS, EARLY_MS] = [30_000, -2000];
/** From so many indexes it is seen how late they come. */
const MEASURED = 3;
/** Entries that are as near as this are due: timers are no finer. */
const NEARLY_MS = 4;
const UNKNOWN = "The show comes on here as soon as the host has it.";

export class PublishedSource {
  #files;
  /** @type {Listener | undefined} */
  #listener;
  /** The newest. @type {Published | undefined} */
  #index;
  /** All hands up to the newest index, also those that are still to come here. @type {FilmHand[]} */
  #hands = [];
  /** Indexes whose moment has not come. @type {Published[]} */
  #later = [];
  /** What may be known now. @type {Index | undefined} */
  #told;
  /** The hand that is on, as far as it has been told. @type {Segment | undefined} */
  #open;
  #entries;
  /** @type {number[]} */
  #lates = [];
  #skew = 0;
  #failures = 0;
  /** How often in a row there was no new index. */
  #repeats = 0;
  #asking = false;
  /** This page's own share of SPREAD_MS, so that its questions come at even intervals. */
  #spreadMs = Math.random() * SPREAD_MS;
  #timer = 0;
  #due = 0;
  #up = false;

  /** @param {string} address of the channel's folder */
  constructor(address) {
    this.#files = new PublishedFiles(address);
    this.#entries = new PublishedEntries(this.#files);
  }

  /** The moment of the show that is to be seen now, in milliseconds. */
  get now() {
    if (!this.#index) return 0;
    return Math.min(this.#index.at_ms, this.#index.at_ms + this.#age - this.#index.delay_s * 1000);
  }

  /** How many milliseconds ago the index was made. */
  get #age() {
    return this.#files.clock.now - this.#skew - (this.#index?.now_utc_ms ?? 0);
  }

  /** The last entry that has been told. */
  get #last() {
    return this.#open ? this.#open.first_seq - 1 + this.#open.entries.length : 0;
  }

  /** @returns {Promise<Index>} nothing that is still to come here, though it may be known already */
  async index() {
    if (!this.#told || !this.#open) throw new Error(UNKNOWN);
    const { n, first_seq, entries } = this.#open;
    const on = this.#told.outline.hands[n] ?? emptyHand(first_seq, entries[0]?.at_ms ?? this.now);
    const hands = [...this.#hands.slice(0, n), on];
    return { ...this.#told, at_ms: this.now, last: this.#last, open: n, outline: { ...this.#told.outline, hands } };
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

  /** Asks for the index, and a while later again. */
  async #ask() {
    if (this.#asking) return;
    this.#asking = true;
    clearTimeout(this.#timer);
    const silence = setTimeout(() => this.#say(false, SILENCE_MS), SILENCE_MS);
    try {
      await this.#take(await this.#files.index(this.#index !== undefined && this.#age > STALE_MS));
      this.#failures = 0;
      if (this.#files.clock.known) void this.#files.probe();
    } catch (error) {
      this.#failures += 1;
      if (!this.#told) this.#listener?.absent(error instanceof Error ? error.message : UNKNOWN);
    }
    clearTimeout(silence);
    this.#asking = false;
    this.#connected();
    this.#timer = setTimeout(() => this.#ask(), this.#wait());
  }

  /** How long until it is asked for an index again. */
  #wait() {
    const times = this.#failures || this.#repeats;
    const again = AGAIN_MS * 2 ** (times - 1);
    if (this.#failures || !this.#index) return Math.min(again, LONGEST_MS) * (1 + Math.random());
    if (this.#index.state === "over") return LONGEST_MS;
    if (times) return Math.min(again, this.#index.every_ms);
    const due = AFTER_MS + Math.max(0, this.#index.every_ms - this.#age);
    const { clock } = this.#files;
    return clock.fine ? due + this.#spreadMs : clock.untilSecond(due);
  }

  /** @param {Published} index */
  async #take(index) {
    const older = (this.#index?.now_utc_ms ?? 0) - index.now_utc_ms;
    const isNew = older < 0 || older >= CACHED_MS;
    this.#repeats = isNew ? 0 : this.#repeats + 1;
    if (older > 0 && !isNew) return;
    if (older !== 0) this.#measure(index);
    this.#index = index;
    this.#files.note(index);
    const known = this.#told?.epoch === index.epoch && index.since <= this.#hands.length;
    if (!known) return this.#begin(index, 0);
    this.#hands = [...this.#hands.slice(0, index.since), ...index.outline.hands];
    this.#later.push(index);
    try {
      await this.#readOn(index);
    } finally {
      this.#feed();
    }
  }

  /** How late indexes come tells whether the clocks of host and studio agree. @type {(index: Published) => void} */
  #measure({ now_utc_ms }) {
    const { clock } = this.#files;
    this.#lates = [...this.#lates, clock.now - now_utc_ms].slice(-MEASURED);
    const least = Math.min(...this.#lates);
    const enough = this.#lates.length >= (clock.known ? MEASURED : 1);
    this.#skew = enough && (least > LATE_MS || least < EARLY_MS) ? least : 0;
  }

  /**
   * Finds the moment that is to be seen now, as a page does that has just come.
   *
   * @param {Published} index
   * @param {number} from the first hand that may be shown
   */
  async #begin(index, from) {
    [this.#later, this.#told] = [[], undefined];
    this.#entries.clear();
    this.#files.beginParts(index);
    const all = await this.#files.whole();
    if (all.epoch !== index.epoch || all.outline.hands.length < index.since) throw new Error(UNKNOWN);
    this.#files.note(all);
    this.#files.note(index);
    const hands = [...all.outline.hands.slice(0, index.since), ...index.outline.hands];
    const now = this.now;
    const there = lastBefore(hands.length, (at) => (hands[at]?.at_ms ?? 0) <= now);
    const n = Math.max(from, index.first, there);
    const piece = /** @type {Segment} */ (await this.#entries.begin(index, n));
    this.#open = { ...piece, entries: [] };
    const { stage = "", game = 0, hand = 0, seq = 1, at_ms = 0 } = hands[n] ?? {};
    const on = { ...emptyHand(seq, at_ms), stage, game, hand };
    this.#hands = hands;
    this.#told = {
      ...all,
      ...index,
      goes_on: index.goes_on ?? false,
      since: 0,
      outline: { ...all.outline, hands: [...hands.slice(0, n), on], finished: false },
    };
    this.#later = [index];
    await this.#readOn(index).catch(() => undefined); // it is asked for again with the next index
    for (const entry of this.#entries.take(this.now + NEARLY_MS, this.#entries.nextHand?.first_seq)) this.#tell(entry);
    this.#greet();
  }

  /** Fetches what is new, but for a hand that is lost. @type {(index: Published) => Promise<void>} */
  async #readOn(index) {
    try {
      await this.#entries.readOn(index);
    } catch (error) {
      const lost = this.#entries.lostHand(index);
      if (lost === undefined) throw error;
      await this.#begin(index, lost + 1);
    }
  }

  /** Tells what is due, and what may be known with it. */
  #feed() {
    clearTimeout(this.#due);
    for (const entry of this.#entries.take(this.now + NEARLY_MS)) {
      this.#tell(entry);
      if (this.#listener?.entry(entry) === "gap") return this.#greet();
    }
    const before = standingOf(this.#told);
    while (this.#told && this.#later[0] && this.#later[0].last <= this.#last) {
      const { outline, ...index } = /** @type {Published} */ (this.#later.shift());
      const hands = [...this.#hands.slice(0, index.since), ...outline.hands];
      // What an index leaves out because it is not so does not hold any more.
      const told = { ...this.#told, ...index, goes_on: index.goes_on ?? false };
      this.#told = { ...told, since: 0, outline: { ...this.#told.outline, ...outline, hands } };
    }
    if (standingOf(this.#told) !== before) return this.#greet(); // no entry tells this
    const { next } = this.#entries;
    if (next) this.#due = setTimeout(() => this.#feed(), Math.max(0, next.at_ms - this.now));
  }

  /** @param {Entry} entry whose time has come, perhaps the first of the next hand */
  #tell(entry) {
    const next = this.#entries.takeHand(entry);
    if (this.#open && next) {
      const { opening, entries } = this.#open;
      this.#open = { ...next, opening: next.opening ?? entries.reduce(reduce, opening), entries: [] };
    }
    this.#open?.entries.push(entry);
  }

  /** Says where the show is; the listener asks for what it lacks. */
  #greet() {
    if (!this.#told || !this.#open || !this.#listener) return;
    const { epoch, speed } = this.#told;
    const [seq, at_ms, known] = [this.#last, this.now, this.#listener.position()];
    this.#listener.welcome({ type: "welcome", seq, at_ms, epoch, speed, channel: "" });
    const lacks = known.epoch === epoch && known.seq !== seq;
    if (lacks) this.#listener.snapshot({ type: "snapshot", seq, at_ms, state: this.#open.opening });
    else this.#feed();
    this.#connected();
  }

  #connected() {
    const stale = this.#index?.state !== "over" && this.#age > STALE_MS;
    this.#say(this.#told !== undefined && !this.#failures && !stale);
  }

  /** `silentMs`: how long an answer has been missing. @type {(up: boolean, silentMs?: number) => void} */
  #say(up, silentMs) {
    if (up !== this.#up) this.#listener?.connected(up, silentMs);
    this.#up = up;
  }
}

/** How the show stands, whether another follows, and its recording. @type {(index: Index | undefined) => string} */
function standingOf(index) {
  return index ? `${index.state} ${index.goes_on ?? false} ${index.recording ?? ""}` : "";
}
