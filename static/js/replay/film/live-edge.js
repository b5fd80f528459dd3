/**
 * Loads the current state of a channel (a show that is on air): its index (the list of its hands), and the hand that
 * may be shown. Also decides when the index is fetched again.
 *
 * @import { Entry, State } from "../../common/types.js"
 * @import { FilmHand, Segment } from "./film.js"
 * @import { ChannelIndex, FilmSource } from "./studio-source.js"
 * @typedef {{
 *   index: ChannelIndex,
 *   hands: FilmHand[],
 *   segment: Segment,
 *   state: State,
 *   later: Entry[],
 *   dueMs: number,
 * }} LiveEdge `segment`: the hand that may be shown, with its entries so far; `state`: the picture after `segment`;
 *   `later`: the later entries, which the page's delay holds back; `hands`: the hands up to `segment`, without facts
 *   from `later`; `dueMs`: the time until the next entry is due
 */

import { reduce } from "../../overlay/reducer.js";
import { handInProgress, lastIndexWhere } from "./film.js";

/** The maximum number of attempts to fetch an index and the hand in progress ("open") that belongs to it. */
const ATTEMPTS = 3;
/** Entries that change the index. */
const INDEX_CHANGES = new Set([
  "tournament_opened",
  "game_started",
  "game_ended",
  "hand_started",
  "hand_ended",
  "highlight_marked",
  "bot_eliminated",
  "deal_compared",
  "control_set",
  "tournament_ended",
  "trouble_shown",
]);
/** The index is fetched after a random delay between this time and twice this time, so that requests spread out. */
const REQUEST_DELAY_MS = 400;
/** If the next entry is late by more than this, the index is fetched to find out why. */
const LULL_MS = 2500;

/**
 * @param {FilmSource} source
 * @param {string} expectedEpoch the id that this run of the show is expected to have
 * @param {boolean} isReload whether the channel was loaded before; a cached copy may then be old
 * @param {number} heldMs the page's delay, for which it holds entries back
 * @returns {Promise<LiveEdge | null>} null if the open hand does not belong to the index
 * @throws {Error} if a segment is not available
 */
export async function loadEdge(source, expectedEpoch, isReload, heldMs) {
  let epoch = expectedEpoch;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [index, open] = await Promise.all([
      source.index(0, isReload || attempt ? "reload" : "default").catch(() => null),
      source.open(epoch).catch(() => null),
    ]);
    const isMatch = index && open && index.epoch === epoch && index.open === open.n;
    if (isMatch) return await buildEdge(source, index, open, heldMs);
    if (index) epoch = index.epoch;
  }
  return null;
}

/** @type {(source: FilmSource, index: ChannelIndex, open: Segment, heldMs: number) => Promise<LiveEdge>} */
async function buildEdge(source, index, open, heldMs) {
  const { at_ms, outline } = index;
  const shownMs = heldMs ? at_ms - heldMs : Number.POSITIVE_INFINITY;
  const segments = [...(await loadHeldBack(source, index, shownMs)), open];
  const allEntries = segments.flatMap((segment) => segment.entries);
  const { n, first_seq, opening: stateBefore } = segments[0] ?? open;
  const entries = allEntries.filter((entry) => entry.at_ms <= shownMs);
  const later = allEntries.slice(entries.length);
  const hands = outline.hands.slice(0, n + 1);
  if (later.length) hands[n] = handInProgress(hands[n]);
  const last = open.entries.at(-1);
  const dueMs = last ? Math.max(0, last.at_ms + last.hold_ms - at_ms) : 0;
  const segment = { n, first_seq, opening: stateBefore, entries };
  return { index, hands, segment, state: entries.reduce(reduce, stateBefore), later, dueMs };
}

/**
 * @param {FilmSource} source
 * @param {ChannelIndex} index
 * @param {number} shownMs the moment that may be shown
 * @returns {Promise<Segment[]>} the segments from that moment on, without the segment of the open hand
 */
function loadHeldBack(source, { epoch, first, open, outline: { hands } }, shownMs) {
  const firstShown = Math.max(
    first,
    lastIndexWhere(open + 1, (number) => (hands[number]?.at_ms ?? 0) <= shownMs),
  );
  const numbers = Array.from({ length: open - firstShown }, (_, index) => firstShown + index);
  return Promise.all(numbers.map((number) => source.segment(epoch, number)));
}

/** The timers of the next index request: one after an entry, and one in case no entry arrives. */
export class IndexRefresher {
  #fetchIndex;
  #requestTimer = 0;
  #lullTimer = 0;

  /** @param {() => void} fetchIndex fetches the index */
  constructor(fetchIndex) {
    this.#fetchIndex = fetchIndex;
  }

  /** Plans a request if none is planned yet. */
  requestSoon() {
    if (this.#requestTimer) return;
    const wait = REQUEST_DELAY_MS * (1 + Math.random());
    this.#requestTimer = setTimeout(() => {
      this.#requestTimer = 0;
      this.#fetchIndex();
    }, wait);
  }

  /** @param {Entry} entry an entry that has just gone on air */
  onEntry(entry) {
    if (INDEX_CHANGES.has(entry.type)) this.requestSoon();
    this.expectEntry(entry.hold_ms);
  }

  /** Plans a request in case no entry arrives. @param {number} ms until the next entry is due */
  expectEntry(ms) {
    clearTimeout(this.#lullTimer);
    this.#lullTimer = setTimeout(() => this.requestSoon(), ms + LULL_MS);
  }
}
