/**
 * The title race in a stage of deals: what each bot wins per deal, how certain that is, and how likely each bot is to
 * be the best.
 *
 * @import { Size } from "../common/settings.js"
 * @import { Bot, Standing, State } from "../common/types.js"
 * @typedef {typeof ROOMS.wide} Room
 */

import { el, emptyPicture, mark, picture, position, redraw, write } from "../common/dom.js";
import { BOLD, fit, TITLE } from "../common/fit-text.js";
import { heading, outOf, percent, signed } from "../common/format.js";
import { Chart, COLOURS } from "../overlay/parts/chart.js";
import { explained } from "./deal-words.js";

/** The box of the rows, the maximum height and number of rows, the widths of texts, and the explanation of words. */
const ROOMS = {
  wide: {
    ...{ left: 96, top: 210, width: 1210, height: 712, pitch: 116, shown: 12, line: 1210, name: 330, won: 150 },
    words: { left: 1330, top: 106, width: 494 },
    lines: 2,
  },
  tall: {
    ...{ left: 36, top: 336, width: 708, height: 774, pitch: 100, shown: 12, line: 708, name: 160, won: 116 },
    words: { left: 38, top: 266, width: 706 },
    lines: 1,
  },
};
const CHART_HEIGHT = 560;
/** The height of the headings above the rows. */
const HEADS = 36;

/** The scene between two deals. */
export class CertaintyScene {
  #room;
  #title = el("standings__title");
  #line = el("standings__line");
  #worth = el("span.sure__worth");
  #heads = el("sure__heads", el("span.sure__range", "95% range"), this.#worth, el("span.", "best bot"));
  #words = el("deal-words");
  #list = el("standings__list");
  #chart = new Chart();
  #goal = el("panel__favourite");
  #panel = el("panel", el("panel__title", "The best bot?"), this.#goal, this.#chart.root);
  /** @type {Map<number, Row>} */
  rows = new Map();

  /** @param {HTMLElement} root @param {Size} size */
  constructor(root, { shape }) {
    this.#room = ROOMS[shape];
    position(this.#words, this.#room.words);
    root.append(this.#title, this.#line, this.#words, this.#heads, this.#list, this.#panel);
  }

  /** @param {State} state */
  update(state) {
    const { standings, stage, bots, title_odds: past, deal } = state;
    const { left, top, width, height, line } = this.#room;
    const rows = standings.rows.slice(0, this.#room.shown);
    fit(this.#title, heading(stage?.title ?? "Standings"), { ...TITLE, width: line, size: 80, least: 40 });
    const byEarned = stage?.decided_by === "earned";
    const chips = byEarned ? "Chips per deal without the luck of the board" : "Chips per deal";
    write(this.#worth, byEarned ? "earned" : "profit");
    fit(this.#line, `${chips}, after deal ${outOf(deal?.deal ?? 0, stage?.games ?? 0)}`, {
      width: line,
      size: 38,
    });
    fit(this.#words, explained(state), { width: this.#room.words.width, size: 28, lines: this.#room.lines });
    const sure = stage?.sure_percent;
    const isKnown = Object.keys(past).length > 0;
    const early = stage?.decided ? `Over early: ${sure}% sure was enough` : `Ends early once ${sure}% sure`;
    const goal = sure ? early : "The chance to be the best";
    fit(this.#goal, isKnown ? goal : "Too early to say", { width: 430, size: 32 });
    const level = sure ? { start: sure * 10, top: 1000 } : {};
    const colours = stage?.bots ?? [];
    if (isKnown) this.#chart.update(state, { past, height: CHART_HEIGHT, colours, ...level });
    this.#chart.root.hidden = !isKnown;
    const least = Math.min(0, ...rows.map((row) => row.low ?? row.per_deal ?? 0));
    const most = Math.max(1, ...rows.map((row) => row.high ?? row.per_deal ?? 0));
    const pitch = Math.min(this.#room.pitch, height / Math.max(1, rows.length));
    mark(this.#heads, "known", isKnown);
    position(this.#heads, { left, top: top - HEADS, width });
    const before = this.rows;
    this.rows = new Map();
    rows.forEach((row, at) => {
      const part = before.get(row.bot) ?? new Row();
      part.update(row, bots[row.bot], { room: this.#room, least, most, lines: pitch > 70 ? 2 : 1, colours });
      part.tell(past[row.bot]?.at(-1));
      position(part.root, { left, top: top + at * pitch, width, height: pitch - 8 });
      this.rows.set(row.bot, part);
    });
    redraw(this.#list, [...this.rows.keys()], () => [...this.rows.values()].map((row) => row.root));
  }
}

class Row {
  #rank = el("row__rank");
  #image = emptyPicture();
  #name = el("row__name");
  #zero = el("sure__zero");
  fill = el("sure__span");
  #mean = el("sure__mean");
  #worth = el("row__stack");
  #chance = el("sure__chance");
  root = el(
    "row",
    ...[this.#rank, el("row__photo", this.#image), this.#name],
    ...[el("sure__scale", this.#zero, this.fill, this.#mean), this.#worth, this.#chance],
  );
  moved = 0;

  /**
   * @param {Standing} row
   * @param {Bot | undefined} bot
   * @param {{ room: Room, least: number, most: number, lines: number, colours: number[] }} look `least`, `most`: the ends
   *   of the scale; `colours`: the bots in the order of their colours
   */
  update(row, bot, { room, least, most, lines, colours }) {
    this.moved = row.moved;
    const { rank, per_deal: mean = 0, low = mean, high = mean } = row;
    const at = (/** @type {number} */ worth) => (100 * (worth - least)) / (most - least);
    write(this.#rank, String(rank));
    picture(this.#image, bot);
    fit(this.#name, bot?.name ?? "", { width: room.name, size: 36, lines });
    this.#zero.style.left = `${at(0).toFixed(2)}%`;
    this.fill.style.left = `${at(low).toFixed(2)}%`;
    this.fill.style.width = `${(at(high) - at(low)).toFixed(2)}%`;
    this.fill.style.transform = "none";
    const colour = colours.indexOf(row.bot);
    this.fill.style.background = `var(--line-${colour < COLOURS ? colour : "rest"})`;
    this.#mean.style.left = `${at(mean).toFixed(2)}%`;
    fit(this.#worth, signed(mean), { ...BOLD, width: room.won, size: 42 });
  }

  /** @param {number | undefined} chance of the bot to be the best, in tenths of a percent */
  tell(chance) {
    write(this.#chance, chance === undefined ? "" : percent(chance));
  }
}
