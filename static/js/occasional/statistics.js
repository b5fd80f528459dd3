/**
 * Awards, and the statistics of the evening: who took how much from whom, and each bot's winnings, earned chips and
 * luck.
 *
 * @import { Size } from "../common/settings.js"
 * @import { Bot, Notice, State } from "../common/types.js"
 * @typedef {typeof LAYOUTS.wide} Layout
 */

import { el, emptyImage, position, redraw, showFace } from "../common/dom.js";
import { fitText, TITLE_FONT } from "../common/fit-text.js";
import { chips } from "../common/format.js";
import { paperSheet } from "../overlay/parts/shapes.js";
import { StatisticsTable } from "./statistics-table.js";

/**
 * The widths of the title and of the line beside or below it, and the places of the awards. A row has `across` awards.
 * `pitch` has the distances to the next award in the row and to the next row.
 */
const LAYOUTS = {
  wide: {
    ...{ title: 940, line: 800, awards: 5, left: 80, top: 758, pitch: [354, 0], across: 5 },
    ...{ award: { width: 344, height: 170 }, head: { width: 324, size: 30 }, words: 202, lines: 2 },
  },
  tall: {
    ...{ title: 690, line: 700, awards: 4, left: 36, top: 880, pitch: [358, 117], across: 2 },
    ...{ award: { width: 350, height: 111 }, head: { width: 238, size: 28 }, words: 238, lines: 1 },
  },
};

/** The scene at the end of the evening. */
export class StatisticsScene {
  #layout;
  #title = el("counted__title");
  #line = el("counted__line");
  #tally;
  #root;

  /** @param {HTMLElement} root @param {Size} size */
  constructor(root, { shape }) {
    this.#root = root;
    this.#layout = LAYOUTS[shape];
    this.#tally = new StatisticsTable(shape);
  }

  /** @param {State} state */
  update(state) {
    const { title, line, awards: most } = this.#layout;
    fitText(this.#title, "The evening, counted", { ...TITLE_FONT, width: title, size: 68, minSize: 40 });
    fitText(this.#line, headline(state), { width: line, size: 36 });
    this.#tally.update(state);
    const awards = (state.statistics.awards ?? []).slice(0, most);
    const bots = awards.map(({ bot }) => state.bots[bot]);
    redraw(this.#root, [awards, bots.map((bot) => [bot?.name, bot?.avatar])], () => [
      ...[this.#title, this.#line, this.#tally.root],
      ...awards.map((award, index) => drawAward(award, bots[index], this.#layout, { at: index, count: awards.length })),
    ]);
  }
}

/** @param {State} state @returns {string} "12 bots · 114 hands · 60,000 chips" */
function headline({ bots, statistics, tournament, stage }) {
  const count = Object.keys(bots).length;
  const hands = statistics.hands ?? 0;
  const parts = [`${count} bots`, `${chips(hands)} ${hands === 1 ? "hand" : "hands"}`];
  if (!stage?.series) parts.push(`${chips(count * tournament.starting_stack)} chips`);
  return parts.join(" · ");
}

/** @type {(award: Notice, bot: Bot | undefined, layout: Layout, spot: { at: number, count: number }) => HTMLElement} */
function drawAward({ title, text }, bot, layout, { at: index, count }) {
  const { award: size, head: heading, words: width, lines, across, left, top, pitch } = layout;
  const head = el("award__title");
  const name = el("award__name");
  fitText(head, title, { ...TITLE_FONT, ...heading });
  const words = el("award__text");
  fitText(name, bot?.name ?? "", { width, size: 32 });
  fitText(words, text, { width, size: 28, lines });
  const photo = el("award__photo", showFace(emptyImage(), bot));
  const paper = paperSheet(size.width, size.height, index + 11);
  const root = el("award", paper, head, photo, el("award__words", name, words));
  // The last row of awards is centred.
  const [right = 0, down = 0] = pitch;
  const row = Math.floor(index / across);
  const indent = ((across - Math.min(across, count - row * across)) * right) / 2;
  position(root, { left: left + indent + (index % across) * right, top: top + row * down, ...size });
  return root;
}
