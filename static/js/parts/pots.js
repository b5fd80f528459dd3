/**
 * The pot on its brass plate, and every pot by itself with those who can win it, as soon as there are several.
 *
 * @import { State } from "../types.js"
 */

import { el, mark, write } from "../dom.js";
import { fit } from "../fit.js";
import { chips, shortNames } from "../format.js";

const ROWS = 4;
const NAMES_WIDTH = 452;

/** Pots that change by comparing. */
export class Pots {
  #number = el("pot__number");
  plate = el("pot", el("pot__word"), this.#number);
  #rows = Array.from({ length: ROWS }, () => new PotRow());
  sides = el("sides", ...this.#rows.map((row) => row.root));

  /** @param {State} state */
  update(state) {
    this.setTotal(state.pot);
    mark(this.plate, "empty", state.pot === 0);
    const several = state.pots.length > 1;
    const names = shortNames(state.seats.map((seat) => state.bots[seat.bot]?.name ?? ""));
    const awarded = new Set(state.awards.map((award) => award.pot));
    const hidden = Math.max(0, state.pots.length - ROWS);
    mark(this.sides, "rows", several ? Math.min(ROWS, state.pots.length) : "");
    this.#rows.forEach((row, at) => {
      // The last pots are the small ones of the big stacks: those come first when there is no room for all.
      const number = hidden && at > 0 ? at + hidden : at;
      const pot = several ? state.pots[number] : undefined;
      row.update(pot && { number, amount: pot.amount, names: pot.seats.map((seat) => names[seat] ?? ""), awarded });
    });
  }

  /** @param {number} amount */
  setTotal(amount) {
    fit(this.#number, chips(amount), { width: 380, size: 72, least: 56, weight: 700 });
  }
}

class PotRow {
  #word = el("side__word");
  #amount = el("side__amount");
  #names = el("side__names");
  root = el("side", el("side__head", this.#word, this.#amount), this.#names);

  /** @param {{ number: number, amount: number, names: string[], awarded: Set<number> } | undefined} pot */
  update(pot) {
    this.root.hidden = !pot;
    if (!pot) return;
    write(this.#word, pot.number ? `Side pot ${pot.number}` : "Main pot");
    write(this.#amount, chips(pot.amount));
    mark(this.root, "won", pot.awarded.has(pot.number));
    fit(this.#names, pot.names.join(" · "), { width: NAMES_WIDTH, size: 28, weight: 600 });
  }
}
