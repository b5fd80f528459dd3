/**
 * The film (the replayable show) of a channel that is still on air. Its source has the finished hands, and its
 * connection delivers the current hand. After an interruption, the film catches up, even if the studio (the program
 * that makes the show) was restarted. With a delay, the film shows each entry (an event of the show) that much later.
 *
 * @import { State, Welcome } from "../../common/types.js"
 * @import { Change } from "../../overlay/store.js"
 * @import { Segment } from "./film.js"
 * @import { LiveEdge } from "./live-edge.js"
 * @import { Connection, ChannelIndex, FilmSource, ShowState } from "./studio-source.js"
 * @typedef {{ grown: () => void, renewed: (isRenumbered: boolean) => void }} FilmListener `grown` is called after every
 *   entry and change of the outline (the list of hands). `renewed` is called when the show has been loaded, for the
 *   first time or after a gap in the entries. `isRenumbered` means that the entries have new numbers
 */

import { Store } from "../../overlay/store.js";
import { outageReporter } from "../../overlay/transport.js";
import { emptyHand, emptyOutline, Film } from "./film.js";
import { DelayQueue } from "./held-back.js";
import { IndexRefresher, loadEdge } from "./live-edge.js";

const RETRY_MS = 1000;

export class LiveFilm extends Film {
  live = true;
  up = false;
  /** @type {FilmListener} */
  audience = { grown: () => undefined, renewed: () => undefined };
  #source;
  #liveStore = new Store((change) => this.#onLiveChange(change));
  #delayQueue;
  #indexRefresher = new IndexRefresher(async () => {
    const index = await this.#source.index(this.#firstChangedHand).catch(() => null);
    if (index && index.epoch === this.#liveStore.epoch && !this.#isLoading) this.#applyIndex(index);
  });
  /** Entries up to this number arrive late, because the page missed them when they were on air. */
  #lastLateSeq = 0;
  /** @type {Segment} */
  #openSegment = { n: 0, first_seq: 1, opening: this.#liveStore.state, entries: [] };
  /** @type {Connection | undefined} */
  #connection;
  /** Indexes (the server's lists of hands) whose last entry is not shown yet. @type {ChannelIndex[]} */
  #pendingIndexes = [];
  #isLoading = false;
  /** The number of the first hand that may have changed since the last index. */
  #firstChangedHand = 0;
  /** @type {ShowState} */
  #showState = "live";
  /** Whether another contest follows on the channel. */
  #hasSequel = false;

  /**
   * @param {FilmSource} source
   * @param {number} heldMs how long the page holds back entries
   */
  constructor(source, heldMs) {
    super("", emptyOutline());
    this.#source = source;
    this.#delayQueue = new DelayQueue(heldMs, (entry) => this.#liveStore.entry(entry));
  }

  /**
   * @param {FilmSource} source
   * @param {string} epoch the id of this run of the show, "" if the channel is not open yet
   * @param {number} heldMs how long the page holds back entries
   * @param {(why: string) => void} onAbsent called with a message if there will be no such channel
   * @returns {Promise<LiveFilm>} resolved once the film can be shown
   */
  static watch(source, epoch, heldMs, onAbsent) {
    const film = new LiveFilm(source, heldMs);
    return new Promise((done) => {
      film.audience = { ...film.audience, renewed: () => done(film) };
      film.follow(epoch, onAbsent);
    });
  }

  /** @override */
  get end() {
    return this.#delayQueue.now;
  }

  /** How long the page holds back entries, in milliseconds. */
  get heldMs() {
    return this.#delayQueue.delayMs;
  }

  set heldMs(ms) {
    this.#delayQueue.delayMs = ms;
  }

  /** The state of the show at the latest moment that may be shown, such as "paused". */
  get showState() {
    if (this.recording || (this.#liveStore.state.scene === "champion" && !this.#hasSequel)) return "over";
    return this.#showState === "over" ? "live" : this.#showState;
  }

  /** @override */
  get speed() {
    return this.#liveStore.speed;
  }

  /** @override @param {number} number */
  segment(number) {
    return number === this.#openSegment.n ? Promise.resolve(this.#openSegment) : super.segment(number);
  }

  /** @override @param {number} number */
  loadSegment(number) {
    return this.#source.segment(this.#liveStore.epoch, number);
  }

  /** Drops the connection, as a broken network would. */
  drop() {
    this.#connection?.drop();
  }

  /**
   * Loads the show so far, and then follows it.
   *
   * @param {string} epoch the id of this run of the show, "" if the channel is not open yet
   * @param {(why: string) => void} onAbsent called with a message if there will be no such channel
   */
  async follow(epoch, onAbsent) {
    if (epoch) await this.#reload(epoch);
    const reportConnection = outageReporter((isLost) => {
      this.lost = isLost;
      this.audience.grown();
    });
    this.#connection = this.#source.follow({
      position: () => ({ seq: this.#delayQueue.lastSeq, epoch: this.#liveStore.epoch }),
      welcome: (message) => this.#welcome(message),
      snapshot: () => void this.#reload(this.#liveStore.epoch),
      entry: (entry) => (this.#isLoading ? "old" : this.#delayQueue.entry(entry, entry.seq > this.#lastLateSeq)),
      absent: (why) => why && onAbsent(why),
      connected: (up, silentMs) => {
        this.up = up;
        reportConnection(up, silentMs);
        this.audience.grown();
      },
    });
    document.addEventListener("visibilitychange", () => document.hidden || this.#checkForGaps());
    addEventListener("online", () => this.#checkForGaps());
  }

  /** @param {Welcome} message */
  #welcome(message) {
    if (message.epoch !== this.#liveStore.epoch) return void this.#reload(message.epoch);
    this.#lastLateSeq = message.seq;
    this.#delayQueue.setClock(message.at_ms);
    this.#liveStore.welcome(message);
    this.#indexRefresher.requestSoon();
  }

  /** @param {Change} change */
  #onLiveChange({ entry, before, after }) {
    if (!entry) return;
    if (entry.type === "hand_started" && !before.replay) this.#beginHand(entry.seq, entry.at_ms, before, after);
    this.#openSegment.entries.push(entry);
    this.outline.entries = entry.seq;
    this.#applyDueIndexes();
    const isLast = this.#delayQueue.isHolding && entry.seq === this.#delayQueue.lastSeq;
    if (isLast) this.#indexRefresher.requestSoon();
    if (this.#showState === "waiting") this.#showState = "live";
    this.#indexRefresher.onEntry(entry);
    this.audience.grown();
  }

  /** @type {(seq: number, atMs: number, opening: State, after: State) => void} */
  #beginHand(seq, atMs, opening, { stage, game, hand }) {
    this.cacheSegment(this.#openSegment);
    this.#openSegment = { n: this.#openSegment.n + 1, first_seq: seq, opening, entries: [] };
    const place = { stage: stage?.title ?? "", game: game?.game ?? 0, hand: hand?.hand ?? 0 };
    this.outline.hands.push({ ...emptyHand(seq, atMs), ...place });
  }

  /** @param {ChannelIndex} index of this show */
  #applyIndex(index) {
    const { hands, bots, title, finished } = index.outline;
    const shown = this.outline.hands.length - (this.#canShowAllOf(index) ? 0 : 1);
    hands.slice(0, Math.max(0, shown - index.since)).forEach((hand, offset) => {
      this.outline.hands[index.since + offset] = hand;
    });
    Object.assign(this.outline, { bots, title, finished: finished && this.#canShowAllOf(index) });
    this.#pendingIndexes.push(index);
    this.#applyDueIndexes();
    this.first = index.first;
    this.#firstChangedHand = Math.max(0, Math.min(index.open, this.#openSegment.n) - 1);
    this.revision += 1;
    this.audience.grown();
  }

  /** Applies each index as soon as its last entry is shown. */
  #applyDueIndexes() {
    for (
      let [next] = this.#pendingIndexes;
      next && next.last <= this.#liveStore.state.seq;
      [next] = this.#pendingIndexes
    ) {
      this.#pendingIndexes.shift();
      const { state, schedule, recording = "", goes_on = false } = next;
      [this.#showState, this.#hasSequel] = [state, goes_on];
      this.recording = recording;
      this.schedule = schedule;
      const [ends] = schedule.ends?.show ?? [];
      // Computed with the studio's clock, because the visitor's clock may be wrong.
      this.expected = ends ? next.at_ms + ends - next.now_utc_ms : 0;
    }
  }

  /** Whether all facts of the index about the current hand may be shown. @type {(index: ChannelIndex) => boolean} */
  #canShowAllOf(index) {
    const { seq } = this.#liveStore.state;
    const next = index.outline.hands[this.#openSegment.n + 1 - index.since];
    return !this.#delayQueue.isHolding || (next ? next.seq - 1 : index.last) <= seq;
  }

  /** Checks for missing entries: after the device has slept, the connection may only seem to be up. */
  async #checkForGaps() {
    this.#delayQueue.release();
    const index = await this.#source.index(this.#openSegment.n, "reload").catch(() => null);
    const missing = index && (index.epoch !== this.#liveStore.epoch || index.last > this.#delayQueue.lastSeq);
    if (missing) this.#connection?.again();
    else if (index && !this.#isLoading) this.#applyIndex(index);
  }

  /**
   * Loads the index and the hand in progress, again and again until they belong together. Then shows them.
   *
   * @param {string} epoch the expected id of the run
   */
  async #reload(epoch) {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const previousEpoch = this.#liveStore.epoch;
    const load = () => loadEdge(this.#source, epoch, previousEpoch !== "", this.#delayQueue.delayMs).catch(() => null);
    let edge = await load();
    while (!edge) {
      await new Promise((done) => setTimeout(done, RETRY_MS));
      edge = await load();
    }
    this.#showEdge(edge);
    this.#isLoading = false;
    this.audience.renewed(previousEpoch !== this.#liveStore.epoch);
    this.#connection?.again();
  }

  /** @param {LiveEdge} edge */
  #showEdge({ index, hands, segment, state, later, dueMs }) {
    const { epoch, at_ms, speed, first, outline } = index;
    if (epoch !== this.#liveStore.epoch) this.clearCache();
    this.#openSegment = segment;
    this.first = first;
    this.#pendingIndexes = [index];
    this.#indexRefresher.expectEntry(dueMs);
    this.revision += 1;
    this.#firstChangedHand = Math.max(0, segment.n - 1);
    this.#liveStore.welcome({ type: "welcome", seq: state.seq, at_ms, epoch, speed, channel: "" });
    this.#liveStore.snapshot({ type: "snapshot", seq: state.seq, at_ms: state.at_ms, state });
    Object.assign(this.outline, outline, { hands, entries: state.seq, finished: outline.finished && !later.length });
    this.#applyDueIndexes();
    this.#delayQueue.setClock(at_ms);
    this.#delayQueue.restart(later, later.at(-1)?.seq ?? state.seq);
  }
}
