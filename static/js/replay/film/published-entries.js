/**
 * The entries (events, such as bets) of a live show on a static host, in order, without gaps or duplicates. Fetches the
 * entries that the host's index announces, and keeps them until they are due.
 *
 * @import { Entry } from "../../common/types.js"
 * @import { HandPart, PublishedIndex, PublishedFiles } from "./published-files.js"
 */

/** A missing hand is given up after more than this many failed requests in a row. */
const ATTEMPTS = 4;

export class PublishedEntries {
  #files;
  /** Entries that are not due yet. @type {Entry[]} */
  #pendingEntries = [];
  /** The hands that begin with an entry in `pendingEntries`. @type {HandPart[]} */
  #pendingHands = [];
  /** The number of the newest known hand. */
  #newestHand = 0;
  /** The number of the last entry fetched, the hand to fetch next, and how many of its parts have been fetched. */
  #readSoFar = { seq: 0, hand: 0, parts: 0 };
  /** The number of failed requests in a row. */
  #failedRequests = 0;

  /** @param {PublishedFiles} files */
  constructor(files) {
    this.#files = files;
  }

  /** The next entry, if it has been fetched. */
  get next() {
    return this.#pendingEntries[0];
  }

  /** The next hand that begins, if it has been fetched. */
  get nextHand() {
    return this.#pendingHands[0];
  }

  /** Forgets all entries that are not due yet. */
  clear() {
    [this.#pendingEntries, this.#pendingHands] = [[], []];
  }

  /**
   * Starts with hand `n`. Fetches all of the hand if it is over, otherwise only its first part.
   *
   * @type {(index: PublishedIndex, n: number) => Promise<HandPart>}
   */
  async fetchHand(index, n) {
    const ended = n < index.open;
    const piece = await (ended ? this.#files.segment(index.epoch, n) : this.#files.part(index.epoch, n, 0));
    this.#newestHand = n;
    this.#readSoFar = { seq: piece.first_seq - 1, hand: n, parts: 0 };
    this.#addPart(piece, ended);
    return piece;
  }

  /**
   * @param {PublishedIndex} index
   * @throws {Error} if an entry is missing; earlier entries are kept
   */
  async fetchNewEntries(index) {
    try {
      while (!this.#addFromIndex(index)) {
        const { hand, parts } = this.#readSoFar;
        if (hand < index.open) this.#addPart(await this.#files.segment(index.epoch, hand), true);
        else if (parts < index.parts)
          this.#addPart(await this.#files.part(index.epoch, hand, parts, this.#failedRequests > 0));
        else throw new Error(`Hand ${hand} has a gap.`);
      }
      this.#failedRequests = 0;
    } catch (error) {
      this.#failedRequests += 1;
      throw error;
    }
  }

  /** The number of an ended hand that the host lacks. @type {(index: PublishedIndex) => number | undefined} */
  findLostHand({ open }) {
    const { hand } = this.#readSoFar;
    return this.#failedRequests > ATTEMPTS && hand < open ? hand : undefined;
  }

  /**
   * @param {number} until a moment of the show, in milliseconds
   * @param {number} [before] the number of an entry
   * @returns {Generator<Entry>} the entries with lower numbers than `before` that are due by `until`
   */
  *takeDue(until, before = Number.POSITIVE_INFINITY) {
    for (
      let [next] = this.#pendingEntries;
      next && next.at_ms <= until && next.seq < before;
      [next] = this.#pendingEntries
    ) {
      this.#pendingEntries.shift();
      yield next;
    }
  }

  /** The hand that begins with this entry, if any. @type {(entry: Entry) => HandPart | undefined} */
  takeDueHand({ seq }) {
    const [hand] = this.#pendingHands;
    return hand && seq >= hand.first_seq ? this.#pendingHands.shift() : undefined;
  }

  /** Adds an index's entries. Returns whether all up to `last` are here. @type {(index: PublishedIndex) => boolean} */
  #addFromIndex({ fresh, last, open, parts }) {
    if (fresh[0] && fresh[0].first_seq <= this.#readSoFar.seq + 1) {
      for (const piece of fresh) this.#addPart(piece);
      this.#readSoFar = { ...this.#readSoFar, hand: open, parts };
    }
    return this.#readSoFar.seq >= last;
  }

  /**
   * @param {HandPart} part
   * @param {boolean} [isWhole] whether this is a complete hand
   */
  #addPart(part, isWhole = false) {
    const { seq, hand, parts } = this.#readSoFar;
    const fresh = part.entries.filter((entry) => entry.seq > seq);
    if (fresh[0] && fresh[0].seq !== seq + 1) throw new Error(`Hand ${part.n} has a gap.`);
    if (part.first_seq === seq + 1 && part.n !== this.#newestHand) {
      this.#pendingHands.push({ ...part, entries: [] });
      this.#newestHand = part.n;
    }
    this.#pendingEntries.push(...fresh);
    const next = isWhole ? { hand: part.n + 1, parts: 0 } : { hand, parts: parts + 1 };
    this.#readSoFar = { ...next, seq: seq + fresh.length };
  }
}
