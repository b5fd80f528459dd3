/**
 * A bot's hole cards in hands that have been on air: they come with the hand's segment, once it is asked for.
 *
 * @import { Card } from "../common/types.js"
 * @import { Film, Segment } from "../replay/film/film.js"
 */

import { cardLine } from "../lists/cards.js";

/**
 * @param {Film} film
 * @param {() => void} drawn called when more cards are known
 * @returns {(number: number, seq: number, bot: number) => HTMLElement | string} gives the cards of a bot in the hand of
 *   that number and first entry; nothing while they are not known
 */
export function ownCards(film, drawn) {
  /** By where the hand begins in the film. @type {Map<string, Card[]>} */
  const known = new Map();
  return (number, seq, bot) => {
    const key = `${number} ${seq}`;
    const cards = known.get(key);
    if (cards) return cards.length ? cardLine("span.own__cards", cards) : "";
    known.set(key, []); // it is asked for once
    const learn = (/** @type {Segment} */ { opening, entries }) => {
      const seat = opening.seats.findIndex((each) => each.bot === bot);
      const dealt = entries.find((entry) => entry.type === "hole_dealt" && entry.seat === seat);
      known.set(key, dealt?.type === "hole_dealt" ? dealt.cards : []);
      drawn();
    };
    film.segment(number).then(learn, () => undefined);
    return "";
  };
}
