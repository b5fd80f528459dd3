/**
 * How every bot has played so far: what it has earned and what was luck; opened, its statistics with their chances.
 *
 * @import { Bot, State, BotStatistics } from "../common/types.js"
 */

import { el, write } from "../common/dom.js";
import { signed } from "../common/format.js";
import { habitsOf, share } from "../common/statistics.js";

/** A list in a section that is there once something is counted. A bot that was opened stays open. */
export class Plays {
  #section;
  #host;
  /** @type {Map<number, Row>} */
  #rows = new Map();
  /** @type {BotStatistics[] | null} */
  #shown = null;

  /**
   * @param {HTMLElement} section
   * @param {HTMLElement} host its list, empty
   */
  constructor(section, host) {
    this.#section = section;
    this.#host = host;
  }

  /** @param {State} state */
  update({ statistics, bots }) {
    if (statistics.rows === this.#shown) return;
    this.#shown = statistics.rows;
    const rows = statistics.rows.filter(({ hands }) => hands).sort((one, other) => gained(other) - gained(one));
    this.#section.hidden = rows.length === 0;
    this.#host.replaceChildren(...rows.map((row) => this.#rowOf(row, bots[row.bot])));
  }

  /**
   * @param {BotStatistics} row
   * @param {Bot | undefined} bot
   */
  #rowOf(row, bot) {
    const kept = this.#rows.get(row.bot) ?? new Row();
    this.#rows.set(row.bot, kept);
    kept.update(row, bot?.name ?? "");
    return kept.root;
  }
}

/** @param {BotStatistics} row */
function gained({ earned, won = 0 }) {
  return earned ?? won;
}

class Row {
  #name = el("bdi.plays__name");
  #earned = el("b.plays__earned");
  #luck = el("span.plays__luck");
  #habits = el("dl.plays__habits");
  root = el("li.", el("details.", el("summary.", this.#name, this.#earned, this.#luck), this.#habits));

  /**
   * @param {BotStatistics} row
   * @param {string} name
   */
  update(row, name) {
    const known = typeof row.earned === "number";
    write(this.#name, name);
    write(this.#earned, known ? signed(row.earned ?? 0) : "–");
    write(this.#luck, known ? signed(row.luck ?? 0) : "–");
    const told = habitsOf(row).map(({ name: term, made, of }) => [term, `${share(made, of)}, ${made} of ${of}`]);
    const all = [["Hands", String(row.hands ?? 0)], ["Chips won", signed(row.won ?? 0)], ...told];
    this.#habits.replaceChildren(
      ...all.map(([term = "", words = ""]) => el("plays__habit", el("dt.", term), el("dd.", words))),
    );
  }
}
