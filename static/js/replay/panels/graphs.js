/**
 * Graphs that follow the playhead and show nothing of what is still to come: everybody's chances in this hand, and
 * everybody's chips and title odds from the first hand to this one.
 *
 * @import { Entry, State } from "../../common/types.js"
 * @import { Film, FilmHand, Outline } from "../film/film.js"
 */

import { el, mark, svg } from "../../common/dom.js";
import { chips } from "../../common/format.js";

const WIDTH = 400;
const HEIGHT = 120;
const COLOURS = 6;
/** None, and three kinds. */
const DASHES = 4;
/** A line of more has no room to show them. */
const POINTS = 200;

/**
 * The colour of a bot's line, and how it is dashed: the same in every graph, and another one for each of 24 bots.
 *
 * @param {Outline} outline
 * @param {number} bot
 */
function lineOf(outline, bot) {
  const at = Math.max(
    0,
    outline.bots.findIndex((star) => star.bot === bot),
  );
  return { line: at % COLOURS, dashed: Math.floor(at / COLOURS) % DASHES };
}

/**
 * A piece of a bot's line, as the legend of the graphs.
 *
 * @param {HTMLElement} swatch
 * @param {Outline} outline
 * @param {number} bot
 */
export function drawSwatch(swatch, outline, bot) {
  const { line, dashed } = lineOf(outline, bot);
  swatch.style.setProperty("--line", `var(--line-${line})`);
  mark(swatch, "dashed", dashed || "");
}

/**
 * Lines in a frame, drawn anew when they change.
 *
 * @typedef {{ d: string, line: number, dashed: number }} Line
 * @typedef {{ height: number, words: string }} Level a quiet line behind them, at a height of 0 to 1, and what it
 *   stands for
 */
class Graph {
  #host;
  #drawn = "";

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#host = host;
  }

  /**
   * @param {Line[]} lines
   * @param {Level[]} levels
   * @param {number} at where the playhead is, 0 to 1
   */
  draw(lines, levels, at) {
    const key = JSON.stringify([lines, levels, at]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const back = levels.map(({ height }) =>
      svg("path", { d: `M0 ${HEIGHT * (1 - height)}H${WIDTH}`, class: "graph__level" }),
    );
    const paths = lines.map(({ d, line, dashed }) => {
      const path = svg("path", { d, class: "graph__line", stroke: `var(--line-${line})` });
      mark(path, "dashed", dashed || "");
      return path;
    });
    const head = svg("path", { d: `M${at * WIDTH} 0V${HEIGHT}`, class: "graph__at" });
    const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" };
    this.#host.replaceChildren(svg("svg", box, ...back, head, ...paths), ...levels.map(wordOf));
  }
}

/** @param {Level} level */
function wordOf({ height, words }) {
  const node = el("graph__word", words);
  node.style.bottom = `${height * 100}%`;
  return node;
}

/** Everybody's chances in the hand at the playhead, as they were on air. */
export class ChancesGraph extends Graph {
  /**
   * @param {Outline} outline
   * @param {Entry[]} section
   * @param {State} state
   * @param {number} now
   */
  update(outline, section, state, now) {
    const begins = section[0]?.at_ms ?? 0;
    const ends = section.find((entry) => entry.type === "hand_ended")?.at_ms ?? now;
    const length = Math.max(1, ends - begins);
    const at = Math.min(1, Math.max(0, (now - begins) / length));
    /** @type {Map<number, string>} */
    const paths = new Map();
    for (const entry of section) {
      if (entry.seq > state.seq || entry.type !== "equities_changed") continue;
      const x = Math.round(((entry.at_ms - begins) / length) * WIDTH);
      for (const { seat, win } of entry.chances) {
        const y = Math.round(HEIGHT * (1 - win / 1000));
        paths.set(seat, paths.has(seat) ? `${paths.get(seat)}H${x}V${y}` : `M${x} ${y}h0`);
      }
    }
    const still = new Set(state.seats.flatMap((seat, number) => (seat.win === null ? [] : [number])));
    const lines = [...paths].map(([seat, d]) => {
      const bot = state.seats[seat]?.bot ?? 0;
      return { d: still.has(seat) ? `${d}H${Math.round(at * WIDTH)}` : d, ...lineOf(outline, bot) };
    });
    this.draw(lines, [{ height: 0.5, words: "50%" }], at);
  }
}

/** Everybody's chance to win the title, hand by hand, as it was on air; hidden where the chips do not tell it. */
export class TitleGraph extends Graph {
  #section;

  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} section
   */
  constructor(host, section) {
    super(host);
    this.#section = section;
  }

  /**
   * @param {Outline} outline
   * @param {State} state
   */
  update(outline, { title_odds: odds = {} }) {
    const told = Object.entries(odds);
    this.#section.hidden = !told.length;
    const last = Math.max(1, ...told.map(([, line]) => line.length - 1));
    const lines = told.map(([bot, line]) => {
      const points = line.map((chance, at) => `${Math.round((at / last) * WIDTH)} ${HEIGHT * (1 - chance / 1000)}`);
      return { d: `M${points.join("L")}h0`, ...lineOf(outline, Number(bot)) };
    });
    this.draw(lines, [{ height: 0.5, words: "50%" }], 1);
  }
}

/** Everybody's chips after each hand of the stage up to the playhead's. */
export class ChipsGraph extends Graph {
  #film;
  #outline;
  #of = "";
  /** @type {FilmHand[]} */
  #stage = [];
  #first = 0;

  /**
   * @param {HTMLElement} host
   * @param {Film} film
   * @param {(hand: number) => void} go called with the hand that was pressed
   */
  constructor(host, film, go) {
    super(host);
    this.#film = film;
    this.#outline = film.outline;
    host.addEventListener("click", (event) => {
      const box = host.getBoundingClientRect();
      const at = Math.floor(((event.clientX - box.left) / box.width) * this.#stage.length);
      if (this.#stage.length) go(this.#first + Math.min(this.#stage.length - 1, Math.max(0, at)));
    });
  }

  /**
   * @param {number} hand
   * @param {State} state
   */
  update(hand, state) {
    const of = `${hand} ${state.hand?.over} ${state.stage?.stage} ${this.#film.revision}`;
    if (of === this.#of) return;
    this.#of = of;
    const { hands } = this.#outline;
    const stage = hands[hand]?.stage;
    this.#first = Math.max(
      1,
      this.#film.first,
      hands.findIndex((each) => each.stage === stage),
    );
    this.#stage = stage ? hands.slice(this.#first).filter((each) => each.stage === stage) : [];
    const done = this.#stage.slice(0, Math.max(0, hand + (state.hand?.over === false ? 0 : 1) - this.#first));
    const told = done.filter((each) => Object.keys(each.stacks).length > 0); // not yet those of a hand just over
    this.#line(told, state);
  }

  /**
   * @param {FilmHand[]} done
   * @param {State} state
   */
  #line(done, { history, stage, tournament }) {
    const count = Math.max(1, this.#stage.length);
    const [bots, start] = [stage?.bots ?? [], tournament.starting_stack];
    const most = Math.max(1, ...done.flatMap((each) => bots.map((bot) => each.stacks[bot] ?? 0)), 1.2 * start);
    const every = Math.ceil(done.length / POINTS);
    const kept = done.flatMap((each, at) => (at % every === 0 || at === done.length - 1 ? [{ each, x: at + 1 }] : []));
    const point = (/** @type {number} */ x, /** @type {number} */ stack) =>
      `${Math.round((x / count) * WIDTH)} ${Math.round(HEIGHT * (1 - stack / most))}`;
    const lines = bots.map((bot) => {
      const points = kept.map(({ each, x }) => point(x, each.stacks[bot] ?? 0));
      return { d: `M${[point(0, history[bot]?.[0] ?? start), ...points].join("L")}h0`, ...lineOf(this.#outline, bot) };
    });
    this.draw(lines, [{ height: start / most, words: chips(start) }], done.length / count);
  }
}
