/**
 * The sun on its arc, from dawn at the left to high noon at the top.
 */

import { el, svg } from "../../common/dom.js";

const RADIUS = 45;

/** A sun. `update` changes only those of its elements that show something else now. */
export class Sun {
  #disc = svg("g", { class: "sun__disc" }, svg("circle", { r: 14 }), svg("circle", { r: 19, class: "sun__rays" }));
  root = el(
    "sun",
    svg(
      "svg",
      { viewBox: "-68 -72 136 88", "aria-hidden": "true" },
      svg("path", { d: `M-${RADIUS} 0A${RADIUS} ${RADIUS} 0 0 1 ${RADIUS} 0`, class: "sun__arc" }),
      svg("path", { d: "M-66 8H66", stroke: "var(--band-line)", "stroke-width": 3 }),
      svg("clipPath", { id: "sky" }, svg("path", { d: "M-72-76H72V7H-72Z" })),
      svg("g", { "clip-path": "url(#sky)" }, this.#disc),
    ),
  );

  /** @param {number} height 0 at dawn, 1 at noon */
  update(height) {
    const angle = Math.PI * (1 - height / 2);
    const [x, y] = [Math.cos(angle) * RADIUS, -Math.sin(angle) * RADIUS];
    this.#disc.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }
}
