/**
 * The five common cards.
 */

import { el } from "../../common/dom.js";
import { CardPart } from "./card.js";

/** A board. `update` changes only those of its elements that show something else now. */
export class Board {
  cards = Array.from({ length: 5 }, () => new CardPart());
  root = el("board", ...this.cards.map((card) => card.root));

  /**
   * @param {string[]} cards
   * @param {string[]} lit the cards that won; empty before
   */
  update(cards, lit) {
    this.cards.forEach((part, at) => {
      const card = cards[at] ?? "";
      part.update(card, card && lit.length ? (lit.includes(card) ? "lit" : "dim") : "");
    });
  }
}
