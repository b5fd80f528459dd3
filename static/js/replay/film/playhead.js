/**
 * The playhead: the picture at one moment of a film. Time or the user moves it. A jump applies entries silently;
 * playing reports them one by one, as on air. In a live film, the playhead may follow the live edge. No DOM.
 *
 * @import { Film, Segment } from "./film.js"
 * @import { Change } from "../../overlay/store.js"
 * @import { Entry } from "../../common/types.js"
 */

import { reduce } from "../../overlay/reducer.js";
import { Store } from "../../overlay/store.js";
import { Lost } from "./fetched.js";
import { lastBefore } from "./film.js";
import { haltsOf, stepOf, stepsOf } from "./steps.js";

/** A playhead this close to the live edge counts as being at it. */
const NEAR_MS = 250;
/** A playhead that follows the live edge skips entries older than this, for example after an interruption. */
const LATE_MS = 4000;
const NO_SECTION = { hand: -1, entries: [], bots: [] };

export class Playhead extends Store {
  #film;
  #moved;
  /** @type {Segment | null} */
  #segment = null;
  #base = 0;
  #since = 0;
  #pace = 1;
  #timer = 0;
  /** Counts moves. A move is dropped if another move has begun since then. */
  #move = 0;
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
   * @param {(change: Change) => void} changed called after every change of the picture
   * @param {(trouble?: string) => void} moved called after any other change, with a message if playing cannot continue
   */
  constructor(film, changed, moved) {
    super(changed);
    this.#film = film;
    this.#moved = moved;
  }

  /** The moment of the film, in milliseconds. */
  get now() {
    const passed = this.playing ? (performance.now() - this.#since) * this.#pace : 0;
    return Math.min(this.#base + passed, this.#film.end);
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
    this.#hold(this.now);
    if (pace < 1) this.following = false;
    this.#pace = this.following ? 1 : pace;
    this.speed = this.#pace * this.#film.speed;
    this.#plan();
    this.#moved();
  }

  play() {
    if (this.playing) return;
    if (!this.#film.live && this.state.seq >= this.#film.outline.entries)
      return void this.seek(1).then(() => this.play());
    this.#since = performance.now();
    this.playing = true;
    this.#plan();
    this.#moved();
  }

  pause() {
    if (!this.playing) return;
    this.#hold(this.now);
    this.playing = false;
    this.following = false;
    clearTimeout(this.#timer);
    this.#moved();
  }

  /**
   * Goes to the picture after entry `seq`. If the film was playing, plays on from there.
   *
   * @param {number} seq
   * @param {number} [atMs] the moment to go to, if it is later than the entry's moment
   * @returns {Promise<boolean>} false if another move has replaced this one
   */
  async seek(seq, atMs) {
    const move = ++this.#move;
    clearTimeout(this.#timer);
    this.following = false;
    const { outline, first } = this.#film;
    const wanted = Math.min(Math.max(outline.hands[first]?.seq ?? 1, seq), outline.entries);
    const segment = await this.#film.segment(this.#film.handOf(wanted));
    if (move !== this.#move) return false;
    this.#segment = segment;
    const { first_seq, opening, entries } = segment;
    const state = entries.slice(0, wanted + 1 - first_seq).reduce(reduce, opening);
    this.#hold(Math.max(atMs ?? 0, state.at_ms));
    this.snapshot({ type: "snapshot", seq: state.seq, at_ms: state.at_ms, state });
    this.#plan();
    this.#moved();
    return true;
  }

  /** Goes to the live edge and follows it. */
  async follow() {
    const sought = this.seek(this.#film.outline.entries, this.#film.end);
    this.#moveToEdge = this.#move;
    if (!(await sought)) return;
    this.#moveToEdge = -1;
    this.#arrive();
    this.play();
    await this.#go();
  }

  /** Shows new entries if the playhead follows the live edge. */
  grown() {
    if (this.following) void this.#go();
  }

  /**
   * Goes back to the playhead's position after a gap in the entries.
   *
   * @param {boolean} isRenumbered whether entries have new numbers
   */
  async renew(isRenumbered) {
    const { hand, entries } = this.#section;
    const [step, now] = [stepOf(entries, this.state.seq), this.now];
    const following = this.following || this.#moveToEdge === this.#move;
    if (!following && isRenumbered) return this.replace(hand, step);
    this.#forget();
    await (following ? this.follow() : this.seek(this.state.seq, now));
  }

  /** Goes to a step of a hand after the film was replaced. @type {(hand: number, step: number) => Promise<void>} */
  async replace(hand, step) {
    this.#forget();
    await this.seekStep(hand, step);
  }

  #forget() {
    this.#segment = null;
    this.#section = NO_SECTION;
  }

  /** @param {number} atMs a moment of the film */
  async seekTime(atMs) {
    const { entries } = await this.#film.segment(this.#film.handAt(atMs));
    const at = lastBefore(entries.length, (index) => (entries[index]?.at_ms ?? 0) <= atMs);
    await this.seek(entries[at]?.seq ?? 1, atMs);
  }

  /** Goes to a step of a hand, or at most to its last step. @type {(hand: number, step: number) => Promise<void>} */
  async seekStep(hand, step) {
    const at = Math.min(Math.max(this.#film.first, hand), this.#film.outline.hands.length - 1);
    const ends = stepsOf((await this.#film.segment(at)).entries);
    await this.seek(ends[Math.min(Math.max(0, step), ends.length - 1)] ?? 1);
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

  /** @param {-1 | 1} way -1 for the previous step at which the arrow keys stop, 1 for the next */
  async halt(way) {
    const { seq } = this.state;
    const { hand, entries } = this.section;
    const halts = haltsOf(entries);
    const halt = way > 0 ? halts.find((end) => end > seq) : halts.findLast((end) => end < seq);
    if (halt !== undefined) return void (await this.seek(halt));
    const other = hand + way;
    if (other < this.#film.first || other >= this.#film.outline.hands.length)
      return void (await this.seek(way > 0 ? seq : 1));
    const beyond = haltsOf((await this.#film.segment(other)).entries);
    await this.seek((way > 0 ? beyond[0] : beyond.at(-1)) ?? seq);
  }

  /** @param {number} atMs */
  #hold(atMs) {
    this.#base = atMs;
    this.#since = performance.now();
  }

  /** While playing, sets the timer for the next entry. */
  #plan() {
    clearTimeout(this.#timer);
    if (!this.playing || !this.#segment) return;
    const next = this.#segment.entries[this.state.seq + 1 - this.#segment.first_seq];
    this.#timer = setTimeout(() => this.#go(), this.#wait(next));
    this.#film.prefetch(this.#segment.n);
  }

  /** @param {Entry | undefined} next */
  #wait(next) {
    if (!next && this.#isLast() && this.#film.live) return NEAR_MS;
    const due = next?.at_ms ?? (this.#isLast() ? this.#film.end : this.now);
    return this.following ? 0 : Math.max(0, (due - this.now) / this.#pace);
  }

  #isLast() {
    return (this.#segment?.n ?? 0) >= this.#film.outline.hands.length - 1;
  }

  /** Plays the entries that are due, and skips hands that are gone for good. */
  async #go() {
    const segment = this.#segment;
    if (!this.playing || !segment) return;
    const next = segment.entries[this.state.seq + 1 - segment.first_seq];
    if (this.following && next && next.at_ms < this.#film.end - LATE_MS) return this.follow();
    const now = this.following ? Number.POSITIVE_INFINITY : this.now;
    for (let at = this.state.seq + 1 - segment.first_seq; at < segment.entries.length; at += 1) {
      const entry = segment.entries[at];
      if (!entry || entry.at_ms > now + 1) break;
      this.entry({ ...entry, hold_ms: entry.hold_ms / this.#pace });
    }
    if (this.following) this.#hold(this.#film.end);
    if (this.state.seq + 1 - segment.first_seq < segment.entries.length) return this.#plan();
    if (this.#isLast()) return this.#end();
    const move = this.#move;
    const { hands } = this.#film.outline;
    for (let hand = segment.n + 1; ; hand += 1) {
      const later = await this.#film.segment(hand).catch((error) => error);
      if (move !== this.#move) return;
      if (later instanceof Lost && hand < hands.length - 1) {
        this.#moved(later.message);
        continue;
      }
      if (later instanceof Error) return this.#stop(later.message);
      if (hand > segment.n + 1) return void (await this.seek(hands[hand]?.seq ?? later.first_seq));
      this.#segment = later;
      return this.#plan();
    }
  }

  /** @param {string} trouble */
  #stop(trouble) {
    this.pause();
    this.#moved(trouble);
  }

  #end() {
    if (this.#film.live) {
      // All available entries have been shown.
      if (!this.following && this.behind < NEAR_MS && this.#pace >= 1) this.#arrive();
      return this.#plan();
    }
    if (this.now < this.#film.end) return this.#plan();
    if (this.loop) return void this.seek(1);
    this.pause();
  }

  /** Starts to follow the live edge. */
  #arrive() {
    this.following = true;
    this.pace = 1;
  }
}
