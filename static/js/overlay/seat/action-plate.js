/**
 * The plate under a seat's cards: the seat's last or required action, and its bet.
 *
 * @import { SeatShape } from "./seat-kinds.js"
 */

import { el, redraw, setData } from "../../common/dom.js";
import { BOLD_FONT, fitText, TITLE_FONT, widthOf } from "../../common/fit-text.js";
import { chips, upperCase } from "../../common/format.js";
import { chipPile } from "../parts/chips.js";

const FONT_SIZE = 32;
const AMOUNT_SIZE = 40;
/** The width of the pile before a number, the gap between words and a number, and the minimum width of the words. */
const PILE_WIDTH = 42;
const GAP = 6;
const MIN_WORDS_WIDTH = 60;
/** The smallest factor by which a number may be narrowed. */
const MIN_SQUEEZE = 0.7;
/** The font size of the stamp, and the width that its frame adds. */
const STAMP_SIZES = { size: 28, frame: 22 };

/** A plate; `update` redraws only the parts that have changed. */
export class PlatePart {
  #label = el("plate__label");
  #number = el("span.plate__number");
  #pile = el("plate__pile");
  stamp = el("stamp", el("stamp__word", "ALL IN"));
  root = el("plate", this.#label, this.stamp, el("plate__chips", this.#pile, this.#number));
  #shape;

  /** @param {SeatShape["plate"]} shape */
  constructor(shape) {
    this.#shape = shape;
    setData(this.root, "stacked", shape.stacked ?? false);
    setData(this.stamp, "stamp", "allin");
    this.root.style.paddingRight = `${shape.pad ?? 8}px`;
  }

  /**
   * @param {{ label: string, amount: number, tone: string }} view `tone`: the style; "allin" shows the stamp instead of
   *   the label, and "hand" is for the name of a shown hand
   */
  update({ label, amount, tone }) {
    setData(this.root, "tone", tone);
    const isAllIn = tone === "allin";
    this.stamp.hidden = !isAllIn;
    this.#label.hidden = isAllIn;
    const { width, height, stacked, size = FONT_SIZE, amount: digitSize = AMOUNT_SIZE, pad = 8 } = this.#shape;
    const inner = width - pad - (stacked ? 8 : 14);
    const stampWidth = widthOf("ALL IN", TITLE_FONT) * STAMP_SIZES.size + STAMP_SIZES.frame;
    const beside = GAP + (isAllIn ? stampWidth : MIN_WORDS_WIDTH);
    const number = chips(amount);
    const breadth = widthOf(number, BOLD_FONT) * digitSize;
    // A number that would be illegible even when narrowed is left out.
    const isShown = amount > 0 && breadth * MIN_SQUEEZE <= inner - (stacked || !isAllIn ? 0 : beside);
    // A long number is shown without a pile.
    const room = inner - (stacked ? 0 : beside);
    const isTight = isShown && breadth + PILE_WIDTH > room;
    setData(this.root, "bare", !isShown);
    setData(this.root, "tight", isTight);
    if (isShown) {
      fitText(this.#number, number, { ...BOLD_FONT, width: isTight ? room : breadth, size: digitSize });
      redraw(this.#pile, amount, () => [chipPile(amount)]);
    }
    const used = stacked || !isShown ? 0 : isTight ? Math.min(breadth, room) + GAP : breadth + PILE_WIDTH;
    const hand = tone === "hand";
    const lines = hand ? Math.max(2, Math.floor(height / FONT_SIZE)) : 1;
    const wrappedSize = Math.max(28, size - 10);
    fitText(this.#label, hand ? label : upperCase(label), { width: inner - used, size, wrappedSize, lines });
  }
}
