/**
 * One seat at the table: poster, cards, badges, the plate with the bot's action, the fuse that burns during the bot's
 * turn and, if the bot has a time bank, a clock.
 *
 * @import { Bot, Hand, Seat, State, Turn } from "../../common/types.js"
 * @import { SeatKind } from "./seat-kinds.js"
 * @typedef {{ seat: Seat, bot: Bot | undefined, hand: Hand | null, at: number, turn: Turn | null, lit: string[],
 *   showdown: boolean, speaks: boolean, leads: boolean, carries: boolean, head: string, bots: State["bots"] }} SeatView
 *   `carries`: the seat's bot has a role in the hand, such as favourite; `lit`: the cards of the winning hands
 */

import { el, position, setData, setText } from "../../common/dom.js";
import { BOLD_FONT, fitText } from "../../common/fit-text.js";
import { chips, clockOf, plateOf } from "../../common/format.js";
import { CardPart } from "../parts/card.js";
import { buttonStar, spark } from "../parts/shapes.js";
import { PlatePart } from "./action-plate.js";
import { Poster } from "./poster.js";
import { shapeOf } from "./seat-kinds.js";

/** The height of a clock. The photo above the clock shrinks by this height. */
const CLOCK_HEIGHT = 32;
/** A clock is shown only if the room for its text is wider than this. */
const MIN_CLOCK_WIDTH = 42;
/** If the room is at least this wide, the word "thought" stands before the time. */
const MIN_WORDED_WIDTH = 150;

/** A seat; `update` redraws only the parts that have changed. */
export class SeatPart {
  #wonFont;
  #clockFont;

  /**
   * @param {SeatKind} kind
   * @param {{ left: number, top: number, width: number, height: number }} box
   * @param {{ at: number, mirrored: boolean, flipped: boolean, corner: string }} placement `corner`: the corner that
   *   stays in place when the seat shrinks
   */
  constructor(kind, box, placement) {
    const shape = shapeOf(kind, box, placement);
    this.#wonFont = { width: shape.plate.width - 16, size: shape.won, weight: 700 };
    const { left, top, width, height } = shape.photo;
    this.#clockFont = { ...BOLD_FONT, width: width - 8, size: 30 };
    this.poster = new Poster(shape, placement.at);
    this.cards = [new CardPart(), new CardPart()];
    this.plate = new PlatePart(shape.plate);
    this.won = el("seat__won");
    this.button = el("badge badge--button", buttonStar());
    this.blind = el("badge badge--blind");
    this.hole = el("seat__cards", ...this.cards.map((card) => card.root));
    this.badges = el("seat__badges", this.button, this.blind);
    this.fuse = el("fuse", el("fuse__rope"), el("fuse__spark", spark()));
    this.root = el(
      `seat seat--${kind}`,
      ...[this.poster.root, ...this.poster.beside, this.hole, this.badges, this.plate.root, this.won, this.fuse],
      ...[this.poster.stamp, this.poster.star],
    );
    if (placement.mirrored) setData(this.root, "mirrored", true);
    position(this.root, box);
    this.root.style.transformOrigin = placement.corner;
    position(this.hole, shape.cards);
    position(this.badges, shape.badges);
    position(this.plate.root, shape.plate);
    position(this.won, shape.plate);
    position(this.fuse, shape.fuse);
    this.clock = el("clock");
    position(this.clock, { left, top: top + height - CLOCK_HEIGHT, width, height: CLOCK_HEIGHT });
    this.poster.root.append(this.clock);
    this.poster.photo.style.setProperty("--clocked", `${1 - CLOCK_HEIGHT / height}`);
  }

  /** @param {SeatView} view */
  update(view) {
    const { seat, bot, hand, at: seatIndex, turn, lit } = view;
    const ownTurn = turn?.seat === seatIndex ? turn : null;
    setData(this.root, "state", stateOf(seat, ownTurn, hand));
    setData(this.root, "speaks", view.speaks);
    setData(this.root, "carries", view.carries);
    setData(this.root, "away", seat.away && !seat.won);
    const hasBadge = hand?.button === seatIndex || seat.blind !== "";
    this.poster.update(seat, bot, { ...view, badged: hasBadge });
    this.cards.forEach((part, number) => {
      const card = seat.cards[number];
      part.update(card ?? "", lightOf(seat, card ?? "", lit), card === "");
      part.root.hidden = card === undefined;
    });
    this.button.hidden = hand?.button !== seatIndex;
    this.blind.hidden = !seat.blind;
    setText(this.blind, seat.blind === "small" ? "SB" : "BB");
    setData(this.blind, "blind", seat.blind);
    this.plate.update(plateOf(seat, ownTurn, bot?.presence === "lost", view.showdown));
    fitText(this.won, seat.won ? `WINS ${chips(seat.won)}` : "", this.#wonFont);
    this.won.hidden = !seat.won;
    this.fuse.hidden = !ownTurn;
    const hasClock = seat.bank_ms !== undefined && this.#clockFont.width > MIN_CLOCK_WIDTH;
    setData(this.root, "clock", hasClock);
    this.clock.hidden = !hasClock;
    fitText(this.clock, clockOf(seat, ownTurn, this.#clockFont.width >= MIN_WORDED_WIDTH), this.#clockFont);
  }
}

/** @type {(seat: Seat, turn: Turn | null, hand: Hand | null) => string} */
function stateOf(seat, turn, hand) {
  if (seat.place || (hand && !seat.dealt_in)) return "out";
  if (seat.won) return "winner";
  if (seat.folded) return "folded";
  return turn ? "turn" : "";
}

/** @type {(seat: Seat, card: string, lit: string[]) => "" | "lit" | "dim"} */
function lightOf(seat, card, lit) {
  if (seat.folded) return "";
  if (lit.length) return lit.includes(card) && seat.won ? "lit" : "dim";
  return seat.best.length && !seat.best.includes(card) ? "dim" : "";
}
