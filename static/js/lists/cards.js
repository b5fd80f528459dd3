/**
 * Draws cards within text. Screen readers get the cards' names.
 *
 * @import { Card } from "../common/types.js"
 */

import { el, setData } from "../common/dom.js";
import { cardName, printedRank } from "../common/format.js";
import { suitShape } from "../overlay/parts/shapes.js";

/** Draws several cards as one picture for screen readers. @type {(className: string, cards: Card[]) => HTMLElement} */
export function cardLine(className, cards) {
  const line = el(className, ...cards.map(cardFace));
  line.setAttribute("role", "img");
  line.setAttribute("aria-label", cards.map(cardName).join(", ") || "no cards");
  return line;
}

/** @param {Card | ""} card "" for an empty place */
export function cardFace(card) {
  const face = el("span.face", ...(card ? [printedRank(card), suitShape(card.charAt(1))] : []));
  setData(face, "suit", card.charAt(1));
  return face;
}
