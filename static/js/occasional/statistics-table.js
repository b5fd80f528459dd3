/**
 * The table of the evening's statistics, with one row per bot. A row has the chips that the bot took from every other
 * bot, and the bot's net winnings. It also shows how many of these chips the bot earned, and how many were luck.
 *
 * @import { Bot, State, BotStatistics } from "../common/types.js"
 * @typedef {typeof LAYOUTS.wide} Layout
 * @typedef {{ at: (chips: number) => number, gridLineChips: number, low: number, high: number }} Scale `at` returns
 *   the position of a number of chips, in pixels; `gridLineChips`: the number of chips at the two lines beside the
 *   zero line, or 0 for a scale without these two; `low`, `high`: the ends of the scale, in chips
 * @typedef {{ chips: number, most: number }} CellUnit `chips`: the unit of the numbers in cells; `most`: the largest
 *   number of chips in a cell
 * @typedef {{ pitch: number, cell: number, from: number }} Grid `pitch`: the height of a row; `cell`: the width of a
 *   cell; `from`: the left edge of the cells
 * @typedef {Grid & { room: Layout, scale: Scale }} RowLook
 */

import { el, emptyImage, position, setData, showFace } from "../common/dom.js";
import { fitText } from "../common/fit-text.js";
import { capitalize, signed } from "../common/format.js";

/**
 * `cells`, `net`, `earned`, `luck`: the right edges of these columns; `cell`: the maximum width of a cell with chips
 * taken from another bot, or 0 for a table without cells.
 */
const LAYOUTS = {
  wide: {
    ...{ left: 68, width: 1784, top: 202, height: 548, pitch: 76, cell: 104, cells: 1058, net: 1168, luck: 1756 },
    ...{ earned: 1632, bars: { left: 1204, width: 306 }, number: 32, ticks: true },
  },
  tall: {
    ...{ left: 36, width: 708, top: 290, height: 580, pitch: 72, cell: 0, cells: 290, net: 394, luck: 706 },
    ...{ earned: 604, bars: { left: 402, width: 100 }, number: 28, ticks: false },
  },
};
const MAX_ROWS = 12;
const MIN_CELL = 64;
/** The 95% range of earned chips is cut off, on each side of zero, at this many times the longest bar. */
const MAX_RANGE = 2;
/** The units of the numbers in cells, the smallest first. A cell has room for three digits and a sign. */
const CELL_UNITS = [
  { chips: 1, words: "chips" },
  { chips: 10, words: "tens" },
  { chips: 100, words: "hundreds" },
  { chips: 1000, words: "thousands" },
];
const MILLIONS = { chips: 1_000_000, words: "millions" };

export class StatisticsTable {
  #layout;
  #corner = el("tally__corner");
  #range = el("tally__range", ", 95% range");
  #faces = el("tally__faces");
  #axis = el("tally__axis");
  #rows = el("tally__rows");
  #drawnKey = "";
  root;

  /** @param {"wide" | "tall"} shape */
  constructor(shape) {
    this.#layout = LAYOUTS[shape];
    const { net, earned, luck, top } = this.#layout;
    const heads = Object.entries({ net, earned, luck }).map(([name, right]) => {
      const head = el(`tally__head tally__head--${name}`, capitalize(name));
      position(head, { left: right - 98, width: 98 });
      return head;
    });
    const key = el("tally__key", el("tally__sample"), "earned", this.#range, el("tally__sample"), "luck");
    this.root = el("tally", this.#corner, this.#faces, key, this.#axis, ...heads, this.#rows);
    position(this.root, { left: this.#layout.left, top, width: this.#layout.width });
  }

  /** @param {State} state */
  update(state) {
    const rows = [...state.statistics.rows].sort((one, other) => (other.won ?? 0) - (one.won ?? 0)).slice(0, MAX_ROWS);
    const bots = rows.map((row) => state.bots[row.bot]);
    const key = JSON.stringify([rows, state.statistics.crosstable, bots.map((bot) => [bot?.name, bot?.avatar])]);
    if (key === this.#drawnKey) return;
    this.#drawnKey = key;
    const layout = this.#layout;
    const pitch = Math.min(layout.pitch, Math.floor(layout.height / Math.max(1, rows.length)));
    const cell =
      layout.cell && Math.max(MIN_CELL, Math.min(layout.cell, Math.floor((layout.cells - 400) / rows.length)));
    const grid = { pitch, cell, from: layout.cells - cell * rows.length };
    // Each pair is stored twice: positive for the bot that won the chips, negative for the other bot.
    /** @type {Map<string, number>} */
    const chipsTaken = new Map();
    for (const [by, of, chips] of state.statistics.crosstable ?? []) {
      chipsTaken.set(`${by} ${of}`, chips).set(`${of} ${by}`, -chips);
    }
    const shown = rows.flatMap((one) => rows.map((other) => Math.abs(chipsTaken.get(`${one.bot} ${other.bot}`) ?? 0)));
    const most = Math.max(1, ...shown);
    const cellUnit = { ...(CELL_UNITS.find(({ chips }) => most / chips < 999.5) ?? MILLIONS), most };
    const scale = scaleFor(rows, layout);
    this.#range.hidden = !rows.some(({ low }) => typeof low === "number");
    const hasLuck = rows.some((row) => typeof row.earned === "number");
    setData(this.root, "luck", hasLuck);
    fitText(this.#corner, cell ? `Row took from column, ${cellUnit.words}` : "", { width: 250, size: 28, lines: 2 });
    const faces = bots.map((bot, column) => {
      const face = faceOf(bot);
      position(face, { left: grid.from + column * cell + (cell - 50) / 2, width: 50, height: 50 });
      return face;
    });
    this.#faces.replaceChildren(...(cell ? faces : []));
    this.#axis.replaceChildren(...axisOf(scale, pitch * rows.length));
    this.#rows.replaceChildren(
      ...rows.map((row, index) => {
        const cells = cell
          ? rows.map((other) => ({ other, chips: chipsTaken.get(`${row.bot} ${other.bot}`) ?? 0 }))
          : [];
        const nodes = cells.map(({ other, chips }, column) => cellOf(other === row, chips, cellUnit, column, grid));
        return rowOf(row, bots[index], index, { ...grid, room: layout, scale }, nodes);
      }),
    );
  }
}

/** @type {(rows: BotStatistics[], room: Layout) => Scale} */
function scaleFor(rows, { bars: { left, width }, ticks }) {
  const bars = rows.flatMap(({ earned, luck }) => [earned ?? 0, luck ?? 0]);
  const most = MAX_RANGE * Math.max(1, ...bars.map(Math.abs));
  const ends = rows.flatMap(({ low, high }) => [low ?? 0, high ?? 0]);
  const all = [...bars, ...ends.map((end) => Math.max(-most, Math.min(most, end)))];
  const reach = Math.max(1, ...all.map(Math.abs));
  const power = 10 ** Math.floor(Math.log10(reach * 0.9));
  const gridLineChips = ticks ? ([5, 2, 1].find((step) => step * power <= reach * 0.9) ?? 1) * power : 0;
  const [low, high] = [Math.min(-reach * 0.1, ...all), Math.max(reach * 0.1, ...all)];
  return { at: (chips) => left + ((chips - low) / (high - low)) * width, gridLineChips, low, high };
}

/** @param {Bot | undefined} bot */
function faceOf(bot) {
  return el("tally__photo", showFace(emptyImage(), bot));
}

/**
 * The line at zero, and a numbered line on each side of zero where the scale is long enough.
 *
 * @type {(scale: Scale, height: number) => Node[]}
 */
function axisOf({ at, gridLineChips, low, high }, height) {
  return (gridLineChips ? [-gridLineChips, 0, gridLineChips] : [0])
    .filter((chips) => chips >= low && chips <= high)
    .flatMap((chips) => {
      const line = el("tally__grid");
      const number = el("tally__number", signed(chips));
      setData(line, "zero", chips === 0);
      position(line, { left: at(chips) - 1, height });
      position(number, { left: at(chips) - 70, width: 140 });
      return [line, number];
    });
}

/** @type {(row: BotStatistics, bot: Bot | undefined, rank: number, look: RowLook, cells: Node[]) => HTMLElement} */
function rowOf(row, bot, rank, { pitch, from, room, scale }, cells) {
  const node = el("tallied", ...cells);
  position(node, { top: rank * pitch, width: room.width, height: pitch - 2 });
  const side = Math.min(pitch - 4, 60);
  const face = faceOf(bot);
  position(face, { left: 2, top: (pitch - 2 - side) / 2, width: side, height: side });
  const [name, width] = [el("tallied__name"), from - side - 24];
  position(name, { left: side + 12, width });
  fitText(name, bot?.name ?? "", { width, size: 32 });
  node.append(face, name, amountElement("net", row.won ?? 0, room.net, room.number));
  if (typeof row.earned === "number") {
    const luck = row.luck ?? 0;
    node.append(barElement("earned", row.earned, scale), barElement("luck", luck, scale), ...rangeBar(row, scale));
    node.append(
      amountElement("earned", row.earned, room.earned, room.number),
      amountElement("luck", luck, room.luck, room.number),
    );
  }
  return node;
}

/** @type {(isItself: boolean, chips: number, cellUnit: CellUnit, column: number, grid: Grid) => HTMLElement} */
function cellOf(isItself, chips, cellUnit, column, { pitch, cell, from }) {
  const node = el("tallied__cell");
  position(node, { left: from + column * cell, width: cell - 3, height: pitch - 4 });
  setData(node, "itself", isItself);
  const part = Math.abs(chips) / cellUnit.most;
  const tint = part > 0.5 ? "strong" : part > 0.2 ? "middle" : "weak";
  const way = chips > 0 ? "took" : "lost";
  if (chips) setData(node, way, tint);
  if (chips) node.style.background = `var(--${way}-${tint})`;
  const whole = Math.round(Math.abs(chips) / cellUnit.chips) * Math.sign(chips);
  if (!isItself) fitText(node, signed(whole), { width: cell - 7, size: 32 });
  return node;
}

/** @type {(kind: "net" | "earned" | "luck", chips: number, right: number, size: number) => HTMLElement} */
function amountElement(kind, chips, right, size) {
  const node = el(`tallied__amount tallied__amount--${kind}`);
  const width = 3.5 * size;
  position(node, { left: right - width, width });
  fitText(node, signed(chips), { width: width - 4, size });
  return node;
}

/** @type {(kind: "earned" | "luck", chips: number, scale: Scale) => HTMLElement} */
function barElement(kind, chips, { at }) {
  const node = el(`tallied__bar tallied__bar--${kind}`);
  position(node, { left: Math.min(at(0), at(chips)), width: Math.abs(at(chips) - at(0)) });
  return node;
}

/**
 * The bar for the range of a bot's earned chips, if the range is known.
 *
 * @type {(row: BotStatistics, scale: Scale) => HTMLElement[]}
 */
function rangeBar({ low, high }, scale) {
  if (typeof low !== "number" || typeof high !== "number") return [];
  const node = el("tallied__range");
  const [from, to] = [Math.max(low, scale.low), Math.min(high, scale.high)];
  position(node, { left: scale.at(from), width: scale.at(to) - scale.at(from) });
  setData(node, "beyond", [from > low && "low", to < high && "high"].filter(Boolean).join(" "));
  return [node];
}
