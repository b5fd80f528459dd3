/**
 * The chance to win, as a number and as a bar. The paler end of the bar is the chance to tie.
 */

import { el, mark, write } from "../../common/dom.js";
import { isTie, percent } from "../../common/format.js";

/** @typedef {{ win: number | null, tie: number | null, leads: boolean }} Chance in tenths of a percent */

/** @type {Chance} */
const UNKNOWN = { win: null, tie: null, leads: false };

/** The chance of a seat; `update` redraws only the parts that have changed. */
export class ChancePart {
  #word = el("span.chance__word");
  #number = el("span.chance__number");
  #tieBar = el("chance__tie");
  #winBar = el("chance__win");
  #figure = el("chance__figure", this.#word, this.#number);
  root = el("chance", this.#figure, el("chance__bar", this.#tieBar, this.#winBar));
  #now = UNKNOWN;
  #before = UNKNOWN;
  #timer = 0;

  /** @param {Chance} chance */
  update(chance) {
    if (chance.win !== this.#now.win) this.#before = this.#now;
    this.#now = chance;
    if (!this.#timer || chance.win === null) this.#show(chance);
  }

  /**
   * Keeps showing the previous chance until the new card is turned over.
   *
   * @param {number} ms until the card is turned over
   * @param {() => void} done called at that moment, unless `drop` is called before
   */
  delay(ms, done) {
    this.drop();
    this.#show(this.#before);
    this.#timer = setTimeout(() => {
      this.drop();
      done();
    }, ms);
  }

  /** Shows the current chance. */
  drop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#show(this.#now);
  }

  /**
   * Shows the chances. If a tie is likelier than a win, and not very unlikely, the number is the chance to tie.
   *
   * @param {Chance} chance
   */
  #show({ win, tie, leads }) {
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
