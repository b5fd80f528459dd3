/**
 * The playhead: the picture at one moment of a film, moved by time or by the user. Entries that are jumped over are
 * folded silently; entries that are played are reported one by one, as on air. No DOM.
 *
 * @import { Film, Segment } from "./film.js"
 * @import { Change } from "../overlay/store.js"
 * @import { Entry } from "../common/types.js"
 */

import { reduce } from "../overlay/reducer.js";
import { Store } from "../overlay/store.js";
import { lastBefore } from "./film.js";
import { haltsOf, stepOf, stepsOf } from "./steps.js";

/** Moves through one film. */
export class Playhead extends Store {
  #film;
  #moved;
  /** @type {Segment | null} */
  #segment = null;
  #base = 0;
  #since = 0;
  #pace = 1;
  #timer = 0;
  #turn = 0;
  /** @type {{ hand: number, entries: Entry[] }} */
  #section = { hand: -1, entries: [] };
  playing = false;
  loop = false;

  /**
   * @param {Film} film
   * @param {(change: Change) => void} tell called after every change of the picture
   * @param {(trouble?: string) => void} moved called when anything else has changed, with a sentence where it cannot go
   *   on
   */
  constructor(film, tell, moved) {
    super(tell);
    this.#film = film;
    this.#moved = moved;
  }

  /** The moment of the film, in milliseconds. */
  get now() {
    const passed = this.playing ? (performance.now() - this.#since) * this.#pace : 0;
    return Math.min(this.#base + passed, this.#film.outline.length_ms);
  }

  /** How many milliseconds of the film pass in one of real time. */
  get pace() {
    return this.#pace;
  }

  set pace(pace) {
    this.#hold(this.now);
    this.#pace = pace;
    this.speed = pace;
    this.#plan();
    this.#moved();
  }

  play() {
    if (this.playing) return;
    if (this.state.seq >= this.#film.outline.entries) return void this.seek(1).then(() => this.play());
    this.#since = performance.now();
    this.playing = true;
    this.#plan();
    this.#moved();
  }

  pause() {
    if (!this.playing) return;
    this.#hold(this.now);
    this.playing = false;
    clearTimeout(this.#timer);
    this.#moved();
  }

  /**
   * Goes to the picture after entry `seq`; the film goes on from there if it plays.
   *
   * @param {number} seq
   * @param {number} [atMs] the moment it is then, if that is later than the entry's
   */
  async seek(seq, atMs) {
    const mine = ++this.#turn;
    clearTimeout(this.#timer);
    const wanted = Math.min(Math.max(1, seq), this.#film.outline.entries);
    const segment = await this.#film.segment(this.#film.handOf(wanted));
    if (mine !== this.#turn) return;
    this.#segment = segment;
    const { first_seq, opening, entries } = segment;
    let state = this.state.seq >= first_seq && this.state.seq <= wanted ? this.state : opening;
    for (const entry of entries.slice(state.seq + 1 - first_seq, wanted + 1 - first_seq)) state = reduce(state, entry);
    this.#hold(Math.max(atMs ?? 0, state.at_ms));
    this.snapshot({ type: "snapshot", seq: state.seq, at_ms: state.at_ms, state });
    this.#plan();
    this.#moved();
  }

  /** @param {number} atMs a moment of the film */
  async seekTime(atMs) {
    const { entries } = await this.#film.segment(this.#film.handAt(atMs));
    const at = lastBefore(entries.length, (place) => (entries[place]?.at_ms ?? 0) <= atMs);
    await this.seek(entries[at]?.seq ?? 1, atMs);
  }

  /**
   * @param {number} hand
   * @param {number} step past the last one: the last one
   */
  async seekStep(hand, step) {
    const at = Math.min(Math.max(0, hand), this.#film.outline.hands.length - 1);
    const ends = stepsOf((await this.#film.segment(at)).entries);
    await this.seek(ends[Math.min(Math.max(0, step), ends.length - 1)] ?? 1);
  }

  /** The hand this moment is in, and its entries up to the next one. */
  get section() {
    const hand = this.#film.handOf(this.state.seq);
    if (hand !== this.#section.hand && hand === this.#segment?.n) {
      this.#section = { hand, entries: this.#segment.entries };
    }
    return this.#section;
  }

  /** The present place, as the page's address names it. */
  get place() {
    const { hand, entries } = this.section;
    return { hand: Math.max(0, hand), step: stepOf(entries, this.state.seq) };
  }

  /** @param {-1 | 1} way to the halt before this moment, or to the next one */
  async halt(way) {
    const { seq } = this.state;
    const { hand, entries } = this.section;
    const halts = haltsOf(entries);
    const here = way > 0 ? halts.find((end) => end > seq) : halts.findLast((end) => end < seq);
    if (here !== undefined) return this.seek(here);
    const other = hand + way;
    if (other < 0 || other >= this.#film.outline.hands.length) return this.seek(way > 0 ? seq : 1);
    const beyond = haltsOf((await this.#film.segment(other)).entries);
    return this.seek((way > 0 ? beyond[0] : beyond.at(-1)) ?? seq);
  }

  /** @param {number} atMs */
  #hold(atMs) {
    this.#base = atMs;
    this.#since = performance.now();
  }

  /** Waits for the next entry, while it plays. */
  #plan() {
    clearTimeout(this.#timer);
    if (!this.playing || !this.#segment) return;
    const next = this.#segment.entries[this.state.seq + 1 - this.#segment.first_seq];
    const due = next?.at_ms ?? (this.#isLast() ? this.#film.outline.length_ms : this.now);
    this.#timer = setTimeout(() => this.#go(), Math.max(0, (due - this.now) / this.#pace));
    this.#film.prefetch(this.#segment.n);
  }

  #isLast() {
    return (this.#segment?.n ?? 0) >= this.#film.outline.hands.length - 1;
  }

  /** Plays the entries that are due. */
  async #go() {
    const segment = this.#segment;
    if (!this.playing || !segment) return;
    const now = this.now;
    for (let at = this.state.seq + 1 - segment.first_seq; at < segment.entries.length; at += 1) {
      const entry = segment.entries[at];
      if (!entry || entry.at_ms > now + 1) break;
      this.entry({ ...entry, hold_ms: entry.hold_ms / this.#pace });
    }
    if (this.state.seq + 1 - segment.first_seq < segment.entries.length) return this.#plan();
    if (this.#isLast()) return this.#end();
    const mine = this.#turn;
    const next = await this.#film.segment(segment.n + 1).catch((error) => error);
    if (mine !== this.#turn) return;
    if (next instanceof Error) return this.#stop(next.message);
    this.#segment = next;
    this.#plan();
  }

  /** @param {string} trouble */
  #stop(trouble) {
    this.pause();
    this.#moved(trouble);
  }

  #end() {
    if (this.now < this.#film.outline.length_ms) return this.#plan();
    if (this.loop) return void this.seek(1);
    this.pause();
  }
}
