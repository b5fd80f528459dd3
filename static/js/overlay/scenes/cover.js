/**
 * The cards that cover the picture: one for a break, with the standings, and one for technical trouble.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { Bot, CardName, State } from "../../common/types.js"
 */

import { el, emptyPicture, mark, picture, position, write } from "../../common/dom.js";
import { fit } from "../../common/fit-text.js";
import { ordinal } from "../../common/format.js";
import { rankBots, worthOf } from "../../common/ranking.js";
import { batwing, horseshoe, starRow } from "../parts/scenery.js";
import { paperSheet } from "../parts/shapes.js";

/** The positions of the break's sign, of the trouble's sheet, and of the rows of the standings. */
const ROOMS = {
  wide: {
    sign: { left: 430, top: 92, width: 1060, height: 286 },
    sheet: { left: 360, top: 764, width: 1200, height: 150 },
    lefts: [300, 974],
    ...{ top: 546, pitch: 76, row: { width: 646, height: 66 } },
  },
  tall: {
    sign: { left: 66, top: 150, width: 648, height: 236 },
    sheet: { left: 66, top: 930, width: 648, height: 240 },
    lefts: [67],
    ...{ top: 568, pitch: 60, row: { width: 646, height: 54 } },
  },
};
const ROWS = 12;
const LOST = "The connection is lost. The show comes back by itself.";

/** The card that covers the picture, if any. */
export class Cover {
  #room;
  #rows = Array.from({ length: ROWS }, () => new Line());
  #list = el("cover__list", ...this.#rows.map((row) => row.root));
  #line = el("cover__line");
  #text = el("cover__text");
  #sheet;

  /** @param {Size} size */
  constructor({ shape }) {
    this.#room = ROOMS[shape];
    const { sign, sheet } = this.#room;
    const board = el("cover__sign", paperSheet(sign.width, sign.height, 3), el("cover__words"), starRow());
    this.#sheet = el("cover__note", paperSheet(sheet.width, sheet.height, 5), this.#text);
    const where = el("cover__where", "HOW THEY STAND");
    position(board, sign);
    position(this.#sheet, sheet);
    this.root = el(
      "cover",
      el("cover__break", batwing(), batwing(), board, this.#line, where, this.#list),
      el("cover__technical", horseshoe(), el("cover__words"), el("cover__line", "We’ll be right back"), this.#sheet),
    );
  }

  /**
   * @param {State} state
   * @param {CardName} card
   * @param {boolean} offline whether the connection has been lost for a few seconds
   */
  update(state, card, offline) {
    this.root.hidden = card === "";
    mark(this.root, "card", card);
    if (card === "break") this.#rank(state);
    if (card !== "technical") return;
    const trouble = offline ? LOST : state.desk.trouble;
    this.#sheet.hidden = !trouble;
    const { width, height } = this.#room.sheet;
    const lines = Math.floor((height - 40) / 44);
    if (trouble) fit(this.#text, trouble, { width: width - 120, size: 44, least: 32, lines, clip: true });
  }

  /** @param {State} state */
  #rank(state) {
    const { back } = state.desk;
    write(this.#line, back ? `Back at ${back}` : "");
    const bots = rankBots(state).slice(0, this.#rows.length);
    const { lefts, top, pitch, row: size } = this.#room;
    const each = Math.ceil(bots.length / lefts.length);
    this.#rows.forEach((row, at) => {
      const bot = bots[at];
      row.root.hidden = !bot;
      if (!bot) return;
      row.update(bot, at + 1, state);
      position(row.root, { ...size, left: lefts[Math.floor(at / each)] ?? 0, top: top + (at % each) * pitch });
    });
  }
}

class Line {
  #rank = el("covered__rank");
  #image = emptyPicture();
  #name = el("covered__name");
  #stack = el("covered__stack");
  root = el("covered", this.#rank, el("covered__photo", this.#image), this.#name, this.#stack);

  /** @type {(bot: Bot, rank: number, state: State) => void} */
  update(bot, rank, state) {
    const isOut = !state.stage?.series && bot.place > 1;
    mark(this.root, "below", isOut);
    write(this.#rank, String(rank));
    picture(this.#image, bot);
    fit(this.#name, bot.name, { width: 340, size: 34, pair: 28, lines: 2 });
    const words = isOut ? `${ordinal(bot.place)} place` : worthOf(state).text(bot);
    fit(this.#stack, words, { width: 130, size: 36, weight: 700 });
  }
}
