/**
 * The table: seats around it, the board and the pots in its middle.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { Chat, Seat, State } from "../../common/types.js"
 * @import { SeatBox } from "./layout.js"
 */

import { el, position, setData } from "../../common/dom.js";
import { isShowdown } from "../../common/format.js";
import { AtStake } from "../parts/at-stake.js";
import { Board } from "../parts/card.js";
import { Pots } from "../parts/pots.js";
import { tableTop, WinRays } from "../parts/scenery.js";
import { Speaker } from "../parts/speaker.js";
import { headOf, roleOf } from "../seat/poster-head.js";
import { SeatPart } from "../seat/seat.js";
import { layoutFor, tallLayoutFor } from "./layout.js";

/** The scene of a hand. */
export class TableScene {
  #size;
  board = new Board();
  pots;
  #atStake = new AtStake();
  #speaker;
  /** @type {SeatPart[]} */
  seats = [];
  #ring = el("ring");
  #winRays = new WinRays();
  /** The layer between table and seats, with a veil, rays and particles while a bot wins. */
  behind = el("behind", el("behind__veil"), this.#winRays.root);
  #seatingKey = "";
  /** Whether two seats fill the picture. The panels are then below the board. */
  #hasLargeSeats = false;
  /** @type {SeatBox[]} */
  #boxes = [];
  /** @type {HTMLElement[]} the seats that the latest picture has moved */
  moved = [];

  /** @param {Size} size */
  constructor(size) {
    this.#size = size;
    this.pots = new Pots(size);
    this.#speaker = new Speaker(size);
    const middle = [this.pots.plate, this.board.root, this.#atStake.root, this.#speaker.root];
    this.root = el("scene scene--table", tableTop(size), this.#speaker.dottedLine, this.behind, this.#ring, ...middle);
  }

  /**
   * @param {State} state
   * @param {Chat | null} line the current spoken line
   */
  update(state, line) {
    this.#placeSeats(state);
    setData(this.root, "final", state.stage?.advance === 0 && state.stage.stage > 1);
    this.board.update(state.board, state.lit);
    this.pots.update(state, this.#hasLargeSeats);
    const speakerSeat = state.seats.findIndex((seat) => seat.bot === line?.bot);
    // A thought (only thoughts have `checked`) stays until it has been read. Other lines give way to what is at stake.
    const stakes = line?.checked ? null : state.stakes;
    this.#atStake.update({ ...state, stakes }, this.#hasLargeSeats);
    const isCovered = stakes || (this.#size.shape === "tall" && state.desk.trouble);
    const speech = isCovered ? null : line;
    const bot = state.bots[line?.bot ?? 0];
    this.#speaker.update(speech, bot, this.#boxes[speakerSeat], this.#hasLargeSeats);
    const winners = state.seats.filter((seat) => seat.won);
    setData(this.root, "won", state.win);
    this.#winRays.update(state.wins);
    // The rays shine from behind the winner's seat, or from behind the board if several bots share the pot.
    const winnerBox = winners.length === 1 ? this.#boxes[state.seats.findIndex((seat) => seat.won)] : undefined;
    const { x, y } = this.#size.deck;
    const left = winnerBox ? winnerBox.left + winnerBox.width / 2 : x;
    const top = winnerBox ? winnerBox.top + winnerBox.height / 2 : y;
    if (winners.length) position(this.#winRays.root, { left, top });
    const showdown = isShowdown(state);
    const best = Math.max(...state.seats.map(chanceValue));
    state.seats.forEach((seat, index) => {
      const bot = state.bots[seat.bot];
      const { hand, turn, lit, bots } = state;
      const leads = best > 0 && chanceValue(seat) === best;
      const carries = roleOf(state, index) !== "";
      const head = headOf(state, index);
      const speaks = speech !== null && index === speakerSeat;
      this.seats[index]?.update({
        seat,
        bot,
        hand,
        at: index,
        turn,
        lit,
        showdown,
        leads,
        speaks,
        carries,
        head,
        bots,
      });
    });
  }

  /** Builds the seats again if their boxes or bots have changed. @param {State} state */
  #placeSeats(state) {
    // The operator can show the whole table (a `view`), or keep the picture's focus of an earlier moment (`kept`).
    const { view, kept } = state.desk;
    const focus = view === "table" ? { ...state.focus, near: /** @type {const} */ ("table") } : (kept ?? state.focus);
    const tall = this.#size.shape === "tall";
    const boxes = tall ? tallLayoutFor(state.seats, focus) : layoutFor(state.seats.length, focus);
    const seatingKey = JSON.stringify([boxes, state.seats.map((seat) => seat.bot)]);
    this.moved = [];
    if (seatingKey === this.#seatingKey) return;
    const before = this.#boxes;
    this.#seatingKey = seatingKey;
    this.#boxes = boxes;
    this.#hasLargeSeats = boxes.some((box) => box.kind === "large");
    setData(this.root, "layout", this.#hasLargeSeats ? "large" : "");
    this.seats = boxes.slice(0, state.seats.length).map(({ kind, mirrored, flipped, ...box }, index) => {
      const [x, y] = [(box.left + box.width / 2) / this.#size.width, (box.top + box.height / 2) / this.#size.height];
      const corner = `${x < 0.4 ? 0 : x > 0.6 ? 100 : 50}% ${y < 0.5 ? 0 : 100}%`;
      return new SeatPart(kind, box, { at: index, mirrored, flipped, corner });
    });
    this.#ring.replaceChildren(...this.seats.map((seat) => seat.root));
    before.forEach((from, index) => {
      const [to, seat] = [boxes[index], this.seats[index]];
      const isSame = to?.left === from.left && to.top === from.top && to.width === from.width;
      if (seat && !isSame) this.moved.push(seat.root);
    });
  }
}

/** Returns the value of a seat's chances. A tie counts as half a win. @param {Seat} seat */
function chanceValue(seat) {
  return (seat.win ?? 0) + (seat.tie ?? 0) / 2;
}
