/**
 * The chance to win, as a number and as a bar. The paler end of the bar is the chance to tie.
 */

import { el, setData, setText } from "../../common/dom.js";
import { isTieLikelier, percent } from "../../common/format.js";

/** @typedef {{ win: number | null, tie: number | null, leads: boolean }} ShownChance in tenths of a percent */

/** The chance of a seat; `update` touches only what has changed. */
export class ChancePart {
  #word = el("span.chance__word");
  #number = el("span.chance__number");
  #tieBar = el("chance__tie");
  #winBar = el("chance__win");
  #figure = el("chance__figure", this.#word, this.#number);
  root = el("chance", this.#figure, el("chance__bar", this.#tieBar, this.#winBar));
  /**
   * Shows the chances. If a tie is likelier than a win, and likely enough, the number is the chance to tie. If a tie is
   * certain, there is only the word TIE.
   *
   * @param {ShownChance} chance
   */
  update({ win, tie, leads }) {
    this.root.hidden = win === null;
    if (win === null) return;
    const tieChance = tie ?? 0;
    const tied = isTieLikelier(win, tieChance);
    setData(this.root, "leads", leads);
    setData(this.root, "tied", tied);
    setText(this.#word, tied ? "TIE" : "");
    const number = tied ? (tieChance < 1000 ? percent(tieChance) : "") : percent(win);
    setText(this.#number, number);
    setData(this.#figure, "long", number.length > 3);
    this.#winBar.style.transform = `scaleX(${win / 1000})`;
    this.#tieBar.style.transform = `scaleX(${Math.min(1000, win + tieChance) / 1000})`;
  }
}
