/**
 * Playing cards: a big rank in the corner and one big suit, or the back. An empty place is an outline on the table.
 */

import { el, redraw, setData, setText } from "../../common/dom.js";
import { printedRank } from "../../common/format.js";
import { suitShape } from "./shapes.js";

/** A card; `update` redraws only the parts that have changed. */
export class CardPart {
  #rank = el("span.card__rank");
  #suit = el("span.card__suit");
  root = el("card", this.#rank, this.#suit);

  /**
   * @param {string} card "" for none
   * @param {"" | "lit" | "dim"} light
   * @param {boolean} isFaceDown whether the card lies face down
   */
  update(card, light = "", isFaceDown = false) {
    const suit = card.charAt(1);
    setData(this.root, "light", light);
    setData(this.root, "back", isFaceDown);
    setData(this.root, "suit", suit);
    setText(this.#rank, card && printedRank(card));
    redraw(this.#suit, suit, () => (suit ? [suitShape(suit)] : []));
  }
}

/** The five cards of the board. */
export class Board {
  cards = Array.from({ length: 5 }, () => new CardPart());
  root = el("board", ...this.cards.map((card) => card.root));

  /**
   * @param {string[]} cards
   * @param {string[]} lit the cards that won, or [] until the hand is decided
   */
  update(cards, lit) {
    this.cards.forEach((part, index) => {
      const card = cards[index] ?? "";
      part.update(card, card && lit.length ? (lit.includes(card) ? "lit" : "dim") : "");
    });
  }
}
