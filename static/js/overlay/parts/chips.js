/**
 * Piles of chips, seen from the side. Each pile has at most six chips, with the highest value at the bottom.
 */

import { svg } from "../../common/dom.js";

const MAX_CHIPS = 6;
/** The thickness of a chip, and the number of colours. */
const THICK = 6;
const COLOUR_COUNT = 6;

/** The chips for an amount, the highest first, as exponents of ten: [2, 2, 1] for 210. @param {number} amount */
function chipExponents(amount) {
  const digits = [...String(amount)].map(Number);
  return digits.flatMap((count, index) => Array.from({ length: count }, () => digits.length - 1 - index));
}

/** Shows an amount in one pile. @param {number} amount */
export function chipPile(amount) {
  return drawPiles([chipExponents(amount).slice(0, MAX_CHIPS)]);
}

/** Shows an amount in up to three piles: one for each of the three highest kinds of chips. @param {number} amount */
export function chipPiles(amount) {
  const exponents = chipExponents(amount).slice(0, 3 * MAX_CHIPS);
  const values = [...new Set(exponents)].slice(0, 3);
  return drawPiles(values.map((value) => exponents.filter((each) => each === value).slice(0, MAX_CHIPS)));
}

/** @param {number[][]} pileExponents */
function drawPiles(pileExponents) {
  const width = 40 * pileExponents.length;
  const drawn = pileExponents.flatMap((pile, index) =>
    pile.map((value, level) => drawChip(40 * index + 20, 38 - level * THICK, value)),
  );
  return svg("svg", { viewBox: `0 0 ${width} 48`, width, height: 48, class: "pile", "aria-hidden": "true" }, ...drawn);
}

/** Draws a chip with its upper face around `x`, `y`. @type {(x: number, y: number, value: number) => SVGElement} */
function drawChip(x, y, value) {
  const side = `M${x - 18} ${y}v${THICK}a18 7 0 0 0 36 0v${-THICK}`;
  const marks = [-12, 0, 12].map((off) => `M${x + off} ${y + (off ? 5 : 7)}v${THICK}`).join("");
  return svg(
    "g",
    { class: `pile__chip pile__chip--${value % COLOUR_COUNT}`, fill: `var(--chip-${value % COLOUR_COUNT})` },
    svg("path", { d: side, class: "pile__side" }),
    svg("path", { d: marks, class: "pile__marks" }),
    svg("ellipse", { cx: x, cy: y, rx: 18, ry: 7, class: "pile__face" }),
  );
}
