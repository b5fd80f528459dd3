/**
 * The playhead: the picture at one moment of a film, moved by time or by the user. Entries that are jumped over are
 * folded silently; entries that are played are reported one by one, as on air. No DOM.
 *
 * @import { Film, Piece } from "./film.js"
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
  /** @type {Piece | null} */
  #piece = null;
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
    const hand = this.#film.outline.hands[this.#film.handOf(wanted)];
    const piece = await this.#film.piece(hand?.piece ?? 0);
    if (mine !== this.#turn) return;
    this.#piece = piece;
    const on = this.state.seq >= piece.first && this.state.seq <= wanted && this.state.seq > 0;
    let state = on ? this.state : piece.state;
    for (const entry of piece.entries.slice(state.seq + 1 - piece.first, wanted + 1 - piece.first)) {
      state = reduce(state, entry);
    }
    this.#hold(Math.max(atMs ?? 0, state.at_ms));
    this.snapshot({ type: "snapshot", seq: state.seq, at_ms: state.at_ms, state });
    this.#plan();
    this.#moved();
  }

  /** @param {number} atMs a moment of the film */
  async seekTime(atMs) {
    const entries = await this.#film.section(this.#film.handAt(atMs));
    const at = lastBefore(entries.length, (place) => (entries[place]?.at_ms ?? 0) <= atMs);
    await this.seek(entries[at]?.seq ?? 1, atMs);
  }

  /**
   * @param {number} hand
   * @param {number} step past the last one: the last one
   */
  async seekStep(hand, step) {
    const at = Math.min(Math.max(0, hand), this.#film.outline.hands.length - 1);
    const ends = stepsOf(await this.#film.section(at));
    await this.seek(ends[Math.min(Math.max(0, step), ends.length - 1)] ?? 1);
  }

  /** The hand this moment is in, and its entries up to the next one. */
  get section() {
    const hand = this.#film.handOf(this.state.seq);
    const piece = this.#piece;
    if (hand !== this.#section.hand && piece && this.#film.outline.hands[hand]?.piece === piece.number) {
      this.#section = { hand, entries: this.#film.cut(piece, hand) };
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
    const beyond = haltsOf(await this.#film.section(other));
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
    if (!this.playing || !this.#piece) return;
    const next = this.#piece.entries[this.state.seq + 1 - this.#piece.first];
    const due = next?.at_ms ?? (this.#isLast() ? this.#film.outline.length_ms : this.now);
    this.#timer = setTimeout(() => this.#go(), Math.max(0, (due - this.now) / this.#pace));
    if (!this.#isLast()) this.#film.piece(this.#piece.number + 1).catch(() => undefined);
  }

  #isLast() {
    return (this.#piece?.number ?? 0) >= this.#film.outline.pieces.length - 1;
  }

  /** Plays the entries that are due. */
  async #go() {
    const piece = this.#piece;
    if (!this.playing || !piece) return;
    const now = this.now;
    for (let at = this.state.seq + 1 - piece.first; at < piece.entries.length; at += 1) {
      const entry = piece.entries[at];
      if (!entry || entry.at_ms > now + 1) break;
      this.entry({ ...entry, hold_ms: entry.hold_ms / this.#pace });
    }
    if (this.state.seq + 1 - piece.first < piece.entries.length) return this.#plan();
    if (this.#isLast()) return this.#end();
    const mine = this.#turn;
    const next = await this.#film.piece(piece.number + 1).catch((error) => error);
    if (mine !== this.#turn) return;
    if (next instanceof Error) return this.#stop(next.message);
    this.#piece = next;
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
