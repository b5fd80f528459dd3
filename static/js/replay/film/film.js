/**
 * A film: a replayable show on the server. It has an outline (the list of its hands), and for each hand a segment (the
 * hand's entries, which are events such as bets). Segments are fetched when needed, and cached.
 *
 * @import { Entry, ShowSchedule, State } from "../../common/types.js"
 * @typedef {{ seq: number, at_ms: number, last_seq: number, until_ms: number, stage: string, game: number,
 *   hand: number, pot: number, score: number, marks: string[], won: [bot: number, chips: number, ranking: string][],
 *   told: string, out: [bot: number, seq: number][], stacks: Record<string, number>, deal?: number,
 *   deal_hands?: number, deal_won?: Record<string, number> }} FilmHand `score` is the drama of the hand, from 0 to 100,
 *   and `marks` are the reasons to remember it, such as "Bluff". `told` says who won which pot. `out` has the bots that
 *   are eliminated, and the number of the entry that eliminates each. In a stage of deals, the same cards are played at
 *   several tables: `deal` is the number of the hand's deal, and `deal_hands` is the maximum number of hands in a deal.
 *   On the last hand of a deal, `deal_won` is what each bot won at all tables. Films of earlier versions have none of
 *   these three fields. Hand 0 is what comes before the first hand
 * @typedef {{ bot: number, name: string, avatar: string }} FilmBot
 * @typedef {{ title: string, begun: string, contest: string, entries: number, length_ms: number,
 *   finished: boolean, bots: FilmBot[], hands: FilmHand[] }} Outline
 * @typedef {{ n: number, first_seq: number, opening: State, entries: Entry[] }} Segment the entries from the start of
 *   a hand to the start of the next hand, with the picture before the hand
 */

import { encodePath, fromRoot } from "../../common/addresses.js";
import { fetchJson, fetchSegment, fetchWhenMade } from "./fetched.js";

/** The number of segments in the cache. The least recently used segment is dropped first. */
const MAX_CACHED = 128;
/** The number of segments that are fetched before they are needed. */
const PREFETCH_COUNT = 2;

export class Film {
  /** Whether the show is still on. */
  live = false;
  /** Whether a live film has been disconnected for several seconds. */
  lost = false;
  /** Whether a live film is connected. */
  up = true;
  /** The first hand that is still available. */
  first = 0;
  /** The estimated end of the film, in milliseconds, or 0 if unknown. */
  expected = 0;
  /** The number of the table that the film shows in every deal. Table 1 was on air. */
  table = 1;
  /** The number of changes of the outline so far. */
  revision = 0;
  /** The name of the show's recording, once the recording is published after the show. */
  recording = "";
  /** The schedule of a live film, or null. @type {ShowSchedule | null} */
  schedule = null;
  #address;
  #checksums;
  /** @type {Map<number, Promise<Segment>>} */
  #segments = new Map();

  /**
   * @param {string} address
   * @param {Outline} outline
   * @param {string[]} [checksums] the SHA-256 of each segment, indexed by the hand's number
   * @param {number} [table] the number of the table to show in each deal
   */
  constructor(address, outline, checksums = [], table = 1) {
    this.#address = address;
    this.#checksums = checksums;
    this.outline = outline;
    this.table = table;
  }

  /**
   * @param {string} recording
   * @param {number} [table] the number of the table to show in each deal
   * @param {(words: string) => void} [report] called with the progress if the film has to be made first
   * @returns {Promise<Film>} rejected with a message if the film is not available
   */
  static async open(recording, table = 1, report = undefined) {
    const address = fromRoot(`films/${encodePath(recording)}${table > 1 ? `/tables/${table}` : ""}`);
    const index = `${address}/index.json`;
    const { version, sums, ...outline } = await (report ? fetchWhenMade(index, report) : fetchJson(index));
    return new Film(`${address}/${version}`, outline, sums, table);
  }

  /** Where the film begins, in milliseconds. */
  get begin() {
    return this.first && (this.outline.hands[this.first]?.at_ms ?? 0);
  }

  get end() {
    return this.outline.length_ms;
  }

  /** @returns {"live" | "waiting" | "paused" | "over"} the state of the show at the end of the film */
  get showState() {
    return "over";
  }

  /** The speed at which the show was on air. */
  get speed() {
    return 1;
  }

  /**
   * Gives this film the content of another film of the same show. Returns a film with the old content.
   *
   * @type {(other: Film) => Film}
   */
  replaceContent(other) {
    const before = new Film(this.#address, this.outline, this.#checksums, this.table);
    before.#segments = this.#segments;
    this.#address = other.#address;
    this.#checksums = other.#checksums;
    this.#segments = other.#segments;
    this.outline = other.outline;
    this.table = other.table;
    this.revision += 1;
    return before;
  }

  /** @type {(number: number) => Promise<Segment>} */
  loadSegment(number) {
    return fetchSegment(`${this.#address}/${number}.seg`, number, this.#checksums[number]);
  }

  /** Caches a segment that was not fetched. @param {Segment} segment */
  cacheSegment(segment) {
    this.#segments.set(segment.n, Promise.resolve(segment));
  }

  /** Empties the cache, when another show begins. */
  clearCache() {
    this.#segments.clear();
  }

  /** @type {(number: number) => Promise<Segment>} */
  segment(number) {
    const loaded = () =>
      this.loadSegment(number).catch((error) => {
        this.#segments.delete(number);
        throw error;
      });
    const known = this.#segments.get(number) ?? loaded();
    this.#segments.delete(number);
    this.#segments.set(number, known);
    for (const old of this.#segments.keys()) if (this.#segments.size > MAX_CACHED) this.#segments.delete(old);
    return known;
  }

  /** @param {number} number of the current segment */
  prefetch(number) {
    const end = Math.min(number + PREFETCH_COUNT, this.outline.hands.length - 1);
    for (let next = number + 1; next <= end; next += 1) this.segment(next).catch(() => undefined);
  }

  /** @param {number} seq the number of an entry */
  handOf(seq) {
    return lastIndexWhere(this.outline.hands.length, (number) => (this.outline.hands[number]?.seq ?? 0) <= seq);
  }

  /** @param {number} atMs a moment of the film */
  handAt(atMs) {
    return lastIndexWhere(this.outline.hands.length, (number) => (this.outline.hands[number]?.at_ms ?? 0) <= atMs);
  }
}

/**
 * Returns the last index below `count` for which `fits` is true, or 0 if there is none. `fits` must also be true for
 * all earlier indexes, because this is a binary search.
 *
 * @type {(count: number, fits: (at: number) => boolean) => number}
 */
export function lastIndexWhere(count, fits) {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** @returns {Outline} the outline of a film that is not loaded yet */
export function emptyOutline() {
  const none = { title: "", begun: "", contest: "", entries: 0, length_ms: 0, finished: false, bots: [] };
  return { ...none, hands: [emptyHand(1, 0)] };
}

/** A hand that has just begun. @type {(seq: number, atMs: number) => FilmHand} */
export function emptyHand(seq, atMs) {
  const none = { last_seq: 0, until_ms: 0, stage: "", game: 0, hand: 0, pot: 0, score: 0 };
  return { ...none, seq, at_ms: atMs, marks: [], won: [], told: "", out: [], stacks: {} };
}

/** A hand in progress, with only the facts that viewers may know. @type {(hand?: FilmHand) => FilmHand} */
export function handInProgress({ seq, at_ms, stage, game, hand, deal, deal_hands } = emptyHand(1, 0)) {
  return { ...emptyHand(seq, at_ms), stage, game, hand, deal, deal_hands };
}

/**
 * Names a hand within its stage: "game 3, hand 7". In a stage of deals, the name is "deal 15, hand 2", or "deal 15" if
 * a deal has only one hand.
 *
 * @param {Pick<FilmHand, "game" | "hand" | "deal" | "deal_hands">} hand
 */
export function whichHand({ game, hand, deal = 0, deal_hands = 0 }) {
  if (!deal) return `game ${game}, hand ${hand}`;
  return deal_hands > 1 ? `deal ${deal}, hand ${hand}` : `deal ${deal}`;
}
