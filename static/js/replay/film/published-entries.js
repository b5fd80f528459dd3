/**
 * The entries of a published show in their order: fetches what an index says is new, with none left out and none
 * twice, and keeps them until their time has come.
 *
 * @import { Entry } from "../../common/types.js"
 * @import { Piece, Published, PublishedFiles } from "./published-files.js"
 */

/** A file that is missing is asked for so often before it is done without. */
const ATTEMPTS = 4;

export class PublishedEntries {
  #files;
  /** Fetched, but not taken yet. @type {Entry[]} */
  #coming = [];
  /** Hands that begin among them: how they begin. @type {Piece[]} */
  #hands = [];
  /** The number of the newest hand that is known. */
  #newest = 0;
  /** Up to where all has been fetched: entry, hand, and how many parts of it. */
  #read = { seq: 0, hand: 0, parts: 0 };
  /** How often in a row something was missing. */
  #missing = 0;

  /** @param {PublishedFiles} files */
  constructor(files) {
    this.#files = files;
  }

  /** The entry that is to be taken next, if it is there. */
  get next() {
    return this.#coming[0];
  }

  /** The hand that begins next, if it is there. */
  get nextHand() {
    return this.#hands[0];
  }

  /** Forgets what was fetched. */
  clear() {
    [this.#coming, this.#hands] = [[], []];
  }

  /** Fetches a hand, as far as it is there. @type {(index: Published, n: number) => Promise<Piece>} */
  async begin(index, n) {
    const ended = n < index.open;
    const piece = await (ended ? this.#files.segment(index.epoch, n) : this.#files.part(index.epoch, n, 0));
    this.#newest = n;
    this.#read = { seq: piece.first_seq - 1, hand: n, parts: 0 };
    this.#add(piece, ended);
    return piece;
  }

  /**
   * Fetches all that is new.
   *
   * @param {Published} index
   * @throws {Error} if something is missing: what came before it is kept
   */
  async readOn(index) {
    try {
      while (!this.#takeFresh(index)) {
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

  /** A hand that has ended and that the host still lacks. @type {(index: Published) => number | undefined} */
  lostHand({ open }) {
    const { hand } = this.#read;
    return this.#missing > ATTEMPTS && hand < open ? hand : undefined;
  }

  /**
   * @param {number} until a moment of the show, in milliseconds
   * @param {number} [before] the number of an entry
   * @returns {Generator<Entry>} those before it whose time has come by then
   */
  *take(until, before = Number.POSITIVE_INFINITY) {
    for (let [next] = this.#coming; next && next.at_ms <= until && next.seq < before; [next] = this.#coming) {
      this.#coming.shift();
      yield next;
    }
  }

  /** The hand that begins with this entry, if one does. @type {(entry: Entry) => Piece | undefined} */
  takeHand({ seq }) {
    const [hand] = this.#hands;
    return hand && seq >= hand.first_seq ? this.#hands.shift() : undefined;
  }

  /** Takes what an index brings; whether nothing is missing now. @type {(index: Published) => boolean} */
  #takeFresh({ fresh, last, open, parts }) {
    if (fresh[0] && fresh[0].first_seq <= this.#read.seq + 1) {
      for (const piece of fresh) this.#add(piece);
      this.#read = { ...this.#read, hand: open, parts };
    }
    return this.#read.seq >= last;
  }

  /**
   * @param {Piece} piece
   * @param {boolean} [isWhole] whether the hand has ended, and this is all of it
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
