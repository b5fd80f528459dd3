/**
 * Drawings that other parts use: suits, stars, torn paper. Vectors only.
 */

import { svg } from "../../common/dom.js";
import { SUITS } from "./suits.js";

/** @param {string} suit "c", "d", "h" or "s" */
export function suitShape(suit) {
  const path = SUITS[/** @type {keyof typeof SUITS} */ (suit)] ?? "";
  return svg("svg", { viewBox: "0 0 100 100", class: "suit", "aria-hidden": "true" }, svg("path", { d: path }));
}

/** A star around the origin. @type {(points: number, outer: number, inner: number) => string} */
export function starPath(points, outer, inner) {
  const corners = Array.from({ length: points * 2 }, (_, step) => {
    const angle = (Math.PI * step) / points - Math.PI / 2;
    const radius = step % 2 ? inner : outer;
    return `${(Math.cos(angle) * radius).toFixed(1)} ${(Math.sin(angle) * radius).toFixed(1)}`;
  });
  return `M${corners.join("L")}Z`;
}

/** Rays around the origin, as wide as the gaps between them. @type {(count: number, length: number) => string} */
export function rayPath(count, length) {
  return Array.from({ length: count }, (_, step) => {
    const pointAt = (/** @type {number} */ turn) => {
      const angle = (Math.PI * 2 * (step + turn)) / count;
      return `${(Math.cos(angle) * length).toFixed(0)} ${(Math.sin(angle) * length).toFixed(0)}`;
    };
    return `M0 0L${pointAt(-0.25)}L${pointAt(0.25)}Z`;
  }).join("");
}

/** The sheriff's star: five points, each with a ball. */
export function sheriffStar() {
  const balls = Array.from({ length: 5 }, (_, point) => {
    const angle = (Math.PI * 2 * point) / 5 - Math.PI / 2;
    return svg("circle", { cx: (Math.cos(angle) * 43).toFixed(1), cy: (Math.sin(angle) * 43).toFixed(1), r: 6 });
  });
  return svg(
    "svg",
    { viewBox: "-52 -52 104 104", class: "sheriff", "aria-hidden": "true" },
    svg("g", { class: "sheriff__body" }, svg("path", { d: starPath(5, 44, 20) }), ...balls),
    svg("path", { d: starPath(5, 33, 14.5), fill: "var(--brass-light)" }),
    svg("circle", { r: 7, fill: "var(--brass-dark)" }),
  );
}

/** The burning end of a fuse. */
export function spark() {
  return svg("svg", { viewBox: "-14 -14 28 28", "aria-hidden": "true" }, svg("path", { d: starPath(8, 14, 6) }));
}

/** The dealer's button: a brass coin with a star. */
export function buttonStar() {
  return svg(
    "svg",
    { viewBox: "-32 -32 64 64", class: "button-star", "aria-hidden": "true" },
    svg("circle", { r: 31, fill: "var(--brass-dark)" }),
    svg("circle", { r: 24, fill: "var(--brass-light)" }),
    svg("path", { d: starPath(5, 20, 8.4), fill: "var(--brass-dark)" }),
  );
}

/**
 * A sheet of old paper with torn edges, nailed at the top. The same `seed` gives the same edges.
 *
 * @param {number} width
 * @param {number} height
 * @param {number} seed
 */
export function paperSheet(width, height, seed) {
  const outline = tornOutline(width, height, seed);
  const nails = width > 400 ? [width * 0.1, width * 0.9] : [width / 2];
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, class: "paper", "aria-hidden": "true" },
    svg("path", { d: outline, class: "paper__shadow", transform: "translate(7 9)" }),
    svg("path", { d: outline, class: "paper__sheet" }),
    svg("path", { d: tornOutline(width, height, seed + 7, 9), class: "paper__light" }),
    svg("path", { d: creasePath(width, height, seed), class: "paper__crease" }),
    ...nails.map((x) => svg("circle", { cx: x, cy: 9, r: 4.5, class: "paper__nail" })),
  );
}

/** @type {(width: number, height: number, seed: number, inset?: number) => string} */
function tornOutline(width, height, seed, inset = 0) {
  const next = randomNumbers(seed);
  /** @type {string[]} */
  const points = [];
  const addEdge = (
    /** @type {number} */ length,
    /** @type {(along: number, out: number) => [number, number]} */ toPoint,
  ) => {
    let along = 0;
    while (along < length - 6) {
      points.push(
        toPoint(along, next() * 4.5 + (next() > 0.9 ? 4 : 0))
          .map((value) => value.toFixed(1))
          .join(" "),
      );
      along += 9 + next() * 17;
    }
  };
  const [right, bottom] = [width - inset, height - inset];
  addEdge(width - 2 * inset, (along, out) => [inset + along, inset + out]);
  addEdge(height - 2 * inset, (along, out) => [right - out, inset + along]);
  addEdge(width - 2 * inset, (along, out) => [right - along, bottom - out]);
  addEdge(height - 2 * inset, (along, out) => [inset + out, bottom - along]);
  return `M${points.join("L")}Z`;
}

/** @type {(width: number, height: number, seed: number) => string} */
function creasePath(width, height, seed) {
  const next = randomNumbers(seed + 3);
  const across = height * (0.45 + next() * 0.2);
  const down = width * (0.3 + next() * 0.4);
  return `M8 ${across}L${width - 8} ${across + next() * 16 - 8}M${down} 8L${down + next() * 14 - 7} ${height - 8}`;
}

/** A source of pseudorandom numbers from 0 to 1, determined by the seed. @type {(seed: number) => () => number} */
function randomNumbers(seed) {
  let state = (seed * 2654435761 + 1013904223) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
