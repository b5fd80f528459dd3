/**
 * How each event changes a hand.
 *
 * @import { Happening } from "./events.js"
 * @import { Hand } from "./hand.js"
 */

import { lapOf } from "./hand.js";

/**
 * Takes in an event that follows from the rules.
 *
 * @param {Hand} hand
 * @param {Happening} event
 */
export function evolveHand(hand, event) {
  CHANGES[event.type]?.(hand, event);
}

/** @type {Record<string, (hand: Hand, event: Happening) => void>} */
const CHANGES = {
  blind_posted: posted,
  hole_dealt: (hand, { seat, cards }) => {
    hand.seats[seat].cards = cards;
  },
  turn_started: (hand, turn) => {
    hand.lap = lapOf(hand, turn.seat);
    hand.turn = turn;
  },
  action_taken: acted,
  seat_vacated: (hand, { seat, amount }) => {
    hand.seats[seat].stack -= amount;
    hand.seats[seat].folded = true;
    hand.vacated += amount;
    [hand.due, hand.passed] = ["big", seat];
  },
  bet_returned: (hand, { seat, amount }) => {
    const mine = hand.seats[seat];
    mine.stack += amount;
    mine.bet -= amount;
    mine.committed -= amount;
  },
  bets_collected: (hand, { pots }) => {
    for (const seat of hand.seats) seat.bet = 0;
    [hand.pots, hand.currentBet] = [pots, 0];
  },
  street_dealt: (hand, { street, cards }) => {
    for (const seat of hand.seats) seat.acted = false;
    hand.board.push(...cards);
    Object.assign(hand, { street, due: "", currentBet: 0, lastRaise: hand.bigBlind, lap: 1, lastActor: -1 });
  },
  pot_awarded: (hand, { awards }) => {
    for (const { seat, amount } of awards) hand.seats[seat].stack += amount;
  },
  hand_ended: (hand) => {
    [hand.over, hand.turn] = [true, null];
  },
};

/**
 * @param {Hand} hand
 * @param {Happening} event
 */
function posted(hand, { seat, blind, amount }) {
  const mine = hand.seats[seat];
  mine.stack -= amount;
  if (blind === "ante" && hand.rules.ante_from === "big_blind") {
    hand.dead += amount;
    return;
  }
  mine.committed += amount;
  if (blind === "ante") return;
  mine.bet += amount;
  if (amount) hand.currentBet = hand.bigBlind; // in full, even if posted short
  if (hand.due && amount) answered(hand, seat, blind);
}

/**
 * A blind that was asked for is there; with the big blind the betting begins.
 *
 * @param {Hand} hand
 * @param {number} seat
 * @param {string} blind
 */
function answered(hand, seat, blind) {
  [hand.passed, hand.turn, hand.due] = [seat, null, blind === "small" ? "big" : ""];
  if (blind === "big") [hand.closing, hand.lap, hand.lastActor] = [seat, 1, -1];
}

/**
 * @param {Hand} hand
 * @param {Happening} event
 */
function acted(hand, { seat, act, amount, bet, fault }) {
  const mine = hand.seats[seat];
  const raisedBy = bet - hand.currentBet;
  mine.stack -= amount;
  mine.bet = bet;
  mine.committed += amount;
  mine.folded = act === "fold";
  mine.acted = true;
  if (fault && hand.rules.fault_costs === "game") [hand.forfeited, hand.fault] = [seat, fault];
  [hand.turn, hand.lastActor] = [null, seat];
  if (raisedBy > 0) raised(hand, seat, raisedBy);
}

/**
 * A full raise lets everybody act again.
 *
 * @param {Hand} hand
 * @param {number} seat
 * @param {number} by
 */
function raised(hand, seat, by) {
  if (hand.rules.min_raise === "one_chip" || by >= hand.lastRaise) {
    for (const [other, each] of hand.seats.entries()) each.acted = other === seat;
  }
  hand.aggressor = seat;
  hand.currentBet = hand.seats[seat].bet;
  hand.lastRaise = Math.max(hand.lastRaise, by);
}
