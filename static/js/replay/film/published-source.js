/**
 * A live show from a static host. Fetches every index (a list of what is new) soon after it is due, and then the files
 * that the index announces. Releases each entry a fixed time after it was on air in the room, so that all viewers see
 * the entry together. The `epoch` of an index is the id of one run of the show.
 *
 * @import { Entry } from "../../common/types.js"
 * @import { Listener } from "../../overlay/transport.js"
 * @import { FilmHand, Segment } from "./film.js"
 * @import { Connection, ChannelIndex } from "./studio-source.js"
 * @import { PublishedIndex } from "./published-files.js"
 */

import { reduce } from "../../overlay/reducer.js";
import { emptyHand, handInProgress, lastIndexWhere } from "./film.js";
import { PublishedEntries } from "./published-entries.js";
import { PublishedFiles } from "./published-files.js";

/** An index is fetched INDEX_DELAY_MS after it is due, or up to SPREAD_MS later, to spread the viewers' requests. */
const [INDEX_DELAY_MS, SPREAD_MS] = [500, 2000];
/** A host that takes longer than this to answer may be gone. */
const SILENCE_MS = 3000;
/**
 * The delay before the first retry, and the maximum delay. The delay doubles with each retry. After the show, the delay
 * is always the maximum.
 */
const RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
/** If the newest index is older than this, the next index is late, or a cache keeps the old index for too long. */
const STALE_MS = 15_000;
/** An index that is up to this much older than the known index comes from a cache. */
const CACHED_MS = 60_000;
/**
 * If new indexes seem older than LATE_MS or younger than EARLY_MS, a clock is wrong: the host's clock, or the clock of
 * the program that makes the show. Then the page uses that program's time, which every index contains.
 */
const [LATE_MS, EARLY_MS] = [30_000, -2000];
/** The difference of the clocks is measured with this number of indexes. */
const MEASURED_INDEXES = 3;
/** An entry may be released up to this much too early, because timers are not exact. */
const EARLY_RELEASE_MS = 4;
const NOT_STARTED_MESSAGE = "The show starts here as soon as it is on the host.";

export class PublishedSource {
  #files;
  /** @type {Listener | undefined} */
  #listener;
  /** The newest index. @type {PublishedIndex | undefined} */
  #newestIndex;
  /** All hands up to the newest index, even those that are not due yet. @type {FilmHand[]} */
  #hands = [];
  /** Indexes that are not due yet. @type {PublishedIndex[]} */
  #pendingIndexes = [];
  /** The index that is due. @type {ChannelIndex | undefined} */
  #dueIndex;
  /** The current hand, with the entries released so far. @type {Segment | undefined} */
  #openSegment;
  #entries;
  /** @type {number[]} */
  #ages = [];
  #skew = 0;
  #failures = 0;
  /** The number of consecutive fetches without a new index. */
  #repeats = 0;
  #isFetching = false;
  /** This page's random delay of up to SPREAD_MS. It never changes, so that the page's requests are evenly spaced. */
  #spreadMs = Math.random() * SPREAD_MS;
  #timer = 0;
  #releaseTimer = 0;
  #isUp = false;

  /** @param {string} address of the channel's folder */
  constructor(address) {
    this.#files = new PublishedFiles(address);
    this.#entries = new PublishedEntries(this.#files);
  }

  /** The moment of the show that viewers should see now, in milliseconds. */
  get now() {
    if (!this.#newestIndex) return 0;
    return Math.min(this.#newestIndex.at_ms, this.#newestIndex.at_ms + this.#age - this.#newestIndex.delay_s * 1000);
  }

  /** The age of the index, in milliseconds. */
  get #age() {
    return this.#files.clock.now - this.#skew - (this.#newestIndex?.now_utc_ms ?? 0);
  }

  /** The number of the last entry that has been released. */
  get #lastReleasedSeq() {
    return this.#openSegment ? this.#openSegment.first_seq - 1 + this.#openSegment.entries.length : 0;
  }

  /** @returns {Promise<ChannelIndex>} the index of the entries that are due */
  async index() {
    if (!this.#dueIndex || !this.#openSegment) throw new Error(NOT_STARTED_MESSAGE);
    const { n, first_seq, entries } = this.#openSegment;
    const current = this.#dueIndex.outline.hands[n] ?? emptyHand(first_seq, entries[0]?.at_ms ?? this.now);
    const hands = [...this.#hands.slice(0, n), current];
    return {
      ...this.#dueIndex,
      at_ms: this.now,
      last: this.#lastReleasedSeq,
      open: n,
      outline: { ...this.#dueIndex.outline, hands },
    };
  }

  /** @returns {Promise<Segment>} */
  async open() {
    if (!this.#openSegment) throw new Error(NOT_STARTED_MESSAGE);
    return { ...this.#openSegment, entries: [...this.#openSegment.entries] };
  }

  /** @type {(epoch: string, number: number) => Promise<Segment>} */
  segment(epoch, number) {
    return this.#files.segment(epoch, number);
  }

  /** @type {(listener: Listener) => Connection} */
  follow(listener) {
    this.#listener = listener;
    document.addEventListener("visibilitychange", () => document.hidden || this.#poll());
    addEventListener("online", () => this.#poll());
    this.#files.prefetchWholeIndex();
    void this.#poll();
    return { drop: () => void this.#poll(), again: () => this.#sendWelcome() };
  }

  /** Fetches the index, and plans the next request. */
  async #poll() {
    if (this.#isFetching) return;
    this.#isFetching = true;
    clearTimeout(this.#timer);
    const silence = setTimeout(() => this.#reportUp(false, SILENCE_MS), SILENCE_MS);
    try {
      await this.#applyIndex(await this.#files.index(this.#newestIndex !== undefined && this.#age > STALE_MS));
      this.#failures = 0;
      if (this.#files.clock.known) void this.#files.probeClock();
    } catch (error) {
      this.#failures += 1;
      if (!this.#dueIndex) this.#listener?.absent(error instanceof Error ? error.message : NOT_STARTED_MESSAGE);
    }
    clearTimeout(silence);
    this.#isFetching = false;
    this.#reportConnection();
    this.#timer = setTimeout(() => this.#poll(), this.#msUntilPoll());
  }

  /** Milliseconds until the next request for an index. */
  #msUntilPoll() {
    const times = this.#failures || this.#repeats;
    const retryMs = RETRY_MS * 2 ** (times - 1);
    if (this.#failures || !this.#newestIndex) return Math.min(retryMs, MAX_RETRY_MS) * (1 + Math.random());
    if (this.#newestIndex.state === "over") return MAX_RETRY_MS;
    if (times) return Math.min(retryMs, this.#newestIndex.every_ms);
    const due = INDEX_DELAY_MS + Math.max(0, this.#newestIndex.every_ms - this.#age);
    const { clock } = this.#files;
    return clock.isExact ? due + this.#spreadMs : clock.untilSecond(due);
  }

  /** @param {PublishedIndex} index lists the hands from number `since` */
  async #applyIndex(index) {
    const ageDifference = (this.#newestIndex?.now_utc_ms ?? 0) - index.now_utc_ms;
    const isNew = ageDifference < 0 || ageDifference >= CACHED_MS;
    this.#repeats = isNew ? 0 : this.#repeats + 1;
    if (ageDifference > 0 && !isNew) return;
    if (ageDifference !== 0) this.#measureSkew(index);
    this.#newestIndex = index;
    this.#files.storeChecksums(index);
    const isContinuation = this.#dueIndex?.epoch === index.epoch && index.since <= this.#hands.length;
    if (!isContinuation) return this.#jumpToNow(index, 0);
    this.#hands = [...this.#hands.slice(0, index.since), ...index.outline.hands];
    this.#pendingIndexes.push(index);
    try {
      await this.#fetchNewEntries(index);
    } finally {
      this.#releaseDue();
    }
  }

  /** Checks from the age of indexes whether the clocks of host and studio agree. @type {(index: PublishedIndex) => void} */
  #measureSkew({ now_utc_ms }) {
    const { clock } = this.#files;
    this.#ages = [...this.#ages, clock.now - now_utc_ms].slice(-MEASURED_INDEXES);
    const minAge = Math.min(...this.#ages);
    const hasEnough = this.#ages.length >= (clock.known ? MEASURED_INDEXES : 1);
    this.#skew = hasEnough && (minAge > LATE_MS || minAge < EARLY_MS) ? minAge : 0;
  }

  /**
   * Goes to the moment that viewers should see now, as if the page had just been opened.
   *
   * @param {PublishedIndex} index
   * @param {number} firstHand the first hand that may be shown
   */
  async #jumpToNow(index, firstHand) {
    [this.#pendingIndexes, this.#dueIndex] = [[], undefined];
    this.#entries.clear();
    this.#files.prefetchParts(index);
    const wholeIndex = await this.#files.fetchWholeIndex();
    if (wholeIndex.epoch !== index.epoch || wholeIndex.outline.hands.length < index.since)
      throw new Error(NOT_STARTED_MESSAGE);
    this.#files.storeChecksums(wholeIndex);
    this.#files.storeChecksums(index);
    const hands = [...wholeIndex.outline.hands.slice(0, index.since), ...index.outline.hands];
    const now = this.now;
    const current = lastIndexWhere(hands.length, (number) => (hands[number]?.at_ms ?? 0) <= now);
    const n = Math.max(firstHand, index.first, current);
    const piece = /** @type {Segment} */ (await this.#entries.fetchHand(index, n));
    this.#openSegment = { ...piece, entries: [] };
    this.#hands = hands;
    this.#dueIndex = {
      ...wholeIndex,
      ...index,
      since: 0,
      outline: { ...wholeIndex.outline, hands: [...hands.slice(0, n), handInProgress(hands[n])], finished: false },
    };
    this.#pendingIndexes = [index];
    await this.#fetchNewEntries(index).catch(() => undefined); // after the next index, the page tries again
    const end = this.#entries.nextHand?.first_seq;
    for (const entry of this.#entries.takeDue(this.now + EARLY_RELEASE_MS, end)) this.#releaseEntry(entry);
    this.#sendWelcome();
  }

  /** Fetches all new entries. Skips a hand that the host lacks. @type {(index: PublishedIndex) => Promise<void>} */
  async #fetchNewEntries(index) {
    try {
      await this.#entries.fetchNewEntries(index);
    } catch (error) {
      const lost = this.#entries.findLostHand(index);
      if (lost === undefined) throw error;
      await this.#jumpToNow(index, lost + 1);
    }
  }

  /** Releases the entries that are due, and the indexes with them. */
  #releaseDue() {
    clearTimeout(this.#releaseTimer);
    for (const entry of this.#entries.takeDue(this.now + EARLY_RELEASE_MS)) {
      this.#releaseEntry(entry);
      if (this.#listener?.entry(entry) === "gap") return this.#sendWelcome();
    }
    const before = indexStateKey(this.#dueIndex);
    while (this.#dueIndex && this.#pendingIndexes[0] && this.#pendingIndexes[0].last <= this.#lastReleasedSeq) {
      const { outline, ...index } = /** @type {PublishedIndex} */ (this.#pendingIndexes.shift());
      const hands = [...this.#hands.slice(0, index.since), ...outline.hands];
      this.#dueIndex = {
        ...this.#dueIndex,
        ...index,
        since: 0,
        outline: { ...this.#dueIndex.outline, ...outline, hands },
      };
    }
    if (indexStateKey(this.#dueIndex) !== before) return this.#sendWelcome(); // no entry announces this change
    const { next } = this.#entries;
    if (next) this.#releaseTimer = setTimeout(() => this.#releaseDue(), Math.max(0, next.at_ms - this.now));
  }

  /** @param {Entry} entry a due entry, perhaps the first of the next hand */
  #releaseEntry(entry) {
    const next = this.#entries.takeDueHand(entry);
    if (this.#openSegment && next) {
      const { opening, entries } = this.#openSegment;
      this.#openSegment = { ...next, opening: next.opening ?? entries.reduce(reduce, opening), entries: [] };
    }
    this.#openSegment?.entries.push(entry);
  }

  /** Tells the listener the show's position, so that the listener fetches the entries that it lacks. */
  #sendWelcome() {
    if (!this.#dueIndex || !this.#openSegment || !this.#listener) return;
    const { epoch, speed } = this.#dueIndex;
    const [seq, at_ms, listenerPosition] = [this.#lastReleasedSeq, this.now, this.#listener.position()];
    this.#listener.welcome({ type: "welcome", seq, at_ms, epoch, speed, channel: "" });
    const isMissingEntries = listenerPosition.epoch === epoch && listenerPosition.seq !== seq;
    if (isMissingEntries) this.#listener.snapshot({ type: "snapshot", seq, at_ms, state: this.#openSegment.opening });
    else this.#releaseDue();
    this.#reportConnection();
  }

  #reportConnection() {
    const isStale = this.#newestIndex?.state !== "over" && this.#age > STALE_MS;
    this.#reportUp(this.#dueIndex !== undefined && !this.#failures && !isStale);
  }

  /** `silentMs`: for how long the host has not answered. @type {(up: boolean, silentMs?: number) => void} */
  #reportUp(up, silentMs) {
    if (up !== this.#isUp) this.#listener?.connected(up, silentMs);
    this.#isUp = up;
  }
}

/** Sums up the facts that only an index has: state, sequel, recording. @type {(index: ChannelIndex | undefined) => string} */
function indexStateKey(index) {
  return index ? `${index.state} ${index.goes_on} ${index.recording ?? ""}` : "";
}
