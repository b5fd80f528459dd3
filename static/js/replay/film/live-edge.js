/**
 * Loads what a channel on air looks like at this moment: its index, and the hand of the moment that may be shown.
 * Decides when the index is asked for anew.
 *
 * @import { Entry, State } from "../../common/types.js"
 * @import { FilmHand, Segment } from "./film.js"
 * @import { Index, Source } from "./studio-source.js"
 * @typedef {{
 *   index: Index,
 *   hands: FilmHand[],
 *   segment: Segment,
 *   state: State,
 *   later: Entry[],
 *   dueMs: number,
 * }} Edge `segment` is the hand of the moment that may be shown, `state` the picture after it, `later` what has been on
 *   air since; `hands` tells nothing of what is later; the next entry is due in `dueMs` milliseconds
 */

import { reduce } from "../../overlay/reducer.js";
import { emptyHand, lastBefore } from "./film.js";

/** Index and open hand are asked for so often, until they are of the same hand. */
const ATTEMPTS = 3;
/** Entries after which there is something new to tell about a hand. */
const TELLING = new Set([
  "tournament_opened",
  "game_started",
  "game_ended",
  "hand_started",
  "hand_ended",
  "highlight_marked",
  "bot_eliminated",
  "control_set",
  "tournament_ended",
  "trouble_shown",
]);
/** It is asked so much later, and up to as long again, so that not everybody asks at once. */
const ASKED_AFTER_MS = 400;
/** So long after its time the next entry may come before it is asked whether everybody waits. */
const LULL_MS = 2500;

/**
 * @param {Source} source
 * @param {string} guess the epoch that the show probably has
 * @param {boolean} again whether this is not the first time, so that a copy in a cache may be old
 * @param {number} heldMs how long after it was on air anything is shown
 * @returns {Promise<Edge | null>} null where index and open hand do not fit yet
 * @throws {Error} where a segment cannot be had
 */
export async function loadEdge(source, guess, again, heldMs) {
  let epoch = guess;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [index, open] = await Promise.all([
      source.index(0, again || attempt ? "reload" : "default").catch(() => null),
      source.open(epoch).catch(() => null),
    ]);
    if (index && open && index.epoch === epoch && index.open === open.n) return await cut(source, index, open, heldMs);
    if (index) epoch = index.epoch;
  }
  return null;
}

/** @type {(source: Source, index: Index, open: Segment, heldMs: number) => Promise<Edge>} */
async function cut(source, index, open, heldMs) {
  const { at_ms, outline } = index;
  const shownMs = heldMs ? at_ms - heldMs : Number.POSITIVE_INFINITY;
  const segments = [...(await heldBack(source, index, shownMs)), open];
  const all = segments.flatMap((segment) => segment.entries);
  const { n, first_seq, opening } = segments[0] ?? open;
  const entries = all.filter((entry) => entry.at_ms <= shownMs);
  const later = all.slice(entries.length);
  const hands = outline.hands.slice(0, n + 1);
  if (later.length) {
    // Of the hand that is on nothing is told but how it began.
    const { seq, at_ms: begins, stage, game, hand } = hands[n] ?? emptyHand(1, 0);
    hands[n] = { ...emptyHand(seq, begins), stage, game, hand };
  }
  const last = open.entries.at(-1);
  const dueMs = last ? Math.max(0, last.at_ms + last.hold_ms - at_ms) : 0;
  const segment = { n, first_seq, opening, entries };
  return { index, hands, segment, state: entries.reduce(reduce, opening), later, dueMs };
}

/**
 * @param {Source} source
 * @param {Index} index
 * @param {number} shownMs the moment that may be shown
 * @returns {Promise<Segment[]>} those from the one that this moment is in to the one before that which still grows
 */
function heldBack(source, { epoch, first, open, outline: { hands } }, shownMs) {
  const shown = Math.max(
    first,
    lastBefore(open + 1, (at) => (hands[at]?.at_ms ?? 0) <= shownMs),
  );
  const numbers = Array.from({ length: open - shown }, (_, at) => shown + at);
  return Promise.all(numbers.map((number) => source.segment(epoch, number)));
}

/** The next question, and the one that is asked if nothing happens. */
export class IndexRefresh {
  #ask;
  #asking = 0;
  #lull = 0;

  /** @param {() => void} ask */
  constructor(ask) {
    this.#ask = ask;
  }

  /** Asks in a moment. Does nothing if that is so already. */
  soon() {
    if (this.#asking) return;
    const wait = ASKED_AFTER_MS * (1 + Math.random());
    this.#asking = setTimeout(() => {
      this.#asking = 0;
      this.#ask();
    }, wait);
  }

  /** @param {Entry} entry that has just come on air */
  after(entry) {
    if (TELLING.has(entry.type)) this.soon();
    this.expect(entry.hold_ms);
  }

  /** @param {number} ms after which the next entry is due: asks if none has come by then */
  expect(ms) {
    clearTimeout(this.#lull);
    this.#lull = setTimeout(() => this.soon(), ms + LULL_MS);
  }
}
