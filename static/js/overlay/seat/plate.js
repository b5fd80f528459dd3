/**
 * The plate under a seat's cards: what it did or has to do, and the chips in front of it.
 *
 * @import { SeatShape } from "./seat-kinds.js"
 */

import { el, mark } from "../../common/dom.js";
import { fit, widthOf } from "../../common/fit-text.js";
import { chips, heading } from "../../common/format.js";
import { chipShape } from "../parts/shapes.js";

const LETTERS = 32;
const AMOUNT = 40;
/** The width of the chip before a number with its gaps, and the least width for words beside it. */
const CHIP = 54;
const GAP = 10;
const LEAST = 60;
const NUMBER = { width: 0, size: 0, weight: 700 };

/** A plate. `update` changes only those of its elements that show something else now. */
export class PlatePart {
  #label = el("plate__label");
  #number = el("span.plate__number");
  chips = el("plate__chips", chipShape(), this.#number);
  root = el("plate", this.#label, this.chips);
  #shape;

  /** @param {SeatShape["plate"]} shape */
  constructor(shape) {
    this.#shape = shape;
    mark(this.root, "stacked", shape.stacked ?? false);
  }

  /** @param {{ label: string, amount: number, tone: string }} view */
  update({ label, amount, tone }) {
    mark(this.root, "tone", tone);
    mark(this.root, "bare", !amount);
    const { width, height, stacked, size = LETTERS } = this.#shape;
    const inner = width - (stacked ? 16 : 28);
    const taken = amount ? this.#count(chips(amount), stacked ? inner : inner - LEAST) : 0;
    const hand = tone === "hand" || tone === "won";
    const lines = hand ? Math.max(2, Math.floor(height / LETTERS)) : 1;
    fit(this.#label, hand ? label : heading(label), {
      width: inner - (stacked ? 0 : taken),
      size,
      lines,
      pair: Math.max(28, size - 10),
    });
  }

  /**
   * @param {string} number
   * @param {number} room in which a long number stands without its chip
   * @returns {number} the width it takes
   */
  #count(number, room) {
    const breadth = widthOf(number, NUMBER) * AMOUNT;
    const tight = breadth + CHIP > room;
    mark(this.root, "tight", tight);
    fit(this.#number, number, { ...NUMBER, width: tight ? room : breadth, size: AMOUNT });
    return tight ? Math.min(breadth, room) + GAP : breadth + CHIP;
  }
}
