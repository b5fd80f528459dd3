/**
 * Who beats whom: for each pair of bots, the chance that the first is better than the second.
 *
 * @import { Size } from "../common/settings.js"
 * @import { State } from "../common/types.js"
 */

import { el, emptyImage, position, redraw, showFace } from "../common/dom.js";
import { fitText, TITLE_FONT } from "../common/fit-text.js";
import { percent, shortNameAmong, upperCase } from "../common/format.js";

/**
 * `left` to `height` are the box of the names and the fields. A field is a cell of the matrix. `field` is the largest
 * size of a field. `names` is the width of the names. `line` is the width of the texts above the matrix. `shown` is how
 * many of the best bots are shown.
 */
const LAYOUTS = {
  wide: {
    left: 96,
    top: 210,
    width: 1728,
    height: 712,
    names: 430,
    field: { width: 190, height: 100 },
    line: 1200,
    shown: 10,
  },
  tall: {
    left: 36,
    top: 300,
    width: 708,
    height: 810,
    names: 210,
    field: { width: 120, height: 100 },
    line: 708,
    shown: 6,
  },
};
/** The heights of a column's face and of its short name. */
const HEAD_HEIGHTS = { face: 60, name: 36 };

/** The scene that is shown after every tenth deal (the same cards at several tables), and after the last deal. */
export class MatrixScene {
  #layout;
  #title = el("standings__title");
  #line = el("standings__line");
  #table = el("standings__list");

  /** @param {HTMLElement} root @param {Size} size */
  constructor(root, { shape }) {
    this.#layout = LAYOUTS[shape];
    root.append(this.#title, this.#line, this.#table);
  }

  /** @param {State} state */
  update({ standings, bots, pairs = [] }) {
    const { line, shown } = this.#layout;
    const rankedBots = standings.rows.slice(0, shown).map((row) => row.bot);
    fitText(this.#title, upperCase("Who beats whom"), { ...TITLE_FONT, width: line, size: 80 });
    fitText(this.#line, "The chance that a row's bot is better than a column's", { width: line, size: 38 });
    const chanceByPair = new Map();
    for (const [one, other, chance] of pairs) {
      // Chances are in tenths of a percent. This rounding makes the two chances of a pair add up to 100%.
      const roundedChance = chance < 10 || chance > 990 ? chance : 10 * Math.round(chance / 10);
      chanceByPair.set(`${one} ${other}`, roundedChance).set(`${other} ${one}`, 1000 - roundedChance);
    }
    const looks = rankedBots.map((bot) => [bots[bot]?.name, bots[bot]?.avatar]);
    redraw(this.#table, [rankedBots, pairs, looks], () => this.#draw(rankedBots, bots, chanceByPair));
  }

  /** @type {(rankedBots: number[], bots: State["bots"], chanceByPair: Map<string, number>) => Node[]} */
  #draw(rankedBots, bots, chanceByPair) {
    const { left, top, names, field } = this.#layout;
    const count = Math.max(1, rankedBots.length);
    const width = Math.min(field.width, (this.#layout.width - names) / count);
    const first = top + HEAD_HEIGHTS.face + HEAD_HEIGHTS.name;
    const height = Math.min(field.height, (this.#layout.height - HEAD_HEIGHTS.face - HEAD_HEIGHTS.name) / count);
    const fieldBox = (/** @type {number} */ across, /** @type {number} */ down) => ({
      left: left + names + across * width,
      top: first + down * height,
      width: width - 6,
      height: height - 6,
    });
    /** @type {Node[]} */
    const parts = [];
    rankedBots.forEach((bot, rowIndex) => {
      const column = fieldBox(rowIndex, 0);
      const [face, short] = [el("matrix__face", showFace(emptyImage(), bots[bot])), el("matrix__short")];
      const size = HEAD_HEIGHTS.face - 4;
      position(face, { left: column.left + (column.width - size) / 2, top, width: size, height: size });
      position(short, { ...column, top: top + HEAD_HEIGHTS.face, height: HEAD_HEIGHTS.name });
      fitText(short, bots[bot] ? shortNameAmong(bots, bot) : "", { width: column.width - 8, size: 30 });
      const name = el("matrix__name");
      fitText(name, bots[bot]?.name ?? "", { width: names - 24, size: 36, lines: height > 60 ? 2 : 1 });
      position(name, { left, top: column.top + rowIndex * height, width: names - 12, height: height - 6 });
      parts.push(face, short, name);
      for (const [across, other] of rankedBots.entries()) {
        parts.push(this.#makeField(chanceByPair.get(`${bot} ${other}`), fieldBox(across, rowIndex)));
      }
    });
    return parts;
  }

  /** @type {(chance: number | undefined, box: { left: number, top: number, width: number, height: number }) => HTMLElement} */
  #makeField(chance, box) {
    const { width, height } = box;
    const part = el("matrix__field", chance === undefined ? "" : percent(chance));
    part.style.fontSize = `${Math.round(Math.min(44, height * 0.55, width * 0.36))}px`;
    if (chance !== undefined) part.style.setProperty("--share", `${Math.abs(chance - 500) / 5}%`);
    part.dataset.way = chance === undefined ? "none" : chance >= 500 ? "up" : "down";
    position(part, box);
    return part;
  }
}
