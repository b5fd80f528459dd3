/**
 * Drawings of the saloon: swinging doors, a horseshoe, a row of stars, the sun, and the table. The table has a rail
 * with brass studs, and felt with the sun's rays woven in. Vectors only.
 *
 * @import { Size } from "../../common/settings.js"
 */

import { el, position, svg } from "../../common/dom.js";
import { rayPath, starPath } from "./shapes.js";

const DOOR = { width: 250, height: 560 };
const SLATS = 11;
const STARS = [
  "M60 90h0M150 210h0M236 66h0M330 150h0M446 52h0M560 190h0M614 96h0",
  "M1330 60h0M1398 176h0M1500 96h0M1616 150h0M1722 62h0M1830 188h0M1872 80h0",
].join("");
const CACTI = "M56 850V640M56 770H14V716M56 742H98V690M1868 850V600M1868 740H1822V670M1868 772H1908V712";

/** One wing of a saloon door, hung at its left side. */
export function batwing() {
  const { width, height } = DOOR;
  const edge = `M0 70Q${width * 0.35} -8 ${width} 54V${height - 70}Q${width * 0.35} ${height + 10} 0 ${height - 36}Z`;
  const slats = Array.from({ length: SLATS }, (_, index) => {
    const y = 116 + index * 34;
    return svg("path", { d: `M38 ${y}H${width - 40}`, stroke: "var(--rail-light)", "stroke-width": 19 });
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, class: "batwing", "aria-hidden": "true" },
    svg("path", { d: edge, fill: "var(--shadow)", transform: "translate(10 12)" }),
    svg("path", { d: edge, fill: "var(--rail)", stroke: "var(--rail-light)", "stroke-width": 8 }),
    svg("rect", { x: 28, y: 92, width: width - 58, height: height - 186, class: "batwing__well" }),
    ...slats,
    svg("path", { d: `M-6 120h40M-6 ${height - 110}h40`, stroke: "var(--brass)", "stroke-width": 22 }),
    svg("circle", { cx: width - 14, cy: height / 2, r: 9, fill: "var(--brass)" }),
  );
}

/** A horseshoe, open at the top for luck. */
export function horseshoe() {
  const nails = [-1, 1].flatMap((side) =>
    [0, 1, 2, 3].map((step) => {
      const angle = Math.PI * (0.5 + side * (0.16 + step * 0.16));
      const [x, y] = [Math.cos(angle) * 82, Math.sin(angle) * 82];
      return svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 6, fill: "var(--brass-light)" });
    }),
  );
  const arch = "M-72 -88C-118 -24 -96 96 0 96S118 -24 72 -88";
  return svg(
    "svg",
    { viewBox: "-130 -120 260 250", width: 260, height: 250, class: "horseshoe", "aria-hidden": "true" },
    svg("path", { d: arch, stroke: "var(--shadow)", transform: "translate(7 9)" }),
    svg("path", { d: arch, stroke: "var(--brass)" }),
    svg("path", { d: arch, stroke: "var(--brass-dark)", "stroke-width": 15 }),
    ...nails,
  );
}

/** Five stars in a row. The middle star is the largest. */
export function starRow() {
  const stars = [14, 20, 28, 20, 14].map((size, index) =>
    svg("path", { d: starPath(5, size, size * 0.42), transform: `translate(${(index - 2) * 84} 0)` }),
  );
  return svg(
    "svg",
    { viewBox: "-210 -30 420 60", width: 420, height: 60, class: "stars", "aria-hidden": "true" },
    ...stars,
  );
}

/**
 * The sun and its rays behind posters.
 *
 * @param {Size} size of the screen; `deck` is a point near its middle
 * @param {number} y the sun's middle, in screen pixels from the top
 * @param {HTMLElement} sun
 */
export function sunrise({ width, height, deck }, y, sun) {
  position(sun, { left: deck.x, top: y });
  return el(
    "sunrise",
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
      svg("path", { d: rayPath(24, 1500), transform: `translate(${deck.x} ${y})`, class: "sunrise__rays" }),
    ),
    sun,
  );
}

/** A low sun over a hill, behind a duel. @param {Size} size of the screen */
export function duskHill({ width, height, deck }) {
  const hill = "M-600 990Q420 640 960 712T2520 900V1700H-600Z";
  const viewBox = `${960 - deck.x} ${1080 - height} ${width} ${height}`;
  return svg(
    "svg",
    { viewBox, width, height, class: "dusk", "aria-hidden": "true" },
    svg("path", { d: STARS, class: "dusk__stars" }),
    svg("circle", { cx: 960, cy: 560, r: 540, fill: "var(--dusk)" }),
    svg("circle", { cx: 960, cy: 560, r: 430, fill: "var(--red-dark)" }),
    svg("circle", { cx: 960, cy: 560, r: 330, fill: "var(--red)" }),
    svg("path", { d: hill, fill: "var(--rail)" }),
    svg("path", { d: CACTI, class: "dusk__cacti" }),
  );
}

/** Three bullet holes in a picture. */
export function bulletHoles() {
  const holes = ["22 20", "80 26", "74 82"].map((middle) =>
    svg(
      "g",
      { transform: `translate(${middle})` },
      svg("path", { d: starPath(9, 7.5, 4.4), fill: "var(--paper-light)" }),
      svg("circle", { r: 3.4, fill: "var(--room)" }),
    ),
  );
  return svg("svg", { viewBox: "0 0 100 100", class: "holes", "aria-hidden": "true" }, ...holes);
}

/** The position of the table on each shape of screen, and the middle of the sun on the table's felt. */
const POSITIONS = {
  wide: { left: 24, top: 150, width: 1872, height: 690, sun: "960 500" },
  tall: { left: 4, top: 118, width: 772, height: 1024, sun: "390 690" },
};

/** @type {(size: Size) => HTMLElement} */
export function tableTop(size) {
  const { left, top, width, height, sun } = POSITIONS[size.shape];
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

/** The shapes that shine behind a winner: many or few rays, or a star. */
const WIN_RAY_PATHS = [
  rayPath(20, 560),
  starPath(12, 560, 360),
  rayPath(9, 560),
  starPath(7, 560, 190),
  rayPath(40, 560),
];

/** Golden rays from behind the winner. The caller positions their middle. */
export class WinRays {
  #path = svg("path", {});
  root = svg("svg", { class: "behind__rays", "aria-hidden": "true" }, this.#path);

  /** @param {number} wins the number of pots won so far; consecutive wins look different */
  update(wins) {
    this.#path.setAttribute("d", WIN_RAY_PATHS[wins % WIN_RAY_PATHS.length] ?? "");
  }
}
