/**
 * The table: seats around the felt, the board and the pots in its middle.
 *
 * @import { Shape } from "../settings.js"
 * @import { State } from "../types.js"
 * @import { SeatBox } from "./layout.js"
 */

import { el, mark } from "../dom.js";
import { Board } from "../parts/board.js";
import { Pots } from "../parts/pots.js";
import { SeatPart } from "../parts/seat.js";
import { tableTop } from "../parts/table-top.js";
import { layoutFor } from "./layout.js";
import { uprightFor } from "./upright.js";

/** The scene of a hand. */
export class TableScene {
  #shape;
  board = new Board();
  pots;
  /** @type {SeatPart[]} */
  seats = [];
  #ring = el("ring");
  #seated = "";
  /** @type {SeatBox[]} */
  #boxes = [];
  /** @type {{ root: HTMLElement, from: SeatBox, to: SeatBox }[]} seats that this picture has moved elsewhere */
  moved = [];

  /** @param {Shape} shape */
  constructor(shape) {
    this.#shape = shape;
    this.pots = new Pots(shape);
    this.root = el(
      "scene scene--table",
      tableTop(shape),
      this.pots.plate,
      this.board.root,
      this.pots.sides,
      this.#ring,
    );
  }

  /**
   * @param {State} state
   * @param {Map<number, string>} said what each bot says now
   */
  update(state, said) {
    this.#seat(state);
    mark(this.root, "final", state.stage?.advance === 0 && state.stage.stage > 1);
    this.board.update(state.board, state.lit);
    this.pots.update(state);
    mark(this.root, "sides", state.pots.length > 1 && state.pot > 0);
    const best = Math.max(...state.seats.map(standing));
    state.seats.forEach((seat, at) => {
      const bot = state.bots[seat.bot];
      const { hand, turn, lit } = state;
      const leads = best > 0 && standing(seat) === best;
      this.seats[at]?.update({ seat, bot, hand, at, turn, lit, leads, said: said.get(seat.bot) ?? "" });
    });
  }

  /** @param {State} state */
  #seat(state) {
    const boxes = this.#shape === "tall" ? uprightFor(state.seats) : layoutFor(state.seats.length);
    const seated = state.seats.map((seat) => seat.bot).join(" ");
    const before = seated === this.#seated ? this.#boxes : [];
    this.moved = [];
    if (before.length && boxes.every((box, at) => isSame(box, before[at]))) return;
    this.#seated = seated;
    this.#boxes = boxes;
    mark(this.root, "layout", boxes[0]?.kind ?? "");
    this.seats = boxes.slice(0, state.seats.length).map(({ kind, mirrored, ...box }, at) => {
      return new SeatPart(kind, box, { at, mirrored });
    });
    this.#ring.replaceChildren(...this.seats.map((seat) => seat.root));
    before.forEach((from, at) => {
      const [to, seat] = [boxes[at], this.seats[at]];
      if (to && seat && !isSame(to, from)) this.moved.push({ root: seat.root, from, to });
    });
  }
}

/**
 * @param {SeatBox} box
 * @param {SeatBox | undefined} other
 */
function isSame(box, other) {
  return box.left === other?.left && box.top === other.top && box.width === other.width && box.height === other.height;
}

/**
 * How good a seat's chances are; half of a tie is its own.
 *
 * @param {import("../types.js").Seat} seat
 */
function standing(seat) {
  return (seat.win ?? 0) + (seat.tie ?? 0) / 2;
}
