/**
 * A notice beside the standings: one fact at a time about how the bots have played.
 *
 * @import { Notice, State } from "../../common/types.js"
 */

import { el, emptyImage, showFace } from "../../common/dom.js";
import { fitText, TITLE_FONT } from "../../common/fit-text.js";
import { gameOfStage, hasSeveralGames } from "../../common/format.js";

const SHOWN_MS = 5000;
/** The maximum number of marked hands that are shown. A mark says what was special about a hand. */
const MAX_MARKS = 4;
/** Only hands with these marks are listed. Other marks are shown elsewhere. */
const SHOWN_MARKS = new Set(["Bad beat", "Upset", "Hero call", "Bluff", "High hand"]);
const WORDS_WIDTH = 366;

/** A notice; `update` redraws only the parts that have changed. */
export class NoticePart {
  #image = emptyImage();
  #title = el("notice__title");
  #name = el("notice__name");
  #text = el("notice__text");
  root = el("notice", el("notice__photo", this.#image), el("notice__words", this.#title, this.#name, this.#text));

  /**
   * @param {State} state
   * @param {number} now the show's time, in milliseconds
   */
  update(state, now) {
    const notices = noticesOf(state);
    const notice = notices[Math.floor(now / SHOWN_MS) % notices.length];
    this.root.hidden = !notice;
    if (!notice) return;
    const bot = state.bots[notice.bot];
    showFace(this.#image, bot);
    fitText(this.#title, notice.title, { ...TITLE_FONT, width: WORDS_WIDTH, size: 28 });
    fitText(this.#name, bot?.name ?? "", { width: WORDS_WIDTH, size: 36, isRunningText: true });
    fitText(this.#text, notice.text, { width: WORDS_WIDTH, size: 32, isRunningText: true });
  }

  /** @param {number} now the show's time, in milliseconds @returns {number} milliseconds until the next notice */
  wait(now) {
    return this.root.hidden ? Number.POSITIVE_INFINITY : SHOWN_MS - (now % SHOWN_MS);
  }
}

/** Notices from the statistics, then the most dramatic marked hands of the stage. @type {(state: State) => Notice[]} */
function noticesOf({ stage, statistics, marks }) {
  const ofStage = stage ? marks.filter((mark) => mark.game >= stage.first_game && SHOWN_MARKS.has(mark.mark)) : [];
  const best = [...ofStage].sort((one, other) => other.score - one.score).slice(0, MAX_MARKS);
  const hands = best.map(({ mark, game, hand, bots }) => {
    const which =
      stage && hasSeveralGames(stage)
        ? `${stage.deals ? "Deal" : "Game"} ${gameOfStage(stage, { game })}, hand`
        : "Hand";
    return { title: mark, bot: bots[0] ?? 0, text: `${which} ${hand}` };
  });
  return [...statistics.notices, ...hands];
}
