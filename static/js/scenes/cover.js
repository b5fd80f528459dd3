/**
 * The cards that cover the picture: a break, with how everybody stands, and the one for when something is wrong.
 *
 * @import { Bot, CardName, State } from "../types.js"
 */

import { el, emptyPicture, mark, picture, place, write } from "../dom.js";
import { fit } from "../fit.js";
import { avatarOf, chips, ordinal } from "../format.js";
import { batwing, horseshoe, starRow } from "../parts/scenery.js";
import { paperSheet } from "../parts/shapes.js";

const SIGN = { left: 430, top: 92, width: 1060, height: 286 };
const NOTE = { left: 360, top: 764, width: 1200, height: 150 };
const ROWS = 6;
const PITCH = 78;
const COLUMNS = [300, 974];
const ROW = { width: 646, height: 66 };
const TOP = 546;

/** What stands before the picture, if anything does. */
export class Cover {
  #rows = Array.from({ length: ROWS * COLUMNS.length }, () => new Line());
  #list = el("cover__list", ...this.#rows.map((row) => row.root));
  #where = el("cover__where");
  #text = el("cover__text");
  #note = el("cover__note", paperSheet(NOTE.width, NOTE.height, 5), this.#text);
  #sign = el("cover__sign", paperSheet(SIGN.width, SIGN.height, 3), el("cover__words"), starRow());
  #break = el("cover__break", batwing(), batwing(), this.#sign, el("cover__line"), this.#where, this.#list);
  #technical = el("cover__technical", horseshoe(), el("cover__words"), el("cover__line"), this.#note);
  root = el("cover", this.#break, this.#technical);

  constructor() {
    place(this.#sign, SIGN);
    place(this.#note, NOTE);
  }

  /**
   * @param {State} state
   * @param {CardName} card
   */
  update(state, card) {
    this.root.hidden = card === "";
    mark(this.root, "card", card);
    if (card === "break") this.#rank(state);
    if (card === "technical") this.#explain(state.desk.trouble);
  }

  /** @param {State} state */
  #rank(state) {
    const ranked = ranking(state).slice(0, this.#rows.length);
    const each = Math.ceil(ranked.length / COLUMNS.length);
    this.#rows.forEach((row, at) => {
      const bot = ranked[at];
      row.root.hidden = !bot;
      if (!bot) return;
      row.update(bot, at + 1);
      place(row.root, { ...ROW, left: COLUMNS[Math.floor(at / each)] ?? 0, top: TOP + (at % each) * PITCH });
    });
  }

  /** @param {string} trouble */
  #explain(trouble) {
    this.#note.hidden = !trouble;
    if (trouble) fit(this.#text, trouble, { width: NOTE.width - 120, size: 44, least: 32, lines: 2, clip: true });
  }
}

/**
 * How the bots of the stage stand: who has chips by stack, then the others by place.
 *
 * @param {State} state
 * @returns {Bot[]}
 */
function ranking(state) {
  const numbers = state.stage?.bots ?? Object.keys(state.bots).map(Number);
  const bots = numbers.flatMap((number) => state.bots[number] ?? []);
  return bots.sort((one, other) => one.place - other.place || other.stack - one.stack || one.bot - other.bot);
}

class Line {
  #rank = el("covered__rank");
  #image = emptyPicture();
  #name = el("covered__name");
  #stack = el("covered__stack");
  root = el("covered", this.#rank, el("covered__photo", this.#image), this.#name, this.#stack);

  /**
   * @param {Bot} bot
   * @param {number} rank
   */
  update(bot, rank) {
    mark(this.root, "below", bot.place > 0);
    write(this.#rank, String(rank));
    picture(this.#image, avatarOf(bot), "/assets/avatars/default.webp");
    fit(this.#name, bot.name, { width: 340, size: 34, pair: 28, lines: 2 });
    const words = bot.place ? `${ordinal(bot.place)} place` : chips(bot.stack);
    fit(this.#stack, words, { width: 130, size: 36, least: 28, weight: 700 });
  }
}
