/**
 * The chance to win, as a number and as a bar. The paler end of the bar is the chance to tie.
 */

import { el, mark, write } from "../../common/dom.js";
import { isTie, percent } from "../../common/format.js";

/** @typedef {{ win: number | null, tie: number | null, leads: boolean }} Chance in tenths of a percent */

/** The chance of a seat; `update` touches only what has changed. */
export class ChancePart {
  #word = el("span.chance__word");
  #number = el("span.chance__number");
  #tieBar = el("chance__tie");
  #winBar = el("chance__win");
  #figure = el("chance__figure", this.#word, this.#number);
  root = el("chance", this.#figure, el("chance__bar", this.#tieBar, this.#winBar));
  /**
   * Shows the chances. If a tie is likelier than a win, and not very unlikely, the number is the chance to tie.
   *
   * @param {Chance} chance
   */
  update({ win, tie, leads }) {
    this.root.hidden = win === null;
    if (win === null) return;
    const level = tie ?? 0;
    const tied = isTie(win, level);
    mark(this.root, "leads", leads);
    mark(this.root, "tied", tied);
    write(this.#word, tied ? "TIE" : "");
    const number = tied ? (level < 1000 ? percent(level) : "") : percent(win);
    write(this.#number, number);
    mark(this.#figure, "long", number.length > 3);
    this.#winBar.style.transform = `scaleX(${win / 1000})`;
    this.#tieBar.style.transform = `scaleX(${Math.min(1000, win + level) / 1000})`;
  }
}
