/**
 * The table itself: a rail with brass studs, and felt in its shadow with the sun's rays woven in.
 *
 * @import { Size } from "../../common/settings.js"
 */

import { el, svg } from "../../common/dom.js";
import { rayPath, starPath } from "./shapes.js";

/** Where the table stands on each shape of stage, and the middle of its sun. */
const PLACES = {
  wide: { left: 24, top: 150, width: 1872, height: 690, sun: "960 500" },
  tall: { left: 4, top: 118, width: 772, height: 1024, sun: "390 690" },
};

/**
 * @param {Size} size
 * @returns {HTMLElement}
 */
export function tableTop(size) {
  const { left, top, width, height, sun } = PLACES[size.shape];
  const oval = (/** @type {number} */ inset, /** @type {Record<string, string | number>} */ look, lower = 0) =>
    svg("rect", {
      x: left + inset,
      y: top + inset + lower,
      width: width - 2 * inset,
      height: height - 2 * inset - Math.min(lower, 10),
      rx: Math.min(width, height) / 2 - inset,
      ...look,
    });
  return el(
    "top",
    svg(
      "svg",
      { viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, height: size.height, "aria-hidden": "true" },
      svg("clipPath", { id: "felt" }, oval(50, {}, 10)),
      oval(-4, { fill: "var(--shadow)" }, 20),
      oval(0, { fill: "var(--rail-dark)" }),
      oval(4, { fill: "var(--rail)" }),
      oval(11, { fill: "none", stroke: "var(--rail-light)", "stroke-width": 6 }),
      oval(28, { class: "top__studs" }),
      oval(44, { fill: "var(--felt-deep)", stroke: "var(--rail-dark)", "stroke-width": 6 }),
      oval(50, { fill: "var(--felt)" }, 10),
      svg(
        "g",
        { "clip-path": "url(#felt)" },
        svg("path", { d: rayPath(32, 1000), transform: `translate(${sun})`, fill: "var(--emblem)" }),
      ),
      oval(66, { class: "top__stitch" }, 6),
    ),
    el("top__words"),
  );
}

/** What stands behind a winner: rays, many or few, or a star. */
const GLORIES = [rayPath(20, 560), starPath(12, 560, 360), rayPath(9, 560), starPath(7, 560, 190), rayPath(40, 560)];

/** Gold that comes from behind whoever wins; its middle is placed there. */
export class Glory {
  #path = svg("path", {});
  root = svg("svg", { class: "behind__rays", "aria-hidden": "true" }, this.#path);

  /** @param {number} wins how many pots were won so far: no two in a row look the same */
  update(wins) {
    this.#path.setAttribute("d", GLORIES[wins % GLORIES.length] ?? "");
  }
}
