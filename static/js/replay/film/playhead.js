/**
 * The playhead: the picture at one moment of a film (a replayable show). Time or the user moves the playhead. A jump
 * applies the film's entries (events such as bets) silently. Playing reports them one by one, as on air. In a live
 * film, the playhead may follow the live edge, the newest entry. No DOM.
 *
 * @import { Film, Segment } from "./film.js"
 * @import { Change } from "../../overlay/store.js"
 * @import { Entry } from "../../common/types.js"
 */

import { reduce } from "../../overlay/reducer.js";
import { Store } from "../../overlay/store.js";
import { FileGoneError } from "./fetched.js";
import { lastIndexWhere } from "./film.js";
import { keyStopsOf, stepEndsOf, stepOf } from "./steps.js";

/** A playhead that is less than this behind the live edge counts as being at the edge. */
const AT_EDGE_MS = 250;
/** A playhead that follows the live edge skips entries older than this, for example after an interruption. */
const MAX_LAG_MS = 4000;
const NO_SECTION = { hand: -1, entries: [], bots: [] };

export class Playhead extends Store {
  #film;
  #onMove;
  /** @type {Segment | null} */
  #segment = null;
  #baseMs = 0;
  #baseSetAt = 0;
  #pace = 1;
  #timer = 0;
  /** The number of moves begun so far. A new move replaces an unfinished move. */
  #moveCount = 0;
  /** The number of the current move to the live edge, -1 for none. */
  #moveToEdge = -1;
  /** @type {{ hand: number, entries: Entry[], bots: number[] }} */
  #section = NO_SECTION;
  playing = false;
  /** Whether the playhead shows every entry as soon as the entry is on air. */
  following = false;
  loop = false;

  /**
   * @param {Film} film
   * @param {(change: Change) => void} onChange called after every change of the picture
   * @param {(trouble?: string) => void} onMove called after any other change, with a message if a hand cannot be played
   */
  constructor(film, onChange, onMove) {
    super(onChange);
    this.#film = film;
    this.#onMove = onMove;
  }

  /** The moment of the film, in milliseconds. */
  get now() {
    const passed = this.playing ? (performance.now() - this.#baseSetAt) * this.#pace : 0;
    return Math.min(this.#baseMs + passed, this.#film.end);
  }

  /** How far the playhead is behind the live edge, in milliseconds. */
  get behind() {
    return this.#film.live && !this.following ? this.#film.end - this.now : 0;
  }

  /** The speed: milliseconds of the film per millisecond of real time. */
  get pace() {
    return this.#pace;
  }

  set pace(pace) {
    this.#setMoment(this.now);
    if (pace < 1) this.following = false;
    this.#pace = this.following ? 1 : pace;
    this.speed = this.#pace * this.#film.speed;
    this.#planNextEntry();
    this.#onMove();
  }

  play() {
    if (this.playing) return;
    if (!this.#film.live && this.state.seq >= this.#film.outline.entries)
      return void this.seek(1).then(() => this.play());
    this.#baseSetAt = performance.now();
    this.playing = true;
    this.#planNextEntry();
    this.#onMove();
  }

  pause() {
    if (!this.playing) return;
    this.#setMoment(this.now);
    this.playing = false;
    this.following = false;
    clearTimeout(this.#timer);
    this.#onMove();
  }

  /**
   * Goes to the picture after entry `seq`. If the film was playing, plays on from there.
   *
   * @param {number} seq
   * @param {number} [atMs] the moment to go to, if it is later than the entry's moment
   * @returns {Promise<boolean>} false if another move has replaced this one
   */
  async seek(seq, atMs) {
    const move = ++this.#moveCount;
    clearTimeout(this.#timer);
    this.following = false;
    const { outline, first } = this.#film;
    const targetSeq = Math.min(Math.max(outline.hands[first]?.seq ?? 1, seq), outline.entries);
    const segment = await this.#film.segment(this.#film.handOf(targetSeq));
    if (move !== this.#moveCount) return false;
    this.#segment = segment;
    const { first_seq, opening, entries } = segment;
    const state = entries.slice(0, targetSeq + 1 - first_seq).reduce(reduce, opening);
    this.#setMoment(Math.max(atMs ?? 0, state.at_ms));
    this.snapshot({ type: "snapshot", seq: state.seq, at_ms: state.at_ms, state });
    this.#planNextEntry();
    this.#onMove();
    return true;
  }

  /** Goes to the live edge and follows it. */
  async follow() {
    const sought = this.seek(this.#film.outline.entries, this.#film.end);
    this.#moveToEdge = this.#moveCount;
    if (!(await sought)) return;
    this.#moveToEdge = -1;
    this.#startFollowing();
    this.play();
    await this.#playDueEntries();
  }

  /** Shows new entries if the playhead follows the live edge. */
  showNewEntries() {
    if (this.following) void this.#playDueEntries();
  }

  /**
   * Goes back to the playhead's position after the page has missed entries of a live film and loaded the film again.
   *
   * @param {boolean} isRenumbered whether entries have new numbers
   */
  async renew(isRenumbered) {
    const { hand, entries } = this.#section;
    const [step, now] = [stepOf(entries, this.state.seq), this.now];
    const following = this.following || this.#moveToEdge === this.#moveCount;
    if (!following && isRenumbered) return this.replace(hand, step);
    this.#forgetPosition();
    await (following ? this.follow() : this.seek(this.state.seq, now));
  }

  /**
   * Goes to a step (an event) of a hand after the film was replaced.
   *
   * @type {(hand: number, step: number) => Promise<void>}
   */
  async replace(hand, step) {
    this.#forgetPosition();
    await this.seekStep(hand, step);
  }

  #forgetPosition() {
    this.#segment = null;
    this.#section = NO_SECTION;
  }

  /** @param {number} atMs a moment of the film */
  async seekTime(atMs) {
    const { entries } = await this.#film.segment(this.#film.handAt(atMs));
    const entryIndex = lastIndexWhere(entries.length, (index) => (entries[index]?.at_ms ?? 0) <= atMs);
    await this.seek(entries[entryIndex]?.seq ?? 1, atMs);
  }

  /** Goes to a step of a hand, or to the nearest step. @type {(hand: number, step: number) => Promise<void>} */
  async seekStep(hand, step) {
    const handNumber = Math.min(Math.max(this.#film.first, hand), this.#film.outline.hands.length - 1);
    const stepEnds = stepEndsOf((await this.#film.segment(handNumber)).entries);
    await this.seek(stepEnds[Math.min(Math.max(0, step), stepEnds.length - 1)] ?? 1);
  }

  /** The current hand, its entries up to the next hand, and the bot in each seat. */
  get section() {
    const hand = this.#film.handOf(this.state.seq);
    if (hand !== this.#section.hand && hand === this.#segment?.n) {
      const { entries, opening } = this.#segment;
      this.#section = { hand, entries, bots: opening.seats.map(({ bot }) => bot) };
    }
    return this.#section;
  }

  /** The current hand and step, as in the page's address. */
  get place() {
    const { hand, entries } = this.section;
    return { hand: Math.max(0, hand), step: stepOf(entries, this.state.seq) };
  }

  /** @param {-1 | 1} direction -1 for the previous step at which the arrow keys stop, 1 for the next */
  async goToKeyStop(direction) {
    const { seq } = this.state;
    const { hand, entries } = this.section;
    const keyStops = keyStopsOf(entries);
    const keyStop = direction > 0 ? keyStops.find((end) => end > seq) : keyStops.findLast((end) => end < seq);
    if (keyStop !== undefined) return void (await this.seek(keyStop));
    const other = hand + direction;
    if (other < this.#film.first || other >= this.#film.outline.hands.length)
      return void (await this.seek(direction > 0 ? seq : 1));
    const beyond = keyStopsOf((await this.#film.segment(other)).entries);
    await this.seek((direction > 0 ? beyond[0] : beyond.at(-1)) ?? seq);
  }

  /** @param {number} atMs */
  #setMoment(atMs) {
    this.#baseMs = atMs;
    this.#baseSetAt = performance.now();
  }

  /** While playing, sets the timer for the next entry. */
  #planNextEntry() {
    clearTimeout(this.#timer);
    if (!this.playing || !this.#segment) return;
    const next = this.#segment.entries[this.state.seq + 1 - this.#segment.first_seq];
    this.#timer = setTimeout(() => this.#playDueEntries(), this.#msUntilNext(next));
    this.#film.prefetch(this.#segment.n);
  }

  /** @param {Entry | undefined} next */
  #msUntilNext(next) {
    if (!next && this.#isLast() && this.#film.live) return AT_EDGE_MS;
    const due = next?.at_ms ?? (this.#isLast() ? this.#film.end : this.now);
    return this.following ? 0 : Math.max(0, (due - this.now) / this.#pace);
  }

  #isLast() {
    return (this.#segment?.n ?? 0) >= this.#film.outline.hands.length - 1;
  }

  /** Plays the entries that are due, and skips hands that are gone for good. */
  async #playDueEntries() {
    const segment = this.#segment;
    if (!this.playing || !segment) return;
    const next = segment.entries[this.state.seq + 1 - segment.first_seq];
    if (this.following && next && next.at_ms < this.#film.end - MAX_LAG_MS) return this.follow();
    const now = this.following ? Number.POSITIVE_INFINITY : this.now;
    for (let index = this.state.seq + 1 - segment.first_seq; index < segment.entries.length; index += 1) {
      const entry = segment.entries[index];
      if (!entry || entry.at_ms > now + 1) break;
      this.entry({ ...entry, hold_ms: entry.hold_ms / this.#pace });
    }
    if (this.following) this.#setMoment(this.#film.end);
    if (this.state.seq + 1 - segment.first_seq < segment.entries.length) return this.#planNextEntry();
    if (this.#isLast()) return this.#reachEnd();
    const move = this.#moveCount;
    const { hands } = this.#film.outline;
    for (let hand = segment.n + 1; ; hand += 1) {
      const later = await this.#film.segment(hand).catch((error) => error);
      if (move !== this.#moveCount) return;
      if (later instanceof FileGoneError && hand < hands.length - 1) {
        this.#onMove(later.message);
        continue;
      }
      if (later instanceof Error) return this.#stopWithMessage(later.message);
      if (hand > segment.n + 1) return void (await this.seek(hands[hand]?.seq ?? later.first_seq));
      this.#segment = later;
      return this.#planNextEntry();
    }
  }

  /** @param {string} trouble */
  #stopWithMessage(trouble) {
    this.pause();
    this.#onMove(trouble);
  }

  #reachEnd() {
    if (this.#film.live) {
      // All available entries have been shown.
      if (!this.following && this.behind < AT_EDGE_MS && this.#pace >= 1) this.#startFollowing();
      return this.#planNextEntry();
    }
    if (this.now < this.#film.end) return this.#planNextEntry();
    if (this.loop) return void this.seek(1);
    this.pause();
  }

  #startFollowing() {
    this.following = true;
    this.pace = 1;
  }
}
