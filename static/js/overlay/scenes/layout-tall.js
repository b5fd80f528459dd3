/**
 * The places of seats on a tall stage: those still in the hand large, above and below the board, the others small at
 * the edge. Seats are rarely regrouped, as viewers cannot follow a table that changes with every fold.
 *
 * @import { SeatBox } from "./layout.js"
 * @import { SeatKind } from "../seat/seat-kinds.js"
 * @import { Seat } from "../../common/types.js"
 */

const LEFT = 36;
const WIDTH = 708;
/** The seats above the board and those below it. */
const BLOCKS = [144, 796];
const HEIGHT = 312;
const GAP = 9;
const BENCH = { width: 134, height: 84 };
/** From so many at the table on, those who are out of the hand leave before the last two are found. */
const MANY = 7;
const FEW = 4;
/** In how many columns so many stand, from none to eight; more stand in three. */
const COLUMNS = [1, 1, 1, 2, 2, 3, 3, 2, 2];

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
    const room = HEIGHT - (benched.length ? BENCH.height + GAP : 0);
    bench(benched, block ? top + HEIGHT - BENCH.height : top, boxes);
    stand(half(large, block), { top: top + (block ? 0 : HEIGHT - room), height: room, of: large.length }, boxes);
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
  const width = Math.floor((WIDTH - GAP * (columns - 1)) / columns);
  const height = Math.floor((room.height - GAP * (rows - 1)) / rows);
  seats.forEach((seat, at) => {
    const row = Math.floor(at / columns);
    const inRow = Math.min(columns, seats.length - row * columns);
    const indent = (WIDTH - inRow * width - (inRow - 1) * GAP) / 2;
    const left = Math.round(LEFT + indent + (at % columns) * (width + GAP));
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
  const indent = (WIDTH - seats.length * BENCH.width - (seats.length - 1) * GAP) / 2;
  seats.forEach((seat, at) => {
    const left = Math.round(LEFT + indent + at * (BENCH.width + GAP));
    boxes[seat] = { kind: "bench", ...BENCH, left, top, mirrored: false, flipped: false };
  });
}
