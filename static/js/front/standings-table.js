/**
 * How all bots of the stage stand now, hand by hand, with the line that decides who goes on.
 *
 * @import { Bot, State } from "../common/types.js"
 */

import { el, emptyPicture, mark, picture, write } from "../common/dom.js";
import { avatarOf, chips, counted, ordinal, points, wins } from "../common/format.js";

/** Rows beyond this are left out: the results have them all. */
const MOST = 30;

/** The list; rows are made once and used again. */
export class StandingsTable {
  #host;
  /** @type {Row[]} */
  #rows = [];
  #line = new Line();

  /** @param {HTMLElement} host an empty list */
  constructor(host) {
    this.#host = host;
  }

  /**
   * @param {State} state
   * @returns {string} what the numbers are
   */
  update(state) {
    const worth = worthOf(state);
    const bots = ranked(state, worth.of).slice(0, MOST);
    const before = new Map(state.standings.rows.map((row) => [row.bot, row.rank]));
    const advance = state.scene === "champion" ? 0 : (state.stage?.advance ?? 0);
    const cut = advance && advance < bots.length ? advance : 0;
    while (this.#rows.length < bots.length) this.#rows.push(new Row());
    const nodes = bots.map(({ number, bot }, at) => {
      const moved = (before.get(number) ?? at + 1) - (at + 1);
      this.#rows[at]?.update(at + 1, bot, worth.words(bot), moved);
      return this.#rows[at]?.root ?? "";
    });
    if (cut) {
      this.#line.update(state, worth.of, bots[cut - 1]?.bot, bots[cut]?.bot, cut);
      nodes.splice(cut, 0, this.#line.root);
    }
    if (nodes.length !== this.#host.children.length || nodes.some((node, at) => node !== this.#host.children[at])) {
      this.#host.replaceChildren(...nodes);
    }
    return state.scene === "champion" ? "final" : bots.length ? worth.title : "";
  }
}

/**
 * What bots are ranked by: games won in a series, ratings in a season, else chips.
 *
 * @param {State} state
 */
function worthOf({ bots, stage }) {
  const all = Object.values(bots);
  if (stage?.series) return { title: "games won", of: won, words: (/** @type {Bot} */ bot) => wins(bot.wins) };
  if (all.length && all.every((bot) => bot.rating)) {
    return { title: "by rating", of: rating, words: (/** @type {Bot} */ bot) => points(bot.rating) };
  }
  return { title: "chips", of: stack, words: (/** @type {Bot} */ bot) => chips(bot.stack) };
}

const won = (/** @type {Bot} */ bot) => bot.wins;
const rating = (/** @type {Bot} */ bot) => bot.rating;
const stack = (/** @type {Bot} */ bot) => bot.stack;

/**
 * The bots of the stage, or all before the first one; those that are out come last.
 *
 * @param {State} state
 * @param {(bot: Bot) => number} worth
 */
function ranked({ bots, stage, placings }, worth) {
  const places = new Map(placings.map((line) => [line.bot, line.place]));
  const numbers = stage && !placings.length ? stage.bots : Object.keys(bots).map(Number);
  const all = numbers.flatMap((number) => {
    const bot = bots[number];
    return bot ? [{ number, bot: { ...bot, place: places.get(number) ?? bot.place } }] : [];
  });
  return all.sort((one, other) => one.bot.place - other.bot.place || worth(other.bot) - worth(one.bot));
}

class Row {
  #rank = el("span.standing__rank");
  #image = emptyPicture();
  #name = el("bdi.standing__name");
  #moved = el("span.standing__moved");
  #worth = el("span.standing__worth");
  root = el("li.standing", this.#rank, this.#image, this.#name, this.#moved, this.#worth);

  /**
   * @param {number} rank
   * @param {Bot} bot
   * @param {string} words
   * @param {number} moved places gained (+) or lost (-) since the last game
   */
  update(rank, bot, words, moved) {
    mark(this.root, "out", bot.place > 1);
    write(this.#rank, String(rank));
    picture(this.#image, avatarOf(bot), "/assets/avatars/default.webp");
    write(this.#name, bot.name);
    mark(this.#moved, "way", moved > 0 ? "up" : moved < 0 ? "down" : "");
    write(this.#moved, moved ? `${moved > 0 ? "▲" : "▼"} ${Math.abs(moved)}` : "");
    write(this.#worth, bot.place ? ordinal(bot.place) : words);
  }
}

/** The line between those who go on and the rest. */
class Line {
  #words = el("span.");
  #apart = el("span.");
  root = el("li.cut", this.#words, this.#apart);

  /**
   * @param {State} state
   * @param {(bot: Bot) => number} worth
   * @param {Bot | undefined} above the last that goes on
   * @param {Bot | undefined} below the first that does not
   * @param {number} advance
   */
  update({ stage }, worth, above, below, advance) {
    const apart = above && below && !below.place ? worth(above) - worth(below) : 0;
    write(this.#words, `Top ${counted(advance)} ride on to ${stage?.next_title || "High Noon"}`);
    write(this.#apart, apart > 0 ? `${chips(apart)} apart` : "");
  }
}
