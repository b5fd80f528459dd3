/**
 * The table itself: a rail with brass studs, and felt in its shadow with the sun's rays woven in.
 */

import { el, svg } from "../dom.js";
import { rayPath } from "./shapes.js";

/** @returns {HTMLElement} */
export function tableTop() {
  const oval = (/** @type {number} */ inset, /** @type {string} */ name, lower = 0) =>
    svg("rect", {
      x: 24 + inset,
      y: 150 + inset + lower,
      width: 1872 - 2 * inset,
      height: 690 - 2 * inset - Math.min(lower, 10),
      rx: 345 - inset,
      class: name,
    });
  return el(
    "top",
    svg(
      "svg",
      { viewBox: "0 0 1920 1080", width: 1920, height: 1080, "aria-hidden": "true" },
      svg("clipPath", { id: "felt" }, oval(50, "", 10)),
      oval(-4, "top__shadow", 20),
      oval(0, "top__edge"),
      oval(4, "top__rail"),
      oval(11, "top__rail-light"),
      oval(28, "top__studs"),
      oval(44, "top__lip"),
      oval(50, "top__felt", 10),
      svg(
        "g",
        { "clip-path": "url(#felt)" },
        svg("path", { d: rayPath(32, 1000), transform: "translate(960 500)", class: "top__rays" }),
      ),
      oval(66, "top__stitch", 6),
    ),
    el("top__words"),
  );
}
