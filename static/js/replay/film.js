/**
 * A film, loaded from the server: its outline, and pieces of whole hands, each fetched when needed and kept a while.
 *
 * @import { Entry, State } from "../common/types.js"
 * @typedef {{ seq: number, at_ms: number, last_seq: number, until_ms: number, piece: number, stage: string,
 *   game: number, hand: number, pot: number, score: number, marks: string[], won: [number, number, string][],
 *   out: [number, number][], stacks: Record<string, number> }} FilmHand number 0 is what comes before the first hand
 * @typedef {{ bot: number, name: string, avatar: string }} FilmBot
 * @typedef {{ title: string, begun: string, contest: string, entries: number, length_ms: number,
 *   finished: boolean, bots: FilmBot[], pieces: number[], hands: FilmHand[] }} Outline
 * @typedef {{ number: number, first: number, state: State, entries: Entry[] }} Piece
 */

/** So many pieces are kept; the least recently used goes first. */
const KEPT = 48;

/** One film. */
export class Film {
  #address;
  /** @type {Map<number, Promise<Piece>>} */
  #pieces = new Map();

  /**
   * @param {string} address
   * @param {Outline} outline
   */
  constructor(address, outline) {
    this.#address = address;
    this.outline = outline;
  }

  /**
   * @param {string} recording
   * @param {number} hand the one that is shown first: its piece comes along
   * @returns {Promise<Film>} an Error with a sentence where there is none
   */
  static async open(recording, hand = 0) {
    const address = `/films/${recording.split("/").map(encodeURIComponent).join("/")}`;
    const [outline, piece] = await Promise.all([fetched(address), fetched(`${address}?hand=${hand}`)]);
    const film = new Film(address, outline);
    film.#pieces.set(piece.number, Promise.resolve(piece));
    return film;
  }

  /**
   * @param {number} number
   * @returns {Promise<Piece>}
   */
  piece(number) {
    const known = this.#pieces.get(number) ?? this.#fetch(number);
    this.#pieces.delete(number);
    this.#pieces.set(number, known);
    for (const old of this.#pieces.keys()) if (this.#pieces.size > KEPT) this.#pieces.delete(old);
    return known;
  }

  /** @param {number} number */
  async #fetch(number) {
    try {
      return await fetched(`${this.#address}?piece=${number}`);
    } catch (error) {
      this.#pieces.delete(number);
      throw error;
    }
  }

  /** @param {number} seq the number of an entry */
  handOf(seq) {
    return lastBefore(this.outline.hands.length, (at) => (this.outline.hands[at]?.seq ?? 0) <= seq);
  }

  /** @param {number} atMs a moment of the film */
  handAt(atMs) {
    return lastBefore(this.outline.hands.length, (at) => (this.outline.hands[at]?.at_ms ?? 0) <= atMs);
  }

  /**
   * The entries of a hand and of what follows it up to the next one.
   *
   * @param {number} hand
   * @returns {Promise<Entry[]>}
   */
  async section(hand) {
    return this.cut(await this.piece(this.outline.hands[hand]?.piece ?? 0), hand);
  }

  /**
   * The entries of a hand and what follows it, from the piece that holds it.
   *
   * @param {Piece} piece
   * @param {number} hand
   */
  cut(piece, hand) {
    const { hands, entries } = this.outline;
    const end = hands[hand + 1]?.seq ?? entries + 1;
    return piece.entries.slice((hands[hand]?.seq ?? 1) - piece.first, end - piece.first);
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

/** @param {string} address */
async function fetched(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer) throw new Error("The studio does not answer.");
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(body.error ?? "The studio could not give this film out.");
  return body;
}
