/**
 * Where seats stand around the table, clockwise from the upper left, in stage pixels.
 *
 * @import { SeatKind } from "../parts/seat-kinds.js"
 * @typedef {{ left: number, top: number, width: number, height: number, mirrored: boolean }} SeatBox
 * @typedef {{ kind: SeatKind, boxes: SeatBox[] }} Layout
 */

const LEFT = 96;
const WIDTH = 1728;
const TOPS = { upper: 54, lower: 598 };
const HEIGHT = 316;

/**
 * @param {number} count seats at the table
 * @returns {Layout}
 */
export function layoutFor(count) {
  if (count <= 2) return headsUp();
  if (count <= 6) return { kind: "wide", boxes: around(3, count, 568, 12) };
  const columns = Math.ceil(Math.min(count, 12) / 2);
  const gap = 14;
  return { kind: "compact", boxes: around(columns, count, (WIDTH - gap * (columns - 1)) / columns, gap) };
}

/** @returns {Layout} */
function headsUp() {
  const box = { top: 88, width: 674, height: 660 };
  return {
    kind: "large",
    boxes: [
      { ...box, left: LEFT, mirrored: false },
      { ...box, left: LEFT + WIDTH - box.width, mirrored: true },
    ],
  };
}

/**
 * @param {number} columns
 * @param {number} count
 * @param {number} width
 * @param {number} gap
 * @returns {SeatBox[]}
 */
function around(columns, count, width, gap) {
  const boxAt = (/** @type {number} */ column, /** @type {"upper" | "lower"} */ row) => ({
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
