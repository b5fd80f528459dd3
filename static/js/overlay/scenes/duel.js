/**
 * An elimination: the bot that is out faces the winners of its last chips. In between are the board, the loser's cards
 * and, if there is only one winner, the winner's cards.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { Duel, Seat, State } from "../../common/types.js"
 */

import { el, position, redraw, setData } from "../../common/dom.js";
import { fitText } from "../../common/fit-text.js";
import { capitalize } from "../../common/format.js";
import { Board, CardPart } from "../parts/card.js";
import { bulletHoles, duskHill } from "../parts/scenery.js";
import { Poster } from "../seat/poster.js";
import { posterShape } from "./lineup.js";

/** The boxes of the loser and of one or two winners, and the left edges of their hands. */
const LAYOUTS = {
  wide: {
    loser: { left: 130, top: 204, width: 400, height: 580 },
    winners: [
      [{ left: 1390, top: 204, width: 400, height: 580 }],
      [
        { left: 1202, top: 254, width: 300, height: 480 },
        { left: 1516, top: 254, width: 300, height: 480 },
      ],
    ],
    hands: [560, 1090],
  },
  tall: {
    loser: { left: 36, top: 246, width: 346, height: 400 },
    winners: [
      [{ left: 398, top: 246, width: 346, height: 400 }],
      [
        { left: 398, top: 246, width: 346, height: 320 },
        { left: 398, top: 586, width: 346, height: 320 },
      ],
    ],
    hands: [74, 436],
  },
};

/** The scene that is shown when a bot is out of chips. */
export class DuelScene {
  #layout;
  #postersAndHands = el("duel__ring");
  #board = new Board();
  /** @type {Poster | null} */
  loser = null;
  /** @type {Poster[]} */
  winners = [];

  /** @param {Size} size */
  constructor(size) {
    this.#layout = LAYOUTS[size.shape];
    const words = [el("duel__title"), el("duel__word", "VS")];
    this.root = el("scene scene--duel", duskHill(size), ...words, this.#board.root, this.#postersAndHands);
  }

  /** @param {State} state */
  update(state) {
    const { duel, seats, board, lit } = state;
    if (!duel) return;
    setData(this.root, "shared", duel.by.length > 1);
    this.#board.update(board, lit);
    const bots = [duel.bot, ...duel.by].map((bot) => state.bots[bot]);
    redraw(this.#postersAndHands, [duel, seats, board, bots], () => this.#drawPosters(state, duel));
  }

  /** @type {(state: State, duel: Duel) => HTMLElement[]} */
  #drawPosters(state, duel) {
    const seatOf = (/** @type {number} */ bot) => state.seats.find((seat) => seat.bot === bot);
    const { loser, winners, hands: lefts } = this.#layout;
    const takers = duel.by.slice(0, winners.length);
    this.loser = new Poster(posterShape(loser), 1);
    this.loser.update({ stack: 0, place: duel.place, won: 0 }, state.bots[duel.bot]);
    this.loser.photo.append(bulletHoles());
    setData(this.loser.root, "fallen", true);
    this.winners = takers.map((bot, index) => {
      const poster = new Poster(posterShape(winners[takers.length - 1]?.[index] ?? loser), index + 2);
      poster.update({ stack: seatOf(bot)?.stack ?? 0, place: 0, won: 1 }, state.bots[bot]);
      return poster;
    });
    const hands = [seatOf(duel.bot), takers.length === 1 ? seatOf(takers[0] ?? 0) : undefined];
    const shown = hands.flatMap((seat, index) =>
      seat?.cards.length ? [handOf(seat, lefts[index] ?? 0, state.lit)] : [],
    );
    return [this.loser.root, ...this.winners.map((poster) => poster.root), ...shown];
  }
}

/** A seat's two cards, and the hand that they made. @type {(seat: Seat, left: number, lit: string[]) => HTMLElement} */
function handOf(seat, left, lit) {
  const cards = seat.cards.map((card) => {
    const part = new CardPart();
    part.update(card, seat.won && lit.includes(card) ? "lit" : seat.won ? "" : "dim", card === "");
    return part.root;
  });
  const label = el("duel__made");
  fitText(label, capitalize(seat.ranking), { width: 270, size: 34, lines: 2 });
  setData(label, "won", seat.won > 0);
  label.hidden = !seat.ranking;
  const root = el("duel__hand", el("duel__cards", ...cards), label);
  position(root, { left });
  return root;
}
