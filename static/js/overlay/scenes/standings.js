/**
 * The standings between games: ranks, movement, bars, a line below the bots that advance, and chips over time.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { Bot, Chat, Standing, State } from "../../common/types.js"
 * @typedef {typeof LAYOUTS.wide} Layout
 */

import { el, emptyImage, position, redraw, setData, setText, showFace } from "../../common/dom.js";
import { fitText, TITLE_FONT } from "../../common/fit-text.js";
import {
  chips,
  gameOfStage,
  hasSeveralGames,
  numberInWords,
  ordinal,
  outOf,
  percent,
  upperCase,
  winsText,
} from "../../common/format.js";
import { Chart, COLOUR_COUNT } from "../parts/chart.js";
import { NoticePart } from "../parts/notice.js";

/**
 * `lefts`, `top`, `height`: the box of the rows; `widths`: the width of a row in one column and in two columns;
 * `pitches`: the maximum height of a row, for few rows and for many rows; `shown`, `alone`: the maximum
 * number of rows, in all and in one column; `title`, `line`, `name`, `stack`: the widths of the title, the line under
 * the title, a name and a stack.
 */
const LAYOUTS = {
  wide: {
    ...{ lefts: [96, 970], top: 186, height: 728, widths: [1210, 854], pitches: [92, 78], shown: 30, alone: 12 },
    ...{ title: 900, line: 1100, name: 400, stack: 160 },
  },
  tall: {
    ...{ lefts: [36], top: 282, height: 690, widths: [708], pitches: [82, 60], shown: 12, alone: 12 },
    ...{ title: 708, line: 708, name: 324, stack: 132 },
  },
};
/** If there are at most this many rows, each row may be taller. */
const MAX_TALL_ROWS = 8;
/** The height of the cut: the line below the bots that advance. */
const CUT_HEIGHT = 34;

/** The heights of the charts. The chart of chips is `alone`, or `above` the chart of title odds. */
const HEIGHTS = { alone: 596, above: 316, odds: 210 };

const FAVOURITE = { width: 230, size: 32 };

/** The scene between two games. */
export class StandingsScene {
  #layout;
  #title = el("standings__title");
  #line = el("standings__line");
  #list = el("standings__list");
  #cutText = el("span.standings__cut-word");
  #cut = el("standings__cut", this.#cutText);
  chart = new Chart();
  #oddsChart = new Chart();
  #favourite = el("panel__favourite");
  #chartTitle = el("panel__title");
  #oddsTitle = el("panel__title panel__title--odds", "Title odds", this.#favourite);
  #panel = el("panel", this.#chartTitle, this.chart.root, this.#oddsTitle, this.#oddsChart.root);
  #notice = new NoticePart();
  /** @type {Map<number, Row>} */
  rows = new Map();
  root = el("scene scene--standings", this.#title, this.#line, this.#list, this.#cut, this.#panel, this.#notice.root);

  /** @param {Size} size */
  constructor({ shape }) {
    this.#layout = LAYOUTS[shape];
  }

  /** Draws the standings. They show no bot's chat. @type {(state: State, line: Chat | null, now: number) => void} */
  update(state, _line, now) {
    this.#notice.update(state, now);
    const layout = this.#layout;
    const { rows, advance } = state.standings;
    fitText(this.#title, upperCase(state.stage?.title ?? "Standings"), {
      ...TITLE_FONT,
      width: layout.title,
      size: 80,
      minSize: 40,
    });
    this.#drawCharts(state);
    const shown = rows.slice(0, layout.shown);
    const more = rows.length > shown.length ? ` · the first ${shown.length} of ${rows.length}` : "";
    fitText(this.#line, `${headline(state)}${more}`, { width: layout.line, size: 38 });
    const plan = arrangeRows(shown.length, advance, layout);
    setData(this.root, "columns", plan.columns);
    setData(this.root, "roomy", shown.length <= MAX_TALL_ROWS);
    this.#panel.hidden = plan.columns > 1;
    const series = state.stage?.series ?? false;
    setText(this.#chartTitle, series ? "Games won, game by game" : "Chips, game by game");
    const worth = (/** @type {Standing} */ row) => (series ? row.wins : row.stack);
    const most = Math.max(1, ...shown.map(worth));
    const previous = this.rows;
    this.rows = new Map();
    shown.forEach((row, index) => {
      const box = plan.boxOf(index);
      const below = plan.cut !== null && index >= advance;
      const part = previous.get(row.bot) ?? new Row();
      part.update(row, state.bots[row.bot], layout, { below, share: worth(row) / most, height: box.height, series });
      position(part.root, box);
      this.rows.set(row.bot, part);
    });
    redraw(this.#list, [...this.rows.keys()], () => [...this.rows.values()].map((row) => row.root));
    this.#cut.hidden = plan.cut === null;
    if (plan.cut) position(this.#cut, plan.cut);
    setText(this.#cutText, `Top ${numberInWords(advance)} ride on to ${state.stage?.next_title || "High Noon"}`);
  }

  /** Draws the chart of chips or games won, and below it the chart of title odds, if any. @param {State} state */
  #drawCharts(state) {
    const { history, stage, tournament, title_odds: past = {} } = state;
    const hasOdds = Object.keys(past).length > 0;
    const start = stage?.series ? 0 : tournament.starting_stack;
    this.chart.update(state, { past: history, height: hasOdds ? HEIGHTS.above : HEIGHTS.alone, start });
    this.#oddsTitle.hidden = this.#oddsChart.root.hidden = !hasOdds;
    if (!hasOdds) return;
    this.#oddsChart.update(state, { past, height: HEIGHTS.odds });
    const [likeliest] = Object.keys(past).sort((one, other) => (past[other]?.at(-1) ?? 0) - (past[one]?.at(-1) ?? 0));
    const chance = percent(past[likeliest ?? ""]?.at(-1) ?? 0);
    fitText(this.#favourite, `${state.bots[likeliest ?? ""]?.name} ${chance}`, FAVOURITE);
  }

  /** The time until the next notice, in milliseconds. @param {number} now the show's time */
  wait(now) {
    return this.#notice.wait(now);
  }
}

/**
 * Returns the positions of the rows, and of the line below the bots that advance, if there is such a line.
 *
 * @param {number} count the number of rows
 * @param {number} advance how many bots advance
 * @param {Layout} room
 */
function arrangeRows(count, advance, { lefts, top, height, widths, pitches, alone }) {
  const columns = count > alone ? 2 : 1;
  const perColumn = Math.max(1, Math.ceil(count / columns));
  const hasCut = advance > 0 && advance < count;
  const cutColumn = Math.floor(advance / perColumn);
  const pitch = Math.min(
    pitches[count <= MAX_TALL_ROWS ? 0 : 1] ?? 0,
    (height - (hasCut ? CUT_HEIGHT : 0)) / perColumn,
  );
  const width = widths[columns - 1] ?? 0;
  const boxOf = (/** @type {number} */ index) => {
    const column = Math.floor(index / perColumn);
    const lowered = hasCut && index >= advance && column === cutColumn ? CUT_HEIGHT : 0;
    return { left: lefts[column] ?? 0, top: top + (index % perColumn) * pitch + lowered, width, height: pitch - 6 };
  };
  const cutTop = top + (advance % perColumn) * pitch - 3;
  return { columns, boxOf, cut: hasCut ? { left: lefts[cutColumn] ?? 0, top: cutTop, width } : null };
}

/** @param {State} state */
function headline({ stage, game }) {
  if (!stage || !game || !hasSeveralGames(stage)) return "Standings";
  return `${stage.series ? "Games won after" : "Standings after"} game ${outOf(gameOfStage(stage, game), stage.games)}`;
}

class Row {
  #rank = el("row__rank");
  #image = emptyImage();
  #name = el("row__name");
  #moved = el("row__moved");
  fill = el("row__fill");
  #stack = el("row__stack");
  #games = el("row__games");
  root = el(
    "row",
    ...[this.#rank, el("row__photo", this.#image), this.#name, this.#moved],
    ...[el("row__bar", this.fill), this.#stack, this.#games],
  );
  moved = 0;

  /**
   * @param {Standing} row
   * @param {Bot | undefined} bot
   * @param {Layout} layout
   * @param {{ below: boolean, share: number, height: number, series: boolean }} look
   */
  update(row, bot, layout, { below, share, height, series }) {
    this.moved = row.moved;
    setData(this.root, "below", below);
    setText(this.#rank, String(row.rank));
    showFace(this.#image, bot);
    fitText(this.#name, bot?.name ?? "", { width: layout.name, size: 36, lines: height > 66 ? 2 : 1 });
    setData(this.#moved, "way", row.moved > 0 ? "up" : row.moved < 0 ? "down" : "");
    setText(this.#moved, row.moved ? `${row.moved > 0 ? "▲" : "▼"} ${Math.abs(row.moved)}` : "–");
    this.fill.style.background = `var(--line-${row.rank > COLOUR_COUNT ? "rest" : row.rank - 1})`;
    this.fill.style.transform = `scaleX(${Math.max(0, share).toFixed(4)})`;
    const worth = series ? winsText(row.wins) : chips(row.stack);
    fitText(this.#stack, worth, { width: layout.stack, size: 40, minSize: 32, weight: 700 });
    setText(this.#games, row.place ? `${ordinal(row.place)}` : `${row.games} ${row.games === 1 ? "game" : "games"}`);
  }
}
