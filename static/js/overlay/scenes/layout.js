/**
 * The places of seats around the table, clockwise from the upper left, in stage pixels.
 *
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

/**
 * @param {number} count seats at the table
 * @returns {SeatBox[]}
 */
export function layoutFor(count) {
  if (count <= 2) return headsUp();
  if (count <= 6) return around("wide", 3, count, { width: 584, gap: 16 });
  const columns = Math.ceil(Math.min(count, 12) / 2);
  const gap = 14;
  return around(columns > 4 ? "compact" : "broad", columns, count, {
    width: (WIDTH - 2 * INDENT - gap * (columns - 1)) / columns,
    gap,
  });
}

/** @returns {SeatBox[]} */
function headsUp() {
  const box = { kind: /** @type {const} */ ("large"), top: 84, width: 716, height: 660, flipped: false };
  return [
    { ...box, left: LEFT, mirrored: false },
    { ...box, left: LEFT + WIDTH - box.width, mirrored: true },
  ];
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
