/**
 * Numbers over time: chips, games won in a series, title odds. One line for each bot of the stage, the leaders' in
 * colour and with faces.
 *
 * @import { State } from "../../common/types.js"
 * @typedef {{ past: Record<string, number[]>, height: number, most?: number, start?: number }} Numbers by bot; the
 *   chart's height in pixels, the most there can be, and a level to hold them against
 */

import { avatarOf, DEFAULT_AVATAR } from "../../common/addresses.js";
import { el, emptyPicture, mark, picture, place, svg } from "../../common/dom.js";

const WIDTH = 372;
const COLOURS = 6;
/** The size of a face at the end of a line, and the least distance between two. */
const FACE = 48;
const APART = 52;

/** A chart that is drawn anew when its numbers change. */
export class Chart {
  #drawn = "";
  #lines = el("chart__lines");
  veil = el("chart__veil");
  root = el("chart", this.#lines, this.veil);

  /**
   * @param {State} state
   * @param {Numbers} numbers
   */
  update(state, { past, height, most = 1, start }) {
    const order = state.standings.rows.map((row) => row.bot);
    const key = JSON.stringify([order, past, height, order.map((bot) => state.bots[bot]?.avatar)]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const lines = order.map((bot) => past[bot] ?? []);
    const top = Math.max(most, ...lines.flat());
    const length = Math.max(2, ...lines.map((line) => line.length));
    const at = (/** @type {number} */ step, /** @type {number} */ number) =>
      `${((WIDTH - 24) * step) / (length - 1) + 8} ${height - 12 - ((height - 24) * number) / top}`;
    const paths = lines.map((line, rank) => {
      const points = line.map((number, step) => at(step, number));
      return svg("path", { d: `M${points.join("L")}`, class: "chart__line", "data-rank": Math.min(rank, COLOURS) });
    });
    const ends = lines.map((line, rank) => {
      const [cx, cy] = at(line.length - 1, line.at(-1) ?? 0).split(" ");
      return svg("circle", {
        cx: cx ?? 0,
        cy: cy ?? 0,
        r: 7,
        class: "chart__end",
        "data-rank": Math.min(rank, COLOURS),
      });
    });
    const levels = start === undefined ? [] : [`M${at(0, start)}L${at(length - 1, start)}`];
    const base = levels.map((d) => svg("path", { d, class: "chart__start" }));
    const faced = Math.min(COLOURS, Math.floor(height / APART));
    const heights = lines.slice(0, faced).map((line) => Number(at(0, line.at(-1) ?? 0).split(" ")[1]));
    const faces = spread(heights, APART, height - FACE / 2).map((middle, rank) => {
      const image = emptyPicture();
      picture(image, avatarOf(state.bots[order[rank] ?? 0]), DEFAULT_AVATAR);
      const face = el("chart__face", image);
      mark(face, "rank", rank);
      place(face, { left: WIDTH + 12, top: middle - FACE / 2 });
      return face;
    });
    this.#lines.replaceChildren(
      svg(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height },
        ...base,
        ...paths.reverse(),
        ...ends.reverse(),
      ),
    );
    this.root.replaceChildren(this.#lines, this.veil, ...faces);
  }
}

/**
 * `heights` from top to bottom, moved just so far that they are `apart` pixels from each other and above `floor`.
 *
 * @param {number[]} heights
 * @param {number} apart
 * @param {number} floor
 */
export function spread(heights, apart, floor) {
  /** @type {number[]} */
  const down = [];
  for (const height of heights) down.push(Math.max(height, apart / 2, (down.at(-1) ?? -apart) + apart));
  for (let at = down.length - 1, low = floor; at >= 0; at -= 1, low -= apart) {
    const here = Math.min(down[at] ?? 0, low);
    down[at] = here;
    low = here;
  }
  return down;
}
