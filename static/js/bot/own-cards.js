/**
 * A bot's hole cards in hands that have been on air: they come with the hand's segment, once it is asked for.
 *
 * @import { Card } from "../common/types.js"
 * @import { Film, Segment } from "../replay/film/film.js"
 */

import { cardLine } from "../lists/cards.js";

/** The cards of one bot, by hand. */
export class OwnCards {
  #film;
  #drawn;
  /** By where the hand begins in the film. @type {Map<string, Card[]>} */
  #known = new Map();

  /**
   * @param {Film} film
   * @param {() => void} drawn called when more cards are known
   */
  constructor(film, drawn) {
    this.#film = film;
    this.#drawn = drawn;
  }

  /**
   * @param {number} number of a hand
   * @param {number} seq its first entry
   * @param {number} bot
   * @returns {HTMLElement | string} its cards; nothing while they are not known
   */
  of(number, seq, bot) {
    const key = `${number} ${seq}`;
    const cards = this.#known.get(key);
    if (!cards) void this.#learn(key, number, bot);
    return cards?.length ? cardLine("span.own__cards", cards) : "";
  }

  /**
   * @param {string} key
   * @param {number} number
   * @param {number} bot
   */
  async #learn(key, number, bot) {
    this.#known.set(key, []); // it is asked for once
    const cards = await this.#film.segment(number).then(
      (segment) => dealtTo(segment, bot),
      () => [],
    );
    this.#known.set(key, cards);
    if (cards.length) this.#drawn();
  }
}

/**
 * @param {Segment} segment
 * @param {number} bot
 */
function dealtTo({ opening, entries }, bot) {
  const seat = opening.seats.findIndex((each) => each.bot === bot);
  const dealt = entries.find((entry) => entry.type === "hole_dealt" && entry.seat === seat);
  return dealt?.type === "hole_dealt" ? dealt.cards : [];
}
