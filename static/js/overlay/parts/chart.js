/**
 * Charts of chips, of games won in a series, or of title odds over time. Each bot of the stage has a line that ends in
 * the bot's face, or in the number of its place. From the thirteenth bot on, the colours repeat with dashed lines.
 *
 * @import { State } from "../../common/types.js"
 * @typedef {{ past: Record<string, number[]>, height: number, start?: number, top?: number, colours?: number[] }} ChartData
 *   `past`: the values of each bot; `height`: the chart's height in pixels; `start`: the value at which a horizontal
 *   line is drawn for comparison; `top`: the value at the top of the chart, unless a bot has more; `colours`: all bots
 *   in the order of their colours. With `colours`, each line ends in the number of the bot's place. Without `colours`,
 *   each line ends in the bot's face, and the colours follow the ranks
 */

import { el, emptyImage, position, redraw, setData, showFace, svg } from "../../common/dom.js";

const WIDTH = 372;
export const COLOUR_COUNT = 12;
/** The size of a face at the end of a line, and the minimum distance between the middles of two faces. */
const FACE = 44;
const FACE_SPACING = 47;

/** A chart, redrawn when its numbers change. */
export class Chart {
  veil = el("chart__veil");
  root = el("chart");

  /** @type {(state: State, data: ChartData) => void} */
  update({ standings, bots }, data) {
    const rankedBots = standings.rows.map((row) => row.bot);
    const avatars = rankedBots.map((bot) => bots[bot]?.avatar);
    redraw(this.root, [rankedBots, data.past, data.height, avatars], () => this.#draw(rankedBots, bots, data));
  }

  /** @type {(rankedBots: number[], bots: State["bots"], numbers: ChartData) => Node[]} */
  #draw(rankedBots, bots, { past, height, start, top: highest = 1, colours }) {
    const lines = rankedBots.map((bot) => past[bot] ?? []);
    const columns = Math.ceil((lines.length * FACE_SPACING) / height);
    const width = WIDTH - (columns - 1) * FACE_SPACING;
    const top = Math.max(highest, ...lines.flat());
    const length = Math.max(2, ...lines.map((line) => line.length));
    const pointAt = (/** @type {number} */ step, /** @type {number} */ number) =>
      `${((width - 24) * step) / (length - 1) + 8} ${height - 12 - ((height - 24) * number) / top}`;
    const colour = (/** @type {number} */ rank) => colours?.indexOf(rankedBots[rank] ?? 0) ?? rank;
    const paths = lines.map((line, rank) => {
      const points = line.map((number, step) => pointAt(step, number));
      return styleLine(svg("path", { d: `M${points.join("L")}h0`, class: "chart__line" }), rank, colour(rank));
    });
    const level = start === undefined ? "" : `M${pointAt(0, start)}L${pointAt(length - 1, start)}`;
    const base = svg("path", { d: level, class: "chart__start" });
    const heights = lines.map((line) => Number(pointAt(0, line.at(-1) ?? 0).split(" ")[1]));
    // The lines may end in another order than the standings, because a lower bot may have better title odds.
    const ends = [...heights.entries()].sort(([, one], [, other]) => one - other);
    const middles = spreadOut(
      ends.map(([, end]) => end),
      FACE_SPACING / columns,
      height - FACE / 2,
    );
    const faces = ends.map(([rank], index) => {
      const end = colours ? `${rank + 1}` : showFace(emptyImage(), bots[rankedBots[rank] ?? 0]);
      const face = styleLine(el("chart__face", end), rank, colour(rank));
      position(face, { left: width + 12 + (index % columns) * FACE_SPACING, top: (middles[index] ?? 0) - FACE / 2 });
      return face;
    });
    return [svg("svg", { width: WIDTH, height }, base, ...paths.reverse()), this.veil, ...faces];
  }
}

/**
 * Styles a bot's line, or the face or number at its end: with the line's colour, with dashes from the thirteenth colour
 * on, and with a special style if the bot is first.
 *
 * @template {HTMLElement | SVGElement} Part
 * @param {Part} part
 * @param {number} rank from 0
 * @param {number} colour from 0
 */
function styleLine(part, rank, colour) {
  part.style.setProperty("--line", `var(--line-${colour % COLOUR_COUNT})`);
  setData(part, "first", rank === 0);
  setData(part, "dashed", colour >= COLOUR_COUNT);
  return part;
}

/**
 * Moves the middles of faces apart, so that they are at least `spacing` pixels from each other. `heights` are their
 * distances from the top, the smallest first. Returns the new distances, none of them larger than `floor`.
 *
 * @type {(heights: number[], spacing: number, floor: number) => number[]}
 */
function spreadOut(heights, spacing, floor) {
  /** @type {number[]} */
  const positions = [];
  for (const height of heights) positions.push(Math.max(height, spacing / 2, (positions.at(-1) ?? -spacing) + spacing));
  for (let index = positions.length - 1, lowest = floor; index >= 0; index -= 1, lowest -= spacing) {
    const moved = Math.min(positions[index] ?? 0, lowest);
    positions[index] = moved;
    lowest = moved;
  }
  return positions;
}
