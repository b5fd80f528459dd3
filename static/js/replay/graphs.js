/**
 * Two graphs that follow the playhead and tell nothing of what is still to come: everybody's chances in this hand, and
 * everybody's chips from the first hand to this one.
 *
 * @import { Entry, State } from "../types.js"
 * @import { Outline } from "./film.js"
 */

import { mark, svg } from "../dom.js";

const WIDTH = 400;
const HEIGHT = 120;
const COLOURS = 6;

/**
 * The colour of a bot's line, and whether that is dashed: the same in every graph.
 *
 * @param {Outline} outline
 * @param {number} bot
 */
export function lineOf(outline, bot) {
  const at = Math.max(
    0,
    outline.bots.findIndex((star) => star.bot === bot),
  );
  return { line: at % COLOURS, dashed: at >= COLOURS };
}

/** Lines in a frame, drawn anew when they change. */
class Graph {
  #host;
  #drawn = "";

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#host = host;
  }

  /**
   * @param {{ d: string, line: number, dashed: boolean }[]} lines
   * @param {number[]} levels heights of the quiet lines behind them, 0 to 1
   * @param {number} at where the playhead is, 0 to 1
   */
  draw(lines, levels, at) {
    const key = JSON.stringify([lines, at]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const back = levels.map((level) =>
      svg("path", { d: `M0 ${HEIGHT * (1 - level)}H${WIDTH}`, class: "graph__level" }),
    );
    const paths = lines.map(({ d, line, dashed }) => {
      const path = svg("path", { d, class: "graph__line", "data-line": line });
      mark(path, "dashed", dashed);
      return path;
    });
    const head = svg("path", { d: `M${at * WIDTH} 0V${HEIGHT}`, class: "graph__at" });
    const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" };
    this.#host.replaceChildren(svg("svg", box, ...back, head, ...paths));
  }
}

/** Everybody's chances, as they were told in the hand at the playhead. */
export class ChancesGraph extends Graph {
  /**
   * @param {Outline} outline
   * @param {Entry[]} section
   * @param {State} state
   * @param {number} now
   */
  update(outline, section, state, now) {
    const begins = section[0]?.at_ms ?? 0;
    const ends = section.find((entry) => entry.type === "hand_ended")?.at_ms ?? begins;
    const length = Math.max(1, ends - begins);
    const at = Math.min(1, Math.max(0, (now - begins) / length));
    /** @type {Map<number, string>} */
    const paths = new Map();
    for (const entry of section) {
      if (entry.seq > state.seq || entry.type !== "equities_changed") continue;
      const x = Math.round(((entry.at_ms - begins) / length) * WIDTH);
      for (const { seat, win } of entry.chances) {
        const y = Math.round(HEIGHT * (1 - win / 1000));
        paths.set(seat, paths.has(seat) ? `${paths.get(seat)}H${x}V${y}` : `M${x} ${y}`);
      }
    }
    const still = new Set(state.seats.flatMap((seat, number) => (seat.win === null ? [] : [number])));
    const lines = [...paths].map(([seat, d]) => {
      const bot = state.seats[seat]?.bot ?? 0;
      return { d: still.has(seat) ? `${d}H${Math.round(at * WIDTH)}` : d, ...lineOf(outline, bot) };
    });
    this.draw(lines, [0.5], at);
  }
}

/** Everybody's chips after every hand up to the playhead's. */
export class ChipsGraph extends Graph {
  #of = "";

  /**
   * @param {Outline} outline
   * @param {number} hand
   * @param {State} state
   */
  update(outline, hand, state) {
    const of = `${hand} ${state.hand?.over} ${state.stage?.stage}`;
    if (of === this.#of) return;
    this.#of = of;
    const { hands } = outline;
    const first = Math.max(
      1,
      hands.findIndex((each) => each.stage === hands[hand]?.stage),
    );
    const count = Math.max(1, hands.filter((each) => each.stage === hands[hand]?.stage).length);
    const done = hands.slice(first, state.hand?.over === false ? hand : hand + 1);
    const bots = state.stage?.bots ?? [];
    const start = state.tournament.starting_stack;
    const most = Math.max(1, 2 * start, ...done.flatMap((each) => bots.map((bot) => each.stacks[bot] ?? 0)));
    const lines = bots.map((bot) => {
      const points = [start, ...done.map((each) => each.stacks[bot] ?? 0)].map(
        (chips, at) => `${Math.round((at / count) * WIDTH)} ${Math.round(HEIGHT * (1 - chips / most))}`,
      );
      return { d: `M${points.join("L")}`, ...lineOf(outline, bot) };
    });
    this.draw(lines, [start / most], Math.min(1, done.length / count));
  }
}
