/**
 * What is at stake for the bot whose turn it is: its place and title odds after a win, a loss or a fold.
 *
 * @import { Outcome, State } from "../../common/types.js"
 */

import { el, setData, setText } from "../../common/dom.js";
import { fitText, TITLE_FONT } from "../../common/fit-text.js";
import { OUTCOME_HEADINGS, outcomesOf, outcomeWords, percent, shortNames } from "../../common/format.js";

/** The maximum number of outcomes that are shown. */
const ROWS = 3;
/**
 * The sizes of the text. `large` is the layout between two large seats. `alone` is the text's width without title odds,
 * and `beside` its width with title odds beside it.
 */
const LAYOUTS = {
  large: { alone: 660, beside: 560, size: 30 },
  usual: { alone: 322, beside: 234, size: 32 },
};
const HEAD = { ...TITLE_FONT, width: 300, size: 30 };

/** The panel with what is at stake; `update` redraws only the parts that have changed. */
export class AtStake {
  #head = el("at-stake__head");
  #rows = Array.from({ length: ROWS }, () => new OutcomeRow());
  #top = el("at-stake__top", this.#head, el("at-stake__of", "champion"));
  root = el("at-stake", this.#top, ...this.#rows.map((row) => row.root));

  /** @param {State} state @param {boolean} hasTwoSeats whether two seats fill the picture */
  update(state, hasTwoSeats) {
    const outcomes = outcomesOf(state);
    this.root.hidden = outcomes.length === 0;
    if (!outcomes.length) return;
    const bots = state.seats.map((seat) => state.bots[seat.bot]?.name ?? "");
    fitText(this.#head, `At stake for ${shortNames(bots)[state.stakes?.seat ?? 0]}`, HEAD);
    // Title odds that are the same in all cases say nothing, so they are not shown.
    const hasTitleOdds = new Set(outcomes.map(({ title }) => title)).size > 1;
    setData(this.root, "titled", hasTitleOdds);
    const { alone, beside, size } = hasTwoSeats ? LAYOUTS.large : LAYOUTS.usual;
    this.#rows.forEach((row, index) => {
      row.update(outcomes[index], state, hasTitleOdds, { width: hasTitleOdds ? beside : alone, size });
    });
  }
}

class OutcomeRow {
  #case = el("at-stake__case");
  #words = el("at-stake__words");
  #title = el("at-stake__title");
  root = el("at-stake__row", this.#case, this.#words, this.#title);

  /**
   * @param {Outcome | undefined} outcome
   * @param {State} state
   * @param {boolean} hasTitleOdds whether title odds are shown
   * @param {{ width: number, size: number }} room
   */
  update(outcome, { bots }, hasTitleOdds, room) {
    this.root.hidden = !outcome;
    if (!outcome) return;
    setData(this.root, "case", outcome.case);
    setText(this.#case, OUTCOME_HEADINGS[outcome.case]);
    fitText(this.#words, outcomeWords(outcome, bots), { ...room, weight: 700 });
    setText(this.#title, hasTitleOdds && typeof outcome.title === "number" ? percent(outcome.title) : "");
  }
}
