/**
 * The places of seats around the table, in stage pixels: on a wide stage clockwise from the upper left. On a tall one
 * those still in the hand stand large, above and below the board, the others small at the edge; they are rarely
 * regrouped, as viewers cannot follow a table that changes with every fold.
 *
 * @import { Seat } from "../../common/types.js"
 * @import { SeatKind } from "../seat/seat-kinds.js"
 * @typedef {{ kind: SeatKind, left: number, top: number, width: number, height: number, mirrored: boolean,
 *   flipped: boolean }} SeatBox
 */

const LEFT = 68;
const WIDTH = 1784;
/** By how much many seats keep further from the sides, as what is written on their sheets begins at the edge. */
const INDENT = 14;
const TOPS = { upper: 40, lower: 604 };
const HEIGHT = 320;

/** Tall: where seats begin, how wide they are in all, and how high those above the board are and those below it. */
const TALL = { left: 36, width: 708, height: 312 };
/** The seats above the board and those below it. */
const BLOCKS = [144, 796];
const GAP = 9;
const BENCH = { width: 134, height: 84 };
/** From so many at the table on, those who are out of the hand leave before the last two are found. */
const MANY = 7;
const FEW = 4;
/** In how many columns so many stand, from none to eight; more stand in three. */
const COLUMNS = [1, 1, 1, 2, 2, 3, 3, 2, 2];

/**
 * @param {number} count seats at the table
 * @returns {SeatBox[]}
 */
export function layoutFor(count) {
  if (count <= 2) {
    const box = { kind: /** @type {const} */ ("large"), top: 84, width: 716, height: 660, flipped: false };
    return [
      { ...box, left: LEFT, mirrored: false },
      { ...box, left: LEFT + WIDTH - box.width, mirrored: true },
    ];
  }
  if (count <= 6) return around("wide", 3, count, { width: 584, gap: 16 });
  const columns = Math.ceil(Math.min(count, 12) / 2);
  const gap = 14;
  return around(columns > 4 ? "compact" : "broad", columns, count, {
    width: (WIDTH - 2 * INDENT - gap * (columns - 1)) / columns,
    gap,
  });
}

/**
 * @param {SeatKind} kind
 * @param {number} columns
 * @param {number} count
 * @param {{ width: number, gap: number }} column
 * @returns {SeatBox[]}
 */
function around(kind, columns, count, { width, gap }) {
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
  const below = count - above;
  const upper = spread(above, columns).map((column) => boxAt(column, "upper"));
  const lower = spread(below, columns).map((column) => boxAt(column, "lower"));
  return [...upper, ...lower.reverse()];
}

/**
 * Columns that `count` seats take, the gap left in the middle.
 *
 * @param {number} count
 * @param {number} columns
 */
function spread(count, columns) {
  const all = Array.from({ length: columns }, (_, column) => column);
  while (all.length > count) all.splice(Math.floor(all.length / 2), 1);
  return all;
}

/**
 * @param {Seat[]} seats
 * @returns {SeatBox[]} in the order of the seats
 */
export function uprightFor(seats) {
  const large = inPlay(seats);
  const small = seats.map((_, at) => at).filter((at) => !large.includes(at));
  /** @type {SeatBox[]} */
  const boxes = [];
  BLOCKS.forEach((top, block) => {
    const benched = half(small, block);
    const room = TALL.height - (benched.length ? BENCH.height + GAP : 0);
    bench(benched, block ? top + TALL.height - BENCH.height : top, boxes);
    stand(half(large, block), { top: top + (block ? 0 : TALL.height - room), height: room, of: large.length }, boxes);
  });
  return boxes;
}

/**
 * The seats shown large: the last two of a hand, the last four of a large table, else all. Beside the only one left
 * stays the one that has put the most into the pot.
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

/**
 * @param {number[]} seats
 * @param {number} block 0 above the board, 1 below it
 */
function half(seats, block) {
  const above = Math.ceil(seats.length / 2);
  return block ? seats.slice(above) : seats.slice(0, above);
}

/**
 * @param {number[]} seats
 * @param {{ top: number, height: number, of: number }} room `of`: how many there are in both blocks
 * @param {SeatBox[]} boxes
 */
function stand(seats, room, boxes) {
  const columns = COLUMNS[room.of] ?? 3;
  const rows = Math.ceil(seats.length / columns);
  const width = Math.floor((TALL.width - GAP * (columns - 1)) / columns);
  const height = Math.floor((room.height - GAP * (rows - 1)) / rows);
  seats.forEach((seat, at) => {
    const row = Math.floor(at / columns);
    const inRow = Math.min(columns, seats.length - row * columns);
    const indent = (TALL.width - inRow * width - (inRow - 1) * GAP) / 2;
    const left = Math.round(TALL.left + indent + (at % columns) * (width + GAP));
    const top = room.top + row * (height + GAP);
    boxes[seat] = { kind: kindOf(room.of, height), left, top, width, height, mirrored: false, flipped: false };
  });
}

/**
 * @param {number} count how many stand as large
 * @param {number} height
 * @returns {SeatKind}
 */
function kindOf(count, height) {
  if (count <= 2) return "duo";
  if (height < 300) return "tile";
  return count <= 4 ? "compact" : "narrow";
}

/**
 * @param {number[]} seats
 * @param {number} top
 * @param {SeatBox[]} boxes
 */
function bench(seats, top, boxes) {
  const indent = (TALL.width - seats.length * BENCH.width - (seats.length - 1) * GAP) / 2;
  seats.forEach((seat, at) => {
    const left = Math.round(TALL.left + indent + at * (BENCH.width + GAP));
    boxes[seat] = { kind: "bench", ...BENCH, left, top, mirrored: false, flipped: false };
  });
}
