/**
 * How all bots of the stage stand now, hand by hand, with the line that decides who goes on.
 *
 * @import { Bot, State } from "../common/types.js"
 * @import { Followed } from "../common/followed.js"
 */

import { avatarOf, DEFAULT_AVATAR } from "../common/addresses.js";
import { el, emptyPicture, mark, picture, write } from "../common/dom.js";
import { linkToBot, Star } from "../common/followed.js";
import { chips, counted, ordinal, percent } from "../common/format.js";
import { cutOf, ranked, worthOf } from "../common/ranking.js";

/** Rows beyond this are left out: the results have them all. */
const MOST = 30;

/** The list; rows are made once and used again. */
export class StandingsTable {
  #host;
  #followed;
  #channel;
  #drawSwatch;
  /** @type {Row[]} */
  #rows = [];
  #line = new Line();

  /**
   * @param {HTMLElement} host an empty list
   * @param {Followed} followed
   * @param {string} channel where the bots play, "" for none
   * @param {(swatch: HTMLElement, bot: number) => void} [drawSwatch] draws a bot's line, where there are graphs
   */
  constructor(host, followed, channel, drawSwatch) {
    this.#drawSwatch = drawSwatch;
    this.#host = host;
    this.#followed = followed;
    this.#channel = channel;
  }

  /**
   * @param {State} state
   * @returns {string} what the numbers are
   */
  update(state) {
    const worth = worthOf(state);
    const bots = ranked(state).slice(0, MOST);
    const before = new Map(state.standings.rows.map((row) => [row.bot, row.rank]));
    const cut = cutOf(state, bots.length);
    while (this.#rows.length < bots.length) this.#rows.push(new Row(this.#followed, this.#channel));
    const nodes = bots.map(({ number, bot }, at) => {
      const moved = (before.get(number) ?? at + 1) - (at + 1);
      const odds = state.scene === "champion" ? undefined : state.title_odds?.[number]?.at(-1);
      const row = this.#rows[at];
      row?.update(at + 1, bot, { words: worth.words(bot), moved, odds });
      if (row) this.#drawSwatch?.(row.swatch, number);
      return row?.root ?? "";
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

class Row {
  #star;
  #channel;
  #rank = el("span.standing__rank");
  #image = emptyPicture();
  #name = el("bdi.");
  swatch = el("span.swatch");
  #link = el("a.standing__name", this.#name, this.swatch);
  #moved = el("span.standing__moved");
  #words = el("span.");
  #odds = el("small.standing__odds");
  #worth = el("span.standing__worth", this.#words, this.#odds);
  root;

  /**
   * @param {Followed} followed
   * @param {string} channel
   */
  constructor(followed, channel) {
    this.#star = new Star(followed);
    this.#channel = channel;
    const cells = [this.#rank, this.#image, this.#link, this.#moved, this.#worth];
    this.root = el("li.standing", this.#star.root, ...cells);
  }

  /**
   * @param {number} rank
   * @param {Bot} bot
   * @param {{ words: string, moved: number, odds: number | undefined }} told `moved`: places gained (+) or lost (-)
   *   since the last game; `odds`: to win the title, in tenths of a percent
   */
  update(rank, bot, { words, moved, odds }) {
    mark(this.root, "followed", this.#star.update(bot.name));
    mark(this.root, "out", bot.place > 1);
    write(this.#rank, String(rank));
    picture(this.#image, avatarOf(bot), DEFAULT_AVATAR);
    write(this.#name, bot.name);
    linkToBot(this.#link, bot.name, this.#channel);
    mark(this.#moved, "way", moved > 0 ? "up" : moved < 0 ? "down" : "");
    write(this.#moved, moved ? `${moved > 0 ? "▲" : "▼"} ${Math.abs(moved)}` : "");
    write(this.#words, bot.place ? ordinal(bot.place) : words);
    write(this.#odds, odds && !bot.place ? `title ${percent(odds)}` : "");
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
