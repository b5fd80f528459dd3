/**
 * The table itself: rail with brass studs, felt with a stitched line, a quiet emblem in the middle.
 */

import { el, svg } from "../dom.js";
import { starPath } from "./shapes.js";

/** @returns {HTMLElement} */
export function tableTop() {
  const oval = (/** @type {number} */ inset, /** @type {string} */ name) =>
    svg("rect", {
      x: 24 + inset,
      y: 150 + inset,
      width: 1872 - 2 * inset,
      height: 690 - 2 * inset,
      rx: 345 - inset,
      class: name,
    });
  const emblem = svg(
    "g",
    { transform: "translate(960 484)", class: "top__emblem" },
    svg("circle", { r: 196 }),
    svg("circle", { r: 182 }),
    svg("path", { d: starPath(5, 174, 72) }),
    svg("path", { d: starPath(12, 236, 204) }),
  );
  return el(
    "top",
    svg(
      "svg",
      { viewBox: "0 0 1920 1080", width: 1920, height: 1080, "aria-hidden": "true" },
      oval(-14, "top__shadow"),
      oval(0, "top__rail"),
      oval(7, "top__rail-light"),
      oval(30, "top__studs"),
      oval(46, "top__felt"),
      oval(62, "top__stitch"),
      emblem,
    ),
    el("top__words"),
  );
}
