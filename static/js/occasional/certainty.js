/**
 * The title race in a stage of deals, in which several tables play the same cards: what each bot wins per deal, how
 * certain this average is, and how likely each bot is to be the best.
 *
 * @import { Size } from "../common/settings.js"
 * @import { Bot, Standing, State } from "../common/types.js"
 * @typedef {typeof LAYOUTS.wide} Layout
 */

import { el, emptyImage, position, redraw, setData, setText, showFace } from "../common/dom.js";
import { BOLD_FONT, fitText, TITLE_FONT } from "../common/fit-text.js";
import { outOf, percent, signed, upperCase } from "../common/format.js";
import { Chart, COLOUR_COUNT } from "../overlay/parts/chart.js";
import { explainDealWords } from "./deal-words.js";

/**
 * `left` to `height`: the box of all rows; `pitch`: the maximum height of a row; `shown`: the maximum number of rows;
 * `line`, `name`, `won`: the widths of texts; `words`, `lines`: the box and the number of lines of the explanation.
 */
const LAYOUTS = {
  wide: {
    ...{ left: 96, top: 210, width: 1210, height: 712, pitch: 116, shown: 12, line: 1210, name: 330, won: 150 },
    words: { left: 1330, top: 106, width: 494 },
    lines: 2,
  },
  tall: {
    ...{ left: 36, top: 336, width: 708, height: 774, pitch: 100, shown: 12, line: 708, name: 160, won: 116 },
    words: { left: 38, top: 266, width: 706 },
    lines: 1,
  },
};
const CHART_HEIGHT = 560;
const HEADS_HEIGHT = 36;

/** The scene between two deals. */
export class CertaintyScene {
  #layout;
  #title = el("standings__title");
  #line = el("standings__line");
  #worth = el("span.sure__worth");
  #heads = el("sure__heads", el("span.sure__range", "95% range"), this.#worth, el("span.", "best bot"));
  #words = el("deal-words");
  #list = el("standings__list");
  #chart = new Chart();
  #goal = el("panel__favourite");
  #panel = el("panel", el("panel__title", "The best bot?"), this.#goal, this.#chart.root);
  /** @type {Map<number, Row>} */
  rows = new Map();

  /** @param {HTMLElement} root @param {Size} size */
  constructor(root, { shape }) {
    this.#layout = LAYOUTS[shape];
    position(this.#words, this.#layout.words);
    root.append(this.#title, this.#line, this.#words, this.#heads, this.#list, this.#panel);
  }

  /** @param {State} state */
  update(state) {
    const { standings, stage, bots, title_odds: past, deal } = state;
    const { left, top, width, height, line } = this.#layout;
    const rows = standings.rows.slice(0, this.#layout.shown);
    fitText(this.#title, upperCase(stage?.title ?? "Standings"), { ...TITLE_FONT, width: line, size: 80, minSize: 40 });
    const byEarned = stage?.decided_by === "earned";
    const chips = byEarned ? "Chips per deal without the luck of the board" : "Chips per deal";
    setText(this.#worth, byEarned ? "earned" : "profit");
    fitText(this.#line, `${chips}, after deal ${outOf(deal?.deal ?? 0, stage?.games ?? 0)}`, {
      width: line,
      size: 38,
    });
    fitText(this.#words, explainDealWords(state), {
      width: this.#layout.words.width,
      size: 28,
      lines: this.#layout.lines,
    });
    const surePercent = stage?.sure_percent;
    const areOddsKnown = Object.keys(past).length > 0;
    const early = stage?.decided
      ? `Over early: ${surePercent}% sure was enough`
      : `Ends early once ${surePercent}% sure`;
    const goal = surePercent ? early : "The chance to be the best";
    fitText(this.#goal, areOddsKnown ? goal : "Too early to say", { width: 430, size: 32 });
    const goalLine = surePercent ? { start: surePercent * 10, top: 1000 } : {};
    const colours = stage?.bots ?? [];
    if (areOddsKnown) this.#chart.update(state, { past, height: CHART_HEIGHT, colours, ...goalLine });
    this.#chart.root.hidden = !areOddsKnown;
    const scaleMin = Math.min(0, ...rows.map((row) => row.low ?? row.per_deal ?? 0));
    const scaleMax = Math.max(1, ...rows.map((row) => row.high ?? row.per_deal ?? 0));
    const pitch = Math.min(this.#layout.pitch, height / Math.max(1, rows.length));
    setData(this.#heads, "known", areOddsKnown);
    position(this.#heads, { left, top: top - HEADS_HEIGHT, width });
    const before = this.rows;
    this.rows = new Map();
    rows.forEach((row, index) => {
      const part = before.get(row.bot) ?? new Row();
      part.update(row, bots[row.bot], {
        room: this.#layout,
        least: scaleMin,
        most: scaleMax,
        lines: pitch > 70 ? 2 : 1,
        colours,
      });
      part.showChance(past[row.bot]?.at(-1));
      position(part.root, { left, top: top + index * pitch, width, height: pitch - 8 });
      this.rows.set(row.bot, part);
    });
    redraw(this.#list, [...this.rows.keys()], () => [...this.rows.values()].map((row) => row.root));
  }
}

class Row {
  #rank = el("row__rank");
  #image = emptyImage();
  #name = el("row__name");
  #zero = el("sure__zero");
  fill = el("sure__span");
  #mean = el("sure__mean");
  #meanText = el("row__stack");
  #chance = el("sure__chance");
  root = el(
    "row",
    ...[this.#rank, el("row__photo", this.#image), this.#name],
    ...[el("sure__scale", this.#zero, this.fill, this.#mean), this.#meanText, this.#chance],
  );
  moved = 0;

  /**
   * @param {Standing} row
   * @param {Bot | undefined} bot
   * @param {{ room: Layout, least: number, most: number, lines: number, colours: number[] }} look `least`, `most`: the
   *   ends of the scale; `colours`: the bots in the order of their colours
   */
  update(row, bot, { room, least, most, lines, colours }) {
    this.moved = row.moved;
    const { rank, per_deal: mean = 0, low = mean, high = mean } = row;
    const toPercent = (/** @type {number} */ worth) => (100 * (worth - least)) / (most - least);
    setText(this.#rank, String(rank));
    showFace(this.#image, bot);
    fitText(this.#name, bot?.name ?? "", { width: room.name, size: 36, lines });
    this.#zero.style.left = `${toPercent(0).toFixed(2)}%`;
    this.fill.style.left = `${toPercent(low).toFixed(2)}%`;
    this.fill.style.width = `${(toPercent(high) - toPercent(low)).toFixed(2)}%`;
    this.fill.style.transform = "none";
    const colour = colours.indexOf(row.bot);
    this.fill.style.background = `var(--line-${colour < COLOUR_COUNT ? colour : "rest"})`;
    this.#mean.style.left = `${toPercent(mean).toFixed(2)}%`;
    fitText(this.#meanText, signed(mean), { ...BOLD_FONT, width: room.won, size: 42 });
  }

  /** @param {number | undefined} chance of the bot to be the best, in tenths of a percent */
  showChance(chance) {
    setText(this.#chance, chance === undefined ? "" : percent(chance));
  }
}
