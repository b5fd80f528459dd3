/**
 * The plate under a seat's cards: what it did or faces, and the chips in front of it.
 */

import { el, mark, write } from "../dom.js";
import { fit, widthOf } from "../fit.js";
import { chips } from "../format.js";
import { chipShape } from "./shapes.js";

const AMOUNT = 40;

/** A plate that changes by comparing. */
export class PlatePart {
  #label = el("plate__label");
  #number = el("span.plate__number");
  chips = el("plate__chips", chipShape(), this.#number);
  root = el("plate", this.#label, this.chips);
  #width;

  /** @param {number} width of the plate, in stage pixels */
  constructor(width) {
    this.#width = width;
  }

  /** @param {{ label: string, amount: number, tone: string }} view */
  update({ label, amount, tone }) {
    mark(this.root, "tone", tone);
    mark(this.root, "bare", !amount);
    const number = amount ? chips(amount) : "";
    write(this.#number, number);
    const taken = amount ? widthOf(number, { width: 0, size: 0, weight: 700 }) * AMOUNT + 54 : 0;
    const hand = tone === "hand" || tone === "won";
    fit(this.#label, label, { width: this.#width - 28 - taken, size: 32, lines: hand ? 2 : 1, pair: 28 });
  }
}
