/**
 * The positions of seats around the table, in screen pixels. On a wide screen they go clockwise from the upper left. On
 * a tall one, seats still in the hand are large, above and below the board, and the others are small, at the edge.
 * Seats are moved rarely, because viewers cannot follow a table that changes with every fold.
 *
 * @import { Seat } from "../../common/types.js"
 * @import { SeatKind } from "../seat/seat-kinds.js"
 * @typedef {{ kind: SeatKind, left: number, top: number, width: number, height: number, mirrored: boolean,
 *   flipped: boolean }} SeatBox
 * @typedef {Pick<SeatBox, "kind" | "top" | "width" | "height">} First the first of several seats in rows
 */

const LEFT = 68;
const WIDTH = 1784;
/** The extra space at the sides if there are seven seats or more: the text of such seats begins at their edge. */
const INDENT = 14;
const TOPS = { upper: 40, lower: 604 };
const HEIGHT = 320;

/** On a tall screen: the left edge of the seats, their total width, and the height of each block. */
const TALL = { left: 36, width: 708, height: 312 };
/** The tops of the blocks above and below the board. */
const BLOCKS = [144, 796];
const GAP = 9;
const BENCH = { width: 134, height: 84 };
/** From `MANY` seats on, folded seats shrink when `FEW` are left in the hand; with fewer seats, when two are left. */
const MANY = 7;
const FEW = 4;
/** The number of columns for each number of large seats; nine or more seats have three columns. */
const COLUMNS = [1, 1, 1, 2, 2, 3, 3, 2, 2];

/** @type {(count: number) => SeatBox[]} */
export function layoutFor(count) {
  if (count <= 2) {
    const box = { kind: /** @type {const} */ ("large"), top: 84, width: 716, height: 660, flipped: false };
    return [
      { ...box, left: LEFT, mirrored: false },
      { ...box, left: LEFT + WIDTH - box.width, mirrored: true },
    ];
  }
  if (count <= 6) return placeAround("wide", 3, count, { width: 584, gap: 16 });
  const columns = Math.ceil(Math.min(count, 12) / 2);
  const gap = 14;
  const width = (WIDTH - 2 * INDENT - gap * (columns - 1)) / columns;
  return placeAround(columns > 4 ? "compact" : "broad", columns, count, { width, gap });
}

/** @type {(kind: SeatKind, columns: number, count: number, column: { width: number, gap: number }) => SeatBox[]} */
function placeAround(kind, columns, count, { width, gap }) {
  const boxAt = (/** @type {number} */ column, /** @type {"upper" | "lower"} */ row) => ({
    kind,
    left: Math.round(LEFT + (kind === "wide" ? 0 : INDENT) + column * (width + gap)),
    top: TOPS[row],
    width: Math.floor(width),
    height: HEIGHT,
    mirrored: kind === "compact" && column === columns - 1,
    flipped: kind === "wide" && row === "lower",
  });
  const above = Math.min(columns, Math.ceil(count / 2));
  const upper = spread(above, columns).map((column) => boxAt(column, "upper"));
  const lower = spread(count - above, columns).map((column) => boxAt(column, "lower"));
  return [...upper, ...lower.reverse()];
}

/**
 * The columns in which `count` seats are. If there are fewer seats than columns, columns in the middle stay empty.
 *
 * @type {(count: number, columns: number) => number[]}
 */
function spread(count, columns) {
  const all = Array.from({ length: columns }, (_, column) => column);
  while (all.length > count) all.splice(Math.floor(all.length / 2), 1);
  return all;
}

/** The boxes in the order of the seats. @type {(seats: Seat[]) => SeatBox[]} */
export function uprightFor(seats) {
  const large = inPlay(seats);
  const small = seats.map((_, at) => at).filter((at) => !large.includes(at));
  const columns = COLUMNS[large.length] ?? 3;
  const width = Math.floor((TALL.width - GAP * (columns - 1)) / columns);
  /** @type {SeatBox[]} */
  const boxes = [];
  BLOCKS.forEach((top, block) => {
    const [shown, benched] = [half(large, block), half(small, block)];
    const bench = block ? top + TALL.height - BENCH.height : top;
    inRows(benched, benched.length, { kind: "bench", top: bench, ...BENCH }, boxes);
    const room = TALL.height - (benched.length ? BENCH.height + GAP : 0);
    const rows = Math.ceil(shown.length / columns);
    const height = Math.floor((room - GAP * (rows - 1)) / rows);
    const kind = kindOf(large.length, height);
    inRows(shown, columns, { kind, top: top + (block ? 0 : TALL.height - room), width, height }, boxes);
  });
  return boxes;
}

/**
 * The large seats: the last two in a hand, or the last four at a large table; before that, all seats. When only one bot
 * is left, the rival that has put the most into the pot stays large, too.
 *
 * @param {Seat[]} seats
 */
function inPlay(seats) {
  const all = seats.map((_, at) => at);
  const live = all.filter((at) => seats[at]?.dealt_in && !seats[at]?.folded && !seats[at]?.place);
  if (!live.length || live.length > (seats.length >= MANY ? FEW : 2)) return all;
  if (live.length > 1) return live;
  const paid = (/** @type {number} */ at) => seats[at]?.committed ?? 0;
  const [rival] = all.filter((at) => at !== live[0]).sort((one, other) => paid(other) - paid(one));
  return all.filter((at) => at === live[0] || at === rival);
}

/** The seats above the board (block 0) or below it (block 1). @type {(seats: number[], block: number) => number[]} */
function half(seats, block) {
  const above = Math.ceil(seats.length / 2);
  return block ? seats.slice(above) : seats.slice(0, above);
}

/** Puts seats into rows. @type {(seats: number[], columns: number, first: First, boxes: SeatBox[]) => void} */
function inRows(seats, columns, { kind, top, width, height }, boxes) {
  seats.forEach((seat, at) => {
    const row = Math.floor(at / columns);
    const count = Math.min(columns, seats.length - row * columns);
    const indent = (TALL.width - count * width - (count - 1) * GAP) / 2;
    const left = Math.round(TALL.left + indent + (at % columns) * (width + GAP));
    boxes[seat] = { kind, left, top: top + row * (height + GAP), width, height, mirrored: false, flipped: false };
  });
}

/** @type {(large: number, height: number) => SeatKind} */
function kindOf(large, height) {
  if (large <= 2) return "duo";
  if (height < 300) return "tile";
  return large <= 4 ? "compact" : "narrow";
}
