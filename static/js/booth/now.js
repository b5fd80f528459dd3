/**
 * The hand that is on: board, pot, who holds what with which chance, and what the bot to act has to pay.
 *
 * @import { Card, Seat, State, Turn } from "../common/types.js"
 */

import { byId, el, mark, write } from "../common/dom.js";
import { chips, percent, plateOf, printedRank, sentence } from "../common/format.js";
import { suitShape } from "../overlay/parts/shapes.js";

const BOARD = 5;
/** @type {Record<string, string>} */
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

/** The part of the page that tells the hand. */
export class Now {
  /** @param {State} state */
  update(state) {
    const { hand, board, pot, seats, caption } = state;
    write(byId("street"), hand ? `Now · ${hand.over ? "over" : hand.street}` : "Now");
    write(byId("pot"), pot ? `Pot ${chips(pot)}` : "");
    byId("board").replaceChildren(...Array.from({ length: BOARD }, (_, at) => face(board[at] ?? "")));
    byId("board").setAttribute("aria-label", `Board: ${spoken(board) || "no cards yet"}`);
    byId("players").replaceChildren(...inOrder(seats).map((seat) => player(seat, state)));
    write(byId("caption"), caption);
    this.#act(state);
  }

  /** @param {State} state */
  #act({ turn, seats, bots }) {
    const seat = turn && seats[turn.seat];
    byId("act").hidden = !seat;
    if (!turn || !seat) return;
    const name = el("bdi.", bots[seat.bot]?.name ?? "");
    const needs = percent(neededToCall(seats, turn));
    const words = turn.to_call ? `${chips(turn.to_call)} to call · needs ${needs}` : "can check";
    byId("act").replaceChildren(el("b.", name), el("span.", words));
  }
}

/**
 * The part of the pots that a call has to win at least to cost nothing, in tenths of a percent. Chips that the caller
 * cannot win, because others have put in more than it then has, do not count.
 *
 * @param {Pick<Seat, "committed">[]} seats
 * @param {Pick<Turn, "seat" | "to_call">} turn
 */
export function neededToCall(seats, { seat, to_call }) {
  const most = (seats[seat]?.committed ?? 0) + to_call;
  const all = seats.reduce((sum, { committed }) => sum + Math.min(committed, most), to_call);
  return all ? Math.round((1000 * to_call) / all) : 0;
}

/**
 * Those who play on first, the likeliest winner at the top.
 *
 * @param {Seat[]} seats
 */
function inOrder(seats) {
  const rank = (/** @type {Seat} */ seat) => (isIn(seat) ? 1 + (seat.win ?? 0) : 0);
  return seats.filter((seat) => !seat.unseated).sort((one, other) => rank(other) - rank(one));
}

/** @param {Seat} seat */
function isIn(seat) {
  return seat.dealt_in && !seat.folded;
}

/**
 * @param {Seat} seat
 * @param {State} state
 */
function player(seat, { seats, bots, turn }) {
  const bot = bots[seat.bot];
  const mine = turn && seats[turn.seat] === seat ? turn : null;
  const { label } = plateOf(seat, mine, bot?.presence === "lost");
  const name = el("bdi.player__name", bot?.name ?? "");
  const held = el("span.player__cards", ...seat.cards.map(face));
  held.setAttribute("role", "img");
  held.setAttribute("aria-label", spoken(seat.cards) || "no cards");
  const words = [seat.won ? `Won ${chips(seat.won)}` : label, `${chips(seat.stack)} chips`];
  const told = el("span.player__words", words.filter(Boolean).map(sentence).join(" · "));
  const root = el("li.player", name, told, held, el("b.", seat.win === null ? "" : percent(seat.win)));
  mark(root, "quiet", !isIn(seat));
  mark(root, "turn", mine !== null);
  return root;
}

/** @param {Card | ""} card */
function face(card) {
  const root = card ? el("span.face", printedRank(card), suitShape(card.charAt(1))) : el("span.face");
  mark(root, "suit", card.charAt(1));
  return root;
}

/** @param {Card[]} cards */
function spoken(cards) {
  return cards.map((card) => `${printedRank(card)} of ${SUITS[card.charAt(1)] ?? ""}`).join(", ");
}
