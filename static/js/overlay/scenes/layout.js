/**
 * The places of seats around the table, clockwise from the upper left, in stage pixels.
 *
 * @import { SeatKind } from "../seat/seat-kinds.js"
 * @typedef {{ kind: SeatKind, left: number, top: number, width: number, height: number, mirrored: boolean }} SeatBox
 */

const LEFT = 96;
const WIDTH = 1728;
const TOPS = { upper: 54, lower: 598 };
const HEIGHT = 316;

/**
 * @param {number} count seats at the table
 * @returns {SeatBox[]}
 */
export function layoutFor(count) {
  if (count <= 2) return headsUp();
  if (count <= 6) return around("wide", 3, count, { width: 568, gap: 12 });
  const columns = Math.ceil(Math.min(count, 12) / 2);
  const gap = 14;
  return around("compact", columns, count, { width: (WIDTH - gap * (columns - 1)) / columns, gap });
}

/** @returns {SeatBox[]} */
function headsUp() {
  const box = { kind: /** @type {const} */ ("large"), top: 88, width: 674, height: 660 };
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
    left: Math.round(LEFT + column * (width + gap)),
    top: TOPS[row],
    width: Math.floor(width),
    height: HEIGHT,
    mirrored: false,
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
