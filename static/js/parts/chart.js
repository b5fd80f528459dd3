/**
 * Chips over time: one line for each bot of the stage, the leaders' in colour.
 *
 * @import { State } from "../types.js"
 */

import { el, svg } from "../dom.js";

const WIDTH = 432;
const HEIGHT = 600;
const COLOURS = 6;

/** A chart that is drawn anew when its numbers change. */
export class Chart {
  #drawn = "";
  root = el("chart");

  /** @param {State} state */
  update(state) {
    const order = state.standings.rows.map((row) => row.bot);
    const key = JSON.stringify([order, state.history]);
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
    const start = state.tournament.starting_stack;
    const base = svg("path", { d: `M${at(0, start)}L${at(length - 1, start)}`, class: "chart__start" });
    this.root.replaceChildren(
      svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}` }, base, ...paths.reverse(), ...ends.reverse()),
    );
  }
}
