/**
 * The entries of a published show, in order, without gaps or duplicates. Fetches the entries that an index announces,
 * and keeps them until they are due.
 *
 * @import { Entry } from "../../common/types.js"
 * @import { Piece, Published, PublishedFiles } from "./published-files.js"
 */

/** How many times a missing file is requested before the page gives up. */
const ATTEMPTS = 4;

export class PublishedEntries {
  #files;
  /** Entries that are not due yet. @type {Entry[]} */
  #coming = [];
  /** The hands that begin with an entry in `#coming`. @type {Piece[]} */
  #hands = [];
  /** The number of the newest known hand. */
  #newest = 0;
  /** What has been fetched so far: the last entry, its hand, and the number of parts of that hand. */
  #read = { seq: 0, hand: 0, parts: 0 };
  /** The number of failed requests in a row. */
  #missing = 0;

  /** @param {PublishedFiles} files */
  constructor(files) {
    this.#files = files;
  }

  /** The next entry, if it has been fetched. */
  get next() {
    return this.#coming[0];
  }

  /** The next hand that begins, if it has been fetched. */
  get nextHand() {
    return this.#hands[0];
  }

  /** Forgets all entries that are not due yet. */
  clear() {
    [this.#coming, this.#hands] = [[], []];
  }

  /** Fetches as much of hand `n` as is published. @type {(index: Published, n: number) => Promise<Piece>} */
  async begin(index, n) {
    const ended = n < index.open;
    const piece = await (ended ? this.#files.segment(index.epoch, n) : this.#files.part(index.epoch, n, 0));
    this.#newest = n;
    this.#read = { seq: piece.first_seq - 1, hand: n, parts: 0 };
    this.#add(piece, ended);
    return piece;
  }

  /**
   * Fetches all new entries.
   *
   * @param {Published} index
   * @throws {Error} if an entry is missing; earlier entries are kept
   */
  async readOn(index) {
    try {
      while (!this.#addFresh(index)) {
        const { hand, parts } = this.#read;
        if (hand < index.open) this.#add(await this.#files.segment(index.epoch, hand), true);
        else if (parts < index.parts) this.#add(await this.#files.part(index.epoch, hand, parts, this.#missing > 0));
        else throw new Error(`Hand ${hand} has a gap.`);
      }
      this.#missing = 0;
    } catch (error) {
      this.#missing += 1;
      throw error;
    }
  }

  /** A hand that is over but still missing on the host. @type {(index: Published) => number | undefined} */
  lostHand({ open }) {
    const { hand } = this.#read;
    return this.#missing > ATTEMPTS && hand < open ? hand : undefined;
  }

  /**
   * @param {number} until a moment of the show, in milliseconds
   * @param {number} [before] the number of an entry
   * @returns {Generator<Entry>} the entries with lower numbers than `before` that are due by `until`
   */
  *due(until, before = Number.POSITIVE_INFINITY) {
    for (let [next] = this.#coming; next && next.at_ms <= until && next.seq < before; [next] = this.#coming) {
      this.#coming.shift();
      yield next;
    }
  }

  /** The hand that begins with this entry, if any. @type {(entry: Entry) => Piece | undefined} */
  dueHand({ seq }) {
    const [hand] = this.#hands;
    return hand && seq >= hand.first_seq ? this.#hands.shift() : undefined;
  }

  /** Adds the entries in an index; true if no entry is missing afterwards. @type {(index: Published) => boolean} */
  #addFresh({ fresh, last, open, parts }) {
    if (fresh[0] && fresh[0].first_seq <= this.#read.seq + 1) {
      for (const piece of fresh) this.#add(piece);
      this.#read = { ...this.#read, hand: open, parts };
    }
    return this.#read.seq >= last;
  }

  /**
   * @param {Piece} piece
   * @param {boolean} [isWhole] whether this is a complete hand
   */
  #add(piece, isWhole = false) {
    const { seq, hand, parts } = this.#read;
    const fresh = piece.entries.filter((entry) => entry.seq > seq);
    if (fresh[0] && fresh[0].seq !== seq + 1) throw new Error(`Hand ${piece.n} has a gap.`);
    if (piece.first_seq === seq + 1 && piece.n !== this.#newest) {
      this.#hands.push({ ...piece, entries: [] });
      this.#newest = piece.n;
    }
    this.#coming.push(...fresh);
    const next = isWhole ? { hand: piece.n + 1, parts: 0 } : { hand, parts: parts + 1 };
    this.#read = { ...next, seq: seq + fresh.length };
  }
}
