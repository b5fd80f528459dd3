/**
 * Playing cards: a big rank in the corner and one big suit, or the back. An empty one is an outline on the table.
 */

import { el, mark, write } from "../../common/dom.js";
import { printedRank } from "../../common/format.js";
import { suitShape } from "./shapes.js";

/** A card. `update` changes only those of its elements that show something else now. */
export class CardPart {
  #shown = "";
  #rank = el("span.card__rank");
  #suit = el("span.card__suit");
  root = el("card", this.#rank, this.#suit);

  /**
   * @param {string} card "" for none
   * @param {"" | "lit" | "dim"} light
   * @param {boolean} back whether it lies face down
   */
  update(card, light = "", back = false) {
    mark(this.root, "light", light);
    mark(this.root, "back", back);
    if (card === this.#shown) return;
    this.#shown = card;
    mark(this.root, "suit", card.charAt(1));
    write(this.#rank, card && printedRank(card));
    this.#suit.replaceChildren(...(card ? [suitShape(card.charAt(1))] : []));
  }
}

/** The five common cards. */
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
