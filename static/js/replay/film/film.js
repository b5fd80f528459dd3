/**
 * A film, loaded from the server: its outline, and its segments, one for each hand, fetched when needed and kept a
 * while.
 *
 * @import { Entry, ShowSchedule, State } from "../../common/types.js"
 * @typedef {{ seq: number, at_ms: number, last_seq: number, until_ms: number, stage: string, game: number,
 *   hand: number, pot: number, score: number, marks: string[], won: [number, number, string][], told: string,
 *   out: [number, number][], stacks: Record<string, number> }} FilmHand number 0 is what comes before the first hand
 * @typedef {{ bot: number, name: string, avatar: string }} FilmBot
 * @typedef {{ title: string, begun: string, contest: string, entries: number, length_ms: number,
 *   finished: boolean, bots: FilmBot[], hands: FilmHand[] }} Outline
 * @typedef {{ n: number, first_seq: number, opening: State, entries: Entry[] }} Segment one hand with all that
 *   follows up to the next one, and the picture before it
 */

import { encoded, fromRoot } from "../../common/addresses.js";
import { fetched, fetchedOnceMade, segmentAt } from "./fetched.js";

/** So many segments are kept; the least recently used goes first. */
const KEPT = 128;
/** So many segments are fetched before they are needed. */
const AHEAD = 2;

export class Film {
  /** Whether it still grows. */
  live = false;
  /** Whether the connection of one that still grows has been gone for long. */
  lost = false;
  /** Whether what it grows by can come. */
  up = true;
  /** Its first hand that can be had. */
  first = 0;
  /** About where it will end, in milliseconds; 0 where nobody knows. */
  expected = 0;
  /** Counts the changes of the outline. */
  revision = 0;
  /** Where its show is over and was published: the recording that has all of it. */
  recording = "";
  /** @type {ShowSchedule | null} what comes when, where it still grows */
  schedule = null;
  #address;
  #sums;
  /** @type {Map<number, Promise<Segment>>} */
  #segments = new Map();

  /**
   * @param {string} address
   * @param {Outline} outline
   * @param {string[]} [sums] what the segments must be, by the hand's number
   */
  constructor(address, outline, sums = []) {
    this.#address = address;
    this.#sums = sums;
    this.outline = outline;
  }

  /**
   * @param {string} recording
   * @param {(words: string) => void} [tell] where it is yet to be made: is called with how far that is
   * @returns {Promise<Film>} an Error with a sentence where there is none
   */
  static async open(recording, tell) {
    const address = fromRoot(`films/${encoded(recording)}`);
    const index = `${address}/index.json`;
    const { version, sums, ...outline } = await (tell ? fetchedOnceMade(index, tell) : fetched(index));
    return new Film(`${address}/${version}`, outline, sums);
  }

  /** Where it begins and where it ends, in milliseconds. */
  get begin() {
    return this.first && (this.outline.hands[this.first]?.at_ms ?? 0);
  }

  get end() {
    return this.outline.length_ms;
  }

  /** @returns {"live" | "waiting" | "paused" | "over"} how the show stands where the film ends */
  get standing() {
    return "over";
  }

  /** How fast it was shown. */
  get speed() {
    return 1;
  }

  /** Fetches a segment. @type {(number: number) => Promise<Segment>} */
  load(number) {
    return segmentAt(`${this.#address}/${number}.seg`, number, this.#sums[number]);
  }

  /** @param {Segment} segment that has come some other way */
  keep(segment) {
    this.#segments.set(segment.n, Promise.resolve(segment));
  }

  /** Forgets all segments: they are not this film's. */
  forget() {
    this.#segments.clear();
  }

  /** @type {(number: number) => Promise<Segment>} */
  segment(number) {
    const loaded = () =>
      this.load(number).catch((error) => {
        this.#segments.delete(number);
        throw error;
      });
    const known = this.#segments.get(number) ?? loaded();
    this.#segments.delete(number);
    this.#segments.set(number, known);
    for (const old of this.#segments.keys()) if (this.#segments.size > KEPT) this.#segments.delete(old);
    return known;
  }

  /** @param {number} number of a segment after which the next ones will be needed */
  prefetch(number) {
    const end = Math.min(number + AHEAD, this.outline.hands.length - 1);
    for (let next = number + 1; next <= end; next += 1) this.segment(next).catch(() => undefined);
  }

  /** @param {number} seq the number of an entry */
  handOf(seq) {
    return lastBefore(this.outline.hands.length, (at) => (this.outline.hands[at]?.seq ?? 0) <= seq);
  }

  /** @param {number} atMs a moment of the film */
  handAt(atMs) {
    return lastBefore(this.outline.hands.length, (at) => (this.outline.hands[at]?.at_ms ?? 0) <= atMs);
  }
}

/**
 * Binary search: the last of `count` indexes for which `fits` holds, 0 if for none. It must hold up to there only.
 *
 * @param {number} count
 * @param {(at: number) => boolean} fits
 */
export function lastBefore(count, fits) {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** @returns {Outline} that of a film of which nothing is known */
export function emptyOutline() {
  const none = { title: "", begun: "", contest: "", entries: 0, length_ms: 0, finished: false, bots: [] };
  return { ...none, hands: [emptyHand(1, 0)] };
}

/** A hand that has just begun. @type {(seq: number, atMs: number) => FilmHand} */
export function emptyHand(seq, atMs) {
  const none = { last_seq: 0, until_ms: 0, stage: "", game: 0, hand: 0, pot: 0, score: 0 };
  return { ...none, seq, at_ms: atMs, marks: [], won: [], told: "", out: [], stacks: {} };
}
