/**
 * The pot on its brass plate, and every pot by itself with those who can win it, as soon as there are several.
 *
 * @import { Pot, State } from "../types.js"
 */

import { el, mark, write } from "../dom.js";
import { fit } from "../fit.js";
import { chips, shortNames } from "../format.js";

const ROWS = 3;
const NAMED = 6;
const NAMES_WIDTH = 436;

/** Pots that change by comparing. */
export class Pots {
  #number = el("pot__number");
  #main = el("pot__main");
  plate = el("pot", el("pot__word"), this.#number, this.#main);
  #rows = Array.from({ length: ROWS }, () => new PotRow());
  sides = el("sides", ...this.#rows.map((row) => row.root));

  /** @param {State} state */
  update(state) {
    this.setTotal(state.pot);
    mark(this.plate, "empty", state.pot === 0);
    const names = shortNames(state.seats.map((seat) => state.bots[seat.bot]?.name ?? ""));
    const [main, ...sides] = state.pots;
    const several = sides.length > 0 && state.pot > 0;
    this.#main.hidden = !several;
    write(this.#main, several && main ? `Main pot ${chips(main.amount)}` : "");
    const awarded = new Set(state.awards.map((award) => award.pot));
    // With more side pots than rows the first ones, which most can win, are told; the rest are summed up in the last.
    const told = sides.length > ROWS ? ROWS - 1 : ROWS;
    this.#rows.forEach((row, at) => {
      const pot = sides[at];
      if (!pot) row.update(null);
      else if (at < told) {
        row.update({ word: `Side pot ${at + 1}`, amount: pot.amount, who: named(pot, names), won: awarded.has(at + 1) });
      } else {
        const rest = sides.slice(at);
        const amount = rest.reduce((sum, each) => sum + each.amount, 0);
        row.update({ word: `${rest.length} more side pots`, amount, who: "", won: false });
      }
    });
  }

  /** @param {number} amount */
  setTotal(amount) {
    fit(this.#number, chips(amount), { width: 380, size: 72, least: 56, weight: 700 });
  }
}

/**
 * @param {Pot} pot
 * @param {string[]} names
 */
function named(pot, names) {
  const who = pot.seats.map((seat) => names[seat] ?? "");
  return who.length > NAMED ? `${who.slice(0, NAMED - 1).join(" · ")} + ${who.length - NAMED + 1}` : who.join(" · ");
}

class PotRow {
  #word = el("side__word");
  #amount = el("side__amount");
  #who = el("side__names");
  root = el("side", el("side__head", this.#word, this.#amount), this.#who);

  /** @param {{ word: string, amount: number, who: string, won: boolean } | null} pot */
  update(pot) {
    this.root.hidden = !pot;
    if (!pot) return;
    write(this.#word, pot.word);
    write(this.#amount, chips(pot.amount));
    mark(this.root, "won", pot.won);
    fit(this.#who, pot.who, { width: NAMES_WIDTH, size: 28 });
  }
}
