/**
 * The cards that cover the picture: one for a break, with the standings, and one for technical trouble.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { Bot, CardName, State } from "../../common/types.js"
 */

import { el, emptyImage, position, setData, setText, showFace } from "../../common/dom.js";
import { fitText } from "../../common/fit-text.js";
import { ordinal } from "../../common/format.js";
import { rankBots, rankingMetric } from "../../common/ranking.js";
import { batwing, horseshoe, starRow } from "../parts/scenery.js";
import { paperSheet } from "../parts/shapes.js";

/**
 * `sign`: the box of the sign in a break; `sheet`: the box of the text about trouble; `lefts`: the left edges of the
 * columns of the standings; `top`, `pitch`, `row`: the positions and the size of their rows.
 */
const LAYOUTS = {
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
const LOST_TEXT = "The connection is lost. The show comes back by itself.";

/** The card that covers the picture, if any. */
export class Cover {
  #layout;
  #rows = Array.from({ length: ROWS }, () => new StandingRow());
  #list = el("cover__list", ...this.#rows.map((row) => row.root));
  #backAt = el("cover__line");
  #text = el("cover__text");
  #sheet;

  /** @param {Size} size */
  constructor({ shape }) {
    this.#layout = LAYOUTS[shape];
    const { sign, sheet } = this.#layout;
    const signBoard = el("cover__sign", paperSheet(sign.width, sign.height, 3), el("cover__words"), starRow());
    this.#sheet = el("cover__note", paperSheet(sheet.width, sheet.height, 5), this.#text);
    const where = el("cover__where", "HOW THEY STAND");
    position(signBoard, sign);
    position(this.#sheet, sheet);
    this.root = el(
      "cover",
      el("cover__break", batwing(), batwing(), signBoard, this.#backAt, where, this.#list),
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
    setData(this.root, "card", card);
    if (card === "break") this.#drawStandings(state);
    if (card !== "technical") return;
    const trouble = offline ? LOST_TEXT : state.desk.trouble;
    this.#sheet.hidden = !trouble;
    const { width, height } = this.#layout.sheet;
    const lines = Math.floor((height - 40) / 44);
    if (trouble)
      fitText(this.#text, trouble, { width: width - 120, size: 44, minSize: 32, lines, isRunningText: true });
  }

  /** @param {State} state */
  #drawStandings(state) {
    const { back } = state.desk;
    setText(this.#backAt, back ? `Back at ${back}` : "");
    const bots = rankBots(state).slice(0, this.#rows.length);
    const { lefts, top, pitch, row: size } = this.#layout;
    const each = Math.ceil(bots.length / lefts.length);
    this.#rows.forEach((row, index) => {
      const bot = bots[index];
      row.root.hidden = !bot;
      if (!bot) return;
      row.update(bot, index + 1, state);
      position(row.root, { ...size, left: lefts[Math.floor(index / each)] ?? 0, top: top + (index % each) * pitch });
    });
  }
}

class StandingRow {
  #rank = el("covered__rank");
  #image = emptyImage();
  #name = el("covered__name");
  #stack = el("covered__stack");
  root = el("covered", this.#rank, el("covered__photo", this.#image), this.#name, this.#stack);

  /** @type {(bot: Bot, rank: number, state: State) => void} */
  update(bot, rank, state) {
    const isOut = !state.stage?.series && bot.place > 1;
    setData(this.root, "below", isOut);
    setText(this.#rank, String(rank));
    showFace(this.#image, bot);
    fitText(this.#name, bot.name, { width: 340, size: 34, wrappedSize: 28, lines: 2 });
    const words = isOut ? `${ordinal(bot.place)} place` : rankingMetric(state).text(bot);
    fitText(this.#stack, words, { width: 130, size: 36, weight: 700 });
  }
}
