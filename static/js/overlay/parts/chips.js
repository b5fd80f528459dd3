/**
 * Chips as piles, seen from the side: at most six, those of the highest value that make up the amount at the bottom.
 */

import { svg } from "../../common/dom.js";

const MOST = 6;
/** How thick a chip is drawn, and the colours that chips of 1, 10, 100 and so on have in turn. */
const THICK = 6;
const COLOURS = 6;

/**
 * The powers of ten of the chips that an amount begins with, the highest first.
 *
 * @param {number} amount
 * @param {number} most
 */
export function chipsOf(amount, most) {
  const digits = [...String(Math.max(0, Math.floor(amount)))].map(Number);
  const all = digits.flatMap((count, at) => Array.from({ length: count }, () => digits.length - 1 - at));
  return all.slice(0, most);
}

/**
 * One pile of chips for an amount.
 *
 * @param {number} amount
 * @returns {SVGElement}
 */
export function chipPile(amount) {
  return piles([chipsOf(amount, MOST)]);
}

/**
 * A pile of chips of each value that an amount begins with, up to three of them.
 *
 * @param {number} amount
 * @returns {SVGElement}
 */
export function chipPiles(amount) {
  const all = chipsOf(amount, 3 * MOST);
  const values = [...new Set(all)].slice(0, 3);
  return piles(values.map((value) => all.filter((each) => each === value).slice(0, MOST)));
}

/** @param {number[][]} all */
function piles(all) {
  const width = 40 * all.length;
  const drawn = all.flatMap((pile, at) => pile.map((value, level) => chip(40 * at + 20, 38 - level * THICK, value)));
  return svg("svg", { viewBox: `0 0 ${width} 48`, width, height: 48, class: "pile", "aria-hidden": "true" }, ...drawn);
}

/**
 * @param {number} x the middle
 * @param {number} y of its upper face
 * @param {number} value
 */
function chip(x, y, value) {
  const side = `M${x - 18} ${y}v${THICK}a18 7 0 0 0 36 0v${-THICK}`;
  const marks = [-12, 0, 12].map((off) => `M${x + off} ${y + (off ? 5 : 7)}v${THICK}`).join("");
  return svg(
    "g",
    { class: `pile__chip pile__chip--${value % COLOURS}`, fill: `var(--chip-${value % COLOURS})` },
    svg("path", { d: side, class: "pile__side" }),
    svg("path", { d: marks, class: "pile__marks" }),
    svg("ellipse", { cx: x, cy: y, rx: 18, ry: 7, class: "pile__face" }),
  );
}
