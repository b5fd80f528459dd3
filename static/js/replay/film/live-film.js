/**
 * The film of a channel that is still on air: its source has the finished hands, and its connection delivers the
 * current hand. After an interruption, it catches up, even if the studio was restarted. With a delay, it reveals no
 * entry that went on air later than the delayed moment.
 *
 * @import { State, Welcome } from "../../common/types.js"
 * @import { Change } from "../../overlay/store.js"
 * @import { Segment } from "./film.js"
 * @import { Edge } from "./live-edge.js"
 * @import { Connection, Index, Source, Standing } from "./studio-source.js"
 * @typedef {{ grown: () => void, renewed: (isRenumbered: boolean) => void }} Audience `grown` is called after every
 *   entry and change of the outline, `renewed` after a gap in the entries. `isRenumbered` means that entries have new
 *   numbers
 */

import { Store } from "../../overlay/store.js";
import { outageReporter } from "../../overlay/transport.js";
import { emptyHand, emptyOutline, Film } from "./film.js";
import { HeldBack } from "./held-back.js";
import { IndexRefresh, loadEdge } from "./live-edge.js";

const RETRY_MS = 1000;

export class LiveFilm extends Film {
  live = true;
  up = false;
  /** @type {Audience} */
  audience = { grown: () => undefined, renewed: () => undefined };
  #source;
  #edge = new Store((change) => this.#receive(change));
  #back;
  #refresh = new IndexRefresh(async () => {
    const index = await this.#source.index(this.#since).catch(() => null);
    if (index && index.epoch === this.#edge.epoch && !this.#loading) this.#learn(index);
  });
  /** Entries up to this number arrive late, because the page missed them when they were on air. */
  #missed = 0;
  /** @type {Segment} */
  #open = { n: 0, first_seq: 1, opening: this.#edge.state, entries: [] };
  /** @type {Connection | undefined} */
  #connection;
  /** The indexes whose last entry is not shown yet. @type {Index[]} */
  #pendingIndexes = [];
  #loading = false;
  /** The number of the first hand that may have changed in the studio's index. */
  #since = 0;
  /** @type {Standing} */
  #standing = "live";
  /** Whether another contest follows on the channel. */
  #hasSequel = false;

  /**
   * @param {Source} source
   * @param {number} heldMs
   */
  constructor(source, heldMs) {
    super("", emptyOutline());
    this.#source = source;
    this.#back = new HeldBack(heldMs, (entry) => this.#edge.entry(entry));
  }

  /**
   * @param {Source} source
   * @param {string} epoch of the show, "" if the channel is not open yet
   * @param {number} heldMs the delay of the page
   * @param {(why: string) => void} absent called with a message if there will be no such channel
   * @returns {Promise<LiveFilm>} resolved once the film can be shown
   */
  static watch(source, epoch, heldMs, absent) {
    const film = new LiveFilm(source, heldMs);
    return new Promise((done) => {
      film.audience = { ...film.audience, renewed: () => done(film) };
      film.follow(epoch, absent);
    });
  }

  /** @override */
  get end() {
    return this.#back.now;
  }

  /** The delay of the page, in milliseconds. */
  get heldMs() {
    return this.#back.ms;
  }

  set heldMs(ms) {
    this.#back.ms = ms;
  }

  /** The state of the show at its live edge. */
  get standing() {
    if (this.recording || (this.#edge.state.scene === "champion" && !this.#hasSequel)) return "over";
    return this.#standing === "over" ? "live" : this.#standing;
  }

  /** @override */
  get speed() {
    return this.#edge.speed;
  }

  /** @override @param {number} number */
  segment(number) {
    return number === this.#open.n ? Promise.resolve(this.#open) : super.segment(number);
  }

  /** @override @param {number} number */
  load(number) {
    return this.#source.segment(this.#edge.epoch, number);
  }

  /** Drops the connection, as a broken network would. */
  drop() {
    this.#connection?.drop();
  }

  /**
   * Loads the show so far, and then follows it.
   *
   * @param {string} epoch of the show, "" if the channel is not open yet
   * @param {(why: string) => void} absent called with a message if there will be no such channel
   */
  async follow(epoch, absent) {
    if (epoch) await this.#renew(epoch);
    const lost = outageReporter((isLost) => {
      this.lost = isLost;
      this.audience.grown();
    });
    this.#connection = this.#source.follow({
      position: () => ({ seq: this.#back.last, epoch: this.#edge.epoch }),
      welcome: (message) => this.#welcome(message),
      snapshot: () => void this.#renew(this.#edge.epoch),
      entry: (entry) => (this.#loading ? "old" : this.#back.entry(entry, entry.seq > this.#missed)),
      absent: (why) => why && absent(why),
      connected: (up, silentMs) => {
        this.up = up;
        lost(up, silentMs);
        this.audience.grown();
      },
    });
    document.addEventListener("visibilitychange", () => document.hidden || this.#check());
    addEventListener("online", () => this.#check());
  }

  /** @param {Welcome} message */
  #welcome(message) {
    if (message.epoch !== this.#edge.epoch) return void this.#renew(message.epoch);
    this.#missed = message.seq;
    this.#back.setClock(message.at_ms);
    this.#edge.welcome(message);
    this.#refresh.soon();
  }

  /** @param {Change} change */
  #receive({ entry, before, after }) {
    if (!entry) return;
    if (entry.type === "hand_started" && !before.replay) this.#begin(entry.seq, entry.at_ms, before, after);
    this.#open.entries.push(entry);
    this.outline.entries = entry.seq;
    this.#publish();
    const isLast = this.#back.holds && entry.seq === this.#back.last;
    if (isLast) this.#refresh.soon();
    if (this.#standing === "waiting") this.#standing = "live";
    this.#refresh.after(entry);
    this.audience.grown();
  }

  /** @type {(seq: number, atMs: number, opening: State, after: State) => void} */
  #begin(seq, atMs, opening, { stage, game, hand }) {
    this.keep(this.#open);
    this.#open = { n: this.#open.n + 1, first_seq: seq, opening, entries: [] };
    const place = { stage: stage?.title ?? "", game: game?.game ?? 0, hand: hand?.hand ?? 0 };
    this.outline.hands.push({ ...emptyHand(seq, atMs), ...place });
  }

  /** @param {Index} index of this show */
  #learn(index) {
    const { hands, bots, title, finished } = index.outline;
    const shown = this.outline.hands.length - (this.#hasAll(index) ? 0 : 1);
    hands.slice(0, Math.max(0, shown - index.since)).forEach((hand, at) => {
      this.outline.hands[index.since + at] = hand;
    });
    Object.assign(this.outline, { bots, title, finished: finished && this.#hasAll(index) });
    this.#pendingIndexes.push(index);
    this.#publish();
    this.first = index.first;
    this.#since = Math.max(0, Math.min(index.open, this.#open.n) - 1);
    this.revision += 1;
    this.audience.grown();
  }

  /** Applies each index as soon as its last entry is shown. */
  #publish() {
    for (let [next] = this.#pendingIndexes; next && next.last <= this.#edge.state.seq; [next] = this.#pendingIndexes) {
      this.#pendingIndexes.shift();
      const { state, schedule, recording = "", goes_on = false } = next;
      [this.#standing, this.#hasSequel] = [state, goes_on];
      this.recording = recording;
      this.schedule = schedule;
      const [ends] = schedule.ends?.show ?? [];
      // Computed with the studio's clock, because the visitor's clock may be wrong.
      this.expected = ends ? next.at_ms + ends - next.now_utc_ms : 0;
    }
  }

  /** Whether all facts of the index about the current hand may be shown. @type {(index: Index) => boolean} */
  #hasAll(index) {
    const { seq } = this.#edge.state;
    const next = index.outline.hands[this.#open.n + 1 - index.since];
    return !this.#back.holds || (next ? next.seq - 1 : index.last) <= seq;
  }

  /** Checks for missing entries: after a sleep, the connection may only seem to be up. */
  async #check() {
    this.#back.release();
    const index = await this.#source.index(this.#open.n, "reload").catch(() => null);
    const missing = index && (index.epoch !== this.#edge.epoch || index.last > this.#back.last);
    if (missing) this.#connection?.again();
    else if (index && !this.#loading) this.#learn(index);
  }

  /**
   * Loads the index and the open hand again and again until they belong together.
   *
   * @param {string} epoch the expected epoch
   */
  async #renew(epoch) {
    if (this.#loading) return;
    this.#loading = true;
    const previousEpoch = this.#edge.epoch;
    const load = () => loadEdge(this.#source, epoch, previousEpoch !== "", this.#back.ms).catch(() => null);
    let edge = await load();
    while (!edge) {
      await new Promise((done) => setTimeout(done, RETRY_MS));
      edge = await load();
    }
    this.#show(edge);
    this.#loading = false;
    this.audience.renewed(previousEpoch !== this.#edge.epoch);
    this.#connection?.again();
  }

  /** @param {Edge} edge */
  #show({ index, hands, segment, state, later, dueMs }) {
    const { epoch, at_ms, speed, first, outline } = index;
    if (epoch !== this.#edge.epoch) this.forget();
    this.#open = segment;
    this.first = first;
    this.#pendingIndexes = [index];
    this.#refresh.expect(dueMs);
    this.revision += 1;
    this.#since = Math.max(0, segment.n - 1);
    this.#edge.welcome({ type: "welcome", seq: state.seq, at_ms, epoch, speed, channel: "" });
    this.#edge.snapshot({ type: "snapshot", seq: state.seq, at_ms: state.at_ms, state });
    Object.assign(this.outline, outline, { hands, entries: state.seq, finished: outline.finished && !later.length });
    this.#publish();
    this.#back.setClock(at_ms);
    this.#back.fill(later, later.at(-1)?.seq ?? state.seq);
  }
}
