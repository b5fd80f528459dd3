/**
 * Chips over time, or games won in a series: one line for each bot of the stage, the leaders' in colour and with faces.
 *
 * @import { State } from "../../common/types.js"
 */

import { avatarOf, DEFAULT_AVATAR } from "../../common/addresses.js";
import { el, emptyPicture, mark, picture, place, svg } from "../../common/dom.js";

const WIDTH = 372;
const HEIGHT = 596;
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

  /** @param {State} state */
  update(state) {
    const order = state.standings.rows.map((row) => row.bot);
    const key = JSON.stringify([order, state.history, order.map((bot) => state.bots[bot]?.avatar)]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const lines = order.map((bot) => state.history[bot] ?? []);
    const most = Math.max(1, ...lines.flat());
    const length = Math.max(2, ...lines.map((line) => line.length));
    const at = (/** @type {number} */ step, /** @type {number} */ chips) =>
      `${((WIDTH - 24) * step) / (length - 1) + 8} ${HEIGHT - 12 - ((HEIGHT - 24) * chips) / most}`;
    const paths = lines.map((line, rank) => {
      const points = line.map((chips, step) => at(step, chips));
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
    const start = state.stage?.series ? 0 : state.tournament.starting_stack;
    const base = svg("path", { d: `M${at(0, start)}L${at(length - 1, start)}`, class: "chart__start" });
    const heights = lines.slice(0, COLOURS).map((line) => Number(at(0, line.at(-1) ?? 0).split(" ")[1]));
    const faces = spread(heights, APART, HEIGHT - FACE / 2).map((middle, rank) => {
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
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT },
        base,
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
