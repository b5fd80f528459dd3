/**
 * Rows of posters under a title: the line-up before the first game, and the finalists before the last stage.
 *
 * @import { Box, PosterShape } from "../seat/seat-kinds.js"
 * @import { Size } from "../../common/settings.js"
 * @import { State } from "../../common/types.js"
 */

import { el, redraw, setData, setText } from "../../common/dom.js";
import { fitText, TITLE_FONT } from "../../common/fit-text.js";
import { capitalize, durationText, money, numberInWords, upperCase } from "../../common/format.js";
import { sunrise } from "../parts/scenery.js";
import { Poster } from "../seat/poster.js";

/**
 * `sun` is the distance of the sun's middle from the top. `area` is the box of the posters, and `gap` the space between
 * posters. `most` says how many posters fit into one row, two rows and so on. If `area` is higher than wide, `most` is
 * about columns. The first of the `title.widths` is for a title alone, and the second for a title beside the countdown.
 * The `title.sizes` are font sizes: the first for the line-up, the second for the finalists. `line` is the line under
 * the title. If the line is broken in two, its font size is at most `wrappedSize`.
 */
const LAYOUTS = {
  wide: {
    sun: 560,
    gap: { x: 22, y: 16 },
    most: [6, 14, 30],
    area: { left: 96, top: 240, width: 1728, height: 674 },
    title: { widths: [1500, 1080], sizes: [112, 128], lines: 1 },
    line: { width: 1600, size: 44, lines: 1 },
  },
  tall: {
    sun: 690,
    gap: { x: 10, y: 8 },
    most: [1, 4, 12, 20],
    area: { left: 36, top: 338, width: 708, height: 770 },
    title: { widths: [708, 390], sizes: [84, 104], lines: 2 },
    line: { width: 708, size: 36, wrappedSize: 32, lines: 2 },
  },
};

const HOUR_MS = 3600000;
/** If the show's start time passed more than this many milliseconds ago, the show starts at that time tomorrow. */
const TOMORROW_AFTER_MS = 6 * HOUR_MS;

/** The scene before a stage. */
export class LineupScene {
  #title = el("lineup__title");
  #line = el("lineup__line");
  #wall = el("lineup__wall");
  sun = el("sunrise__sun");
  /** @type {Map<number, Poster>} */
  posters = new Map();
  #startTime;
  /** Counts down to the start time in the page's address, because the show itself does not know when it will start. */
  #countdownText = el("countdown__figure");
  #countdown = el("countdown", el("countdown__word", "THE SHOW BEGINS IN"), this.#countdownText);
  #layout;

  /**
   * @param {Size} size
   * @param {string} start the time of day at which the show begins, "20:00", or ""
   */
  constructor(size, start) {
    this.#layout = LAYOUTS[size.shape];
    this.#startTime = start;
    this.root = el(
      "scene scene--lineup",
      sunrise(size, this.#layout.sun, this.sun),
      this.#title,
      this.#line,
      this.#wall,
      this.#countdown,
    );
  }

  /** @param {State} state */
  update(state) {
    const isFinal = state.scene === "finalists";
    setData(this.root, "final", isFinal);
    const title = (isFinal ? state.stage?.title : state.tournament.title) || "High Noon";
    this.#countdown.hidden = !this.#startTime || state.stage !== null;
    const seconds = Math.ceil(msUntil(this.#startTime) / 1000);
    setText(this.#countdownText, seconds ? durationText(1000 * seconds) : "NOW");
    const { widths, sizes, lines } = this.#layout.title;
    const width = widths[this.#countdown.hidden ? 0 : 1] ?? 0;
    const size = sizes[isFinal ? 1 : 0] ?? 0;
    fitText(this.#title, upperCase(title), { ...TITLE_FONT, width, size, lines, minSize: 48 });
    const numbers = state.stage?.bots ?? Object.keys(state.bots).map(Number);
    const until = state.stage?.hands ? `${state.stage.hands} hands, and` : "until";
    const rule = state.stage?.deals ? "the same cards for everybody" : `${until} one walks away`;
    const finalLine = `The last ${numberInWords(numbers.length)} · ${rule}`;
    fitText(this.#line, isFinal ? finalLine : openingLine(state), this.#layout.line);
    redraw(this.#wall, numbers, () => {
      const shape = shapeFor(numbers.length, this.#layout);
      this.posters = new Map(numbers.map((number, index) => [number, new Poster(shape(index), number)]));
      return [...this.posters.values()].map((poster) => poster.root);
    });
    for (const [number, poster] of this.posters) {
      const bot = state.bots[number];
      poster.update({ stack: bot?.stack ?? 0, place: 0, won: 0 }, bot);
      setData(poster.root, "away", !state.stage && bot?.presence === "");
    }
  }

  /** The time until the countdown shows the next second, in milliseconds, or Infinity without a countdown. */
  wait() {
    return this.#countdown.hidden ? Number.POSITIVE_INFINITY : msUntil(this.#startTime) % 1000 || 1000;
  }
}

/** The time until `start`, in milliseconds. @param {string} start */
function msUntil(start) {
  const now = Date.now();
  const [hours = 0, minutes = 0] = start.split(":").map(Number);
  const left = new Date(now).setHours(hours, minutes, 0, 0) - now;
  return Math.max(0, left < -TOMORROW_AFTER_MS ? left + 24 * HOUR_MS : left);
}

/** @param {State} state */
function openingLine(state) {
  const all = Object.values(state.bots);
  const bots = all.length;
  if (!bots) return "The saloon opens soon";
  const prizePool = state.tournament.prizes_cents.reduce((sum, cents) => sum + cents, 0);
  const words = `${numberInWords(bots)} outlaws, ${state.tournament.starting_stack.toLocaleString("en-US")} chips each`;
  const here = all.filter((bot) => bot.presence === "here").length;
  const hereSoFar = state.stage || here === bots || !here ? "" : ` · ${numberInWords(here)} here so far`;
  return `${capitalize(words)}${prizePool ? `, ${money(prizePool)} in the strongbox` : ""}${hereSoFar}`;
}

/**
 * Returns a function that gives the shape of the poster at each of `count` positions.
 *
 * @type {(count: number, room: typeof LAYOUTS.wide) => (at: number) => PosterShape}
 */
function shapeFor(count, { area, gap, most }) {
  const layers = most.findIndex((all) => count <= all) + 1 || most.length + 1;
  const rows = area.width > area.height ? layers : Math.ceil(count / layers);
  const columns = Math.max(1, Math.ceil(count / rows));
  const width = Math.min(rows === 1 ? 440 : 300, (area.width - gap.x * (columns - 1)) / columns);
  const height = Math.min(Math.max(560, width * 1.36), (area.height - gap.y * (rows - 1)) / rows);
  const wanted = rows <= 2;
  return (index) => {
    const row = Math.floor(index / columns);
    const inRow = Math.min(columns, count - row * columns);
    const indent = (area.width - inRow * width - (inRow - 1) * gap.x) / 2;
    const left = Math.round(area.left + indent + (index % columns) * (width + gap.x));
    const top = Math.round(area.top + (area.height - rows * height - (rows - 1) * gap.y) / 2 + row * (height + gap.y));
    return posterShape({ left, top, width: Math.floor(width), height: Math.floor(height) }, wanted);
  };
}

/** A `wanted` poster has a heading and a reward. @type {(box: Box, wanted?: boolean) => PosterShape} */
export function posterShape(box, wanted = true) {
  const { width, height } = box;
  const isTall = height > 420;
  const head = wanted ? (isTall ? 62 : 46) : height < 140 ? 9 : 14;
  const foot = wanted ? (isTall ? 60 : 42) : 0;
  const lines = isTall ? 96 : 66; // the height of the name
  const side = Math.max(40, Math.min(width - 36, height - head - foot - lines - 14));
  const spare = height - head - side - lines - foot - 12;
  return {
    poster: box,
    wanted,
    photo: { left: (width - side) / 2, top: head, width: side, height: side },
    name: {
      left: 14,
      top: head + side + spare / 2,
      width: width - 28,
      height: lines,
      size: isTall ? 44 : 36,
      wrappedSize: 34,
    },
    reward: { left: 14, top: height - foot - 12, width: width - 28, height: foot, size: isTall ? 48 : 40 },
    stamp: { x: width / 2, y: head / 2 - 4 },
    star: { left: width - (isTall ? 74 : 62), top: isTall ? -34 : -46, width: 96, height: 96 },
  };
}
