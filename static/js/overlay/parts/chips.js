/**
 * Chips as piles, seen from the side: at most six, those of the highest value that make up the amount at the bottom.
 */

import { svg } from "../../common/dom.js";

const MOST = 6;
/** How thick a chip is drawn, and the colours that chips of 1, 10, 100 and so on have in turn. */
const THICK = 6;
const COLOURS = 6;

/** The powers of ten of the chips that an amount begins with, the highest first. @param {number} amount */
function chipsOf(amount) {
  const digits = [...String(amount)].map(Number);
  return digits.flatMap((count, at) => Array.from({ length: count }, () => digits.length - 1 - at));
}

/** @param {number} amount in one pile */
export function chipPile(amount) {
  return piles([chipsOf(amount).slice(0, MOST)]);
}

/** @param {number} amount in a pile for each value that it begins with, up to three of them */
export function chipPiles(amount) {
  const all = chipsOf(amount).slice(0, 3 * MOST);
  const values = [...new Set(all)].slice(0, 3);
  return piles(values.map((value) => all.filter((each) => each === value).slice(0, MOST)));
}

/** @param {number[][]} all */
function piles(all) {
  const width = 40 * all.length;
  const drawn = all.flatMap((pile, at) => pile.map((value, level) => chip(40 * at + 20, 38 - level * THICK, value)));
  return svg("svg", { viewBox: `0 0 ${width} 48`, width, height: 48, class: "pile", "aria-hidden": "true" }, ...drawn);
}

/** One chip; its upper face has the middle `x`, `y`. @type {(x: number, y: number, value: number) => SVGElement} */
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
