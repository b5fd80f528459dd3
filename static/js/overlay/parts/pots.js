/**
 * The pot on its brass plate, and every pot by itself with those who can win it, as soon as there are several.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { Pot, State } from "../../common/types.js"
 */

import { el, mark, write } from "../../common/dom.js";
import { fit } from "../../common/fit-text.js";
import { chips, counted, shortNames } from "../../common/format.js";

const ROWS = 3;
const NAMED = 6;
/**
 * Room for what can win a side pot; for the winner's name between the studs of the plate, the usual one and the one for
 * two; for the sum, alone and beside side pots; letters of sum and winner.
 */
const ROOMS = {
  wide: { names: 436, winner: 340, winnerOfTwo: 246, total: 350, least: 350, size: 72, pair: 44 },
  tall: { names: 160, winner: 340, winnerOfTwo: 340, total: 350, least: 190, size: 62, pair: 34 },
};

/** The pots. `update` changes only those of its elements that show something else now. */
export class Pots {
  #room;
  #winner = "";
  #several = false;
  #number = el("pot__number");
  #main = el("pot__main");
  plate = el("pot", el("pot__word"), this.#number, this.#main);
  #rows;

  /** @param {Size} size */
  constructor({ shape }) {
    this.#room = ROOMS[shape];
    this.#rows = Array.from({ length: ROWS }, () => new PotRow(this.#room.names));
    this.sides = el("sides", ...this.#rows.map((row) => row.root));
  }

  /** @param {State} state */
  update(state) {
    this.#winner = winnerOf(state);
    const [main, ...sides] = state.pots;
    const several = sides.length > 0 && state.pot > 0;
    this.#several = several;
    mark(this.plate, "won", this.#winner !== "");
    mark(this.plate, "empty", state.pot === 0 && !this.#winner);
    if (this.#winner)
      fit(this.#number, this.#winner, {
        width: state.seats.length === 2 ? this.#room.winnerOfTwo : this.#room.winner,
        size: 56,
        least: 32,
        pair: this.#room.pair,
        lines: 2,
        weight: 700,
      });
    else this.setTotal(state.pot);
    const names = shortNames(state.seats.map((seat) => state.bots[seat.bot]?.name ?? ""));
    const awarded = new Set(state.awards.map((award) => award.pot));
    const shown = several && main && !awarded.has(0);
    this.#main.hidden = !shown;
    write(this.#main, shown ? `Main pot ${chips(main.amount)}` : "");
    // With more side pots than rows the first ones, which most can win, are told; the rest are summed up in the last.
    const rows = sides.length > ROWS ? ROWS - 1 : ROWS;
    this.#rows.forEach((row, at) => {
      const pot = several ? sides[at] : undefined;
      if (!pot) row.update(null);
      else if (at < rows) {
        row.update({
          word: `Side pot ${at + 1}`,
          amount: pot.amount,
          who: named(pot, names),
          won: awarded.has(at + 1),
        });
      } else {
        const rest = sides.slice(at);
        const amount = rest.reduce((sum, each) => sum + each.amount, 0);
        row.update({ word: `${rest.length} more side pots`, amount, who: "", won: false });
      }
    });
  }

  /** @param {number} amount shown unless the plate names the winner */
  setTotal(amount) {
    if (this.#winner) return;
    const { least, total, size } = this.#room;
    fit(this.#number, chips(amount), { width: this.#several ? least : total, size, least: 44, weight: 700 });
  }
}

/**
 * Who has taken everything, once nothing is left in the middle.
 *
 * @param {State} state
 */
function winnerOf(state) {
  if (state.pot || !state.awards.length) return "";
  const seats = [...new Set(state.awards.flatMap((award) => award.awards.map((each) => each.seat)))];
  const names = seats.map((seat) => state.bots[state.seats[seat]?.bot ?? 0]?.name ?? "");
  if (names.length > 2) return `Split ${counted(names.length)} ways`;
  return names.length > 1 ? shortNames(names).join(" & ") : (names[0] ?? "");
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
  #width;
  #word = el("side__word");
  #amount = el("side__amount");
  #who = el("side__names");
  root = el("side", el("side__head", this.#word, this.#amount), this.#who);

  /** @param {number} width for the names */
  constructor(width) {
    this.#width = width;
  }

  /** @param {{ word: string, amount: number, who: string, won: boolean } | null} pot */
  update(pot) {
    this.root.hidden = !pot;
    if (!pot) return;
    write(this.#word, pot.word);
    write(this.#amount, chips(pot.amount));
    mark(this.root, "won", pot.won);
    fit(this.#who, pot.who, { width: this.#width, size: 28 });
  }
}
