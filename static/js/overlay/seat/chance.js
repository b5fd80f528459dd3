/**
 * The plate under a mugshot: the chance to win as a number and as a bar, a tie as the paler end of the bar.
 * Creates its elements once.
 */

import { el, mark, write } from "../../common/dom.js";
import { percent } from "../../common/format.js";

const UNKNOWN = { tie: 0, leads: false };

/** The plate of one seat. `update` changes only those of its elements that show something else now. */
export class ChancePart {
  #word = el("span.chance__word");
  #number = el("span.chance__number");
  #level = el("chance__tie");
  #ahead = el("chance__win");
  #figure = el("chance__figure", this.#word, this.#number);
  root = el("chance", this.#figure, el("chance__bar", this.#level, this.#ahead));
  #win = /** @type {number | null} */ (null);
  #now = UNKNOWN;
  #before = UNKNOWN;

  /** @param {{ win: number | null, tie: number | null, leads: boolean }} view chances in tenths of a percent */
  update({ win, tie, leads }) {
    this.root.hidden = win === null;
    if (win !== this.#win) this.#before = this.#win === null ? UNKNOWN : this.#now;
    this.#win = win;
    this.#now = { tie: tie ?? 0, leads };
    if (win !== null) this.show(win);
  }

  /**
   * Shows a chance to win: the one there is, or one on the way to it, with all else as it was before. Where a tie is
   * likelier, the number is its.
   *
   * @param {number} win
   */
  show(win) {
    const { tie, leads } = win === this.#win ? this.#now : this.#before;
    const tied = tie > win;
    mark(this.root, "leads", leads);
    mark(this.root, "tied", tied);
    write(this.#word, tied ? "TIE" : "");
    const number = tied ? (tie < 1000 ? percent(tie) : "") : percent(win);
    write(this.#number, number);
    mark(this.#figure, "long", number.length > 3);
    this.#ahead.style.transform = `scaleX(${win / 1000})`;
    this.#level.style.transform = `scaleX(${Math.min(1000, win + tie) / 1000})`;
  }
}
