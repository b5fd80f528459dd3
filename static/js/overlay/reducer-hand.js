/**
 * Computes what the events of a hand, such as a bet, change in the picture. Also computes the size of a win. Does the
 * same as `broadcast/on_air/picture_hand.py`. No DOM, no clock.
 *
 * @import { Reducers, Seat, State, Turn, WinSize } from "../common/types.js"
 */

import { endLinesAtPot, endThoughtsOfBot, endThoughtsOfStreet, hushLines, postponeLines } from "./reducer-speech.js";
import { botsBySeat, FRESH_TABLE, newSeat, UNKNOWN_CHANCE, withStacks } from "./reducer-state.js";

/** For bots with a time bank, the picture shows a thinking time if it is at least this long. */
const LONG_THOUGHT_MS = 10_000;

/** What a new street resets at the seat of a bot that can still bet. */
const NEXT_STREET_CHANGES = /** @type {const} */ ({ street_bet: 0, act: "", fault: "", thought_ms: undefined });

/**
 * What each event of a hand changes in the previous picture. Every event also switches the screen to the table. `focus`
 * says how far the picture is zoomed in (`near`), and on which seats. `kept` is the focus that the operator holds.
 *
 * @type {Reducers}
 */
export const HAND_REDUCERS = {
  hand_started: (state, { hand, button, small_blind, big_blind, ante, stacks, banks_ms }) => ({
    ...FRESH_TABLE,
    hand: { hand, button, small_blind, big_blind, ante, street: "preflop", over: false },
    desk: state.desk.kept ? { ...state.desk, kept: FRESH_TABLE.focus } : state.desk,
    caption: "",
    seats: state.seats.map((seat, index) => {
      const stack = stacks[index] ?? 0;
      return { ...newSeat(seat.bot, stack), dealt_in: stack > 0, place: seat.place, bank_ms: banks_ms?.[index] };
    }),
  }),

  blind_posted: (state, event) => ({
    turn: null,
    pot: state.pot + event.amount,
    seats: withSeat(state, event.seat, (seat) => ({
      stack: seat.stack - event.amount,
      bet: seat.bet + (event.blind === "ante" ? 0 : event.amount),
      street_bet: event.blind === "ante" ? seat.street_bet : event.amount,
      committed: seat.committed + event.amount,
      blind: event.blind === "ante" ? seat.blind : event.blind,
      all_in: event.all_in,
    })),
  }),

  hole_dealt: (state, { seat, cards }) => ({ seats: withSeat(state, seat, () => ({ cards })) }),

  turn_started: (state, { at_ms, seat, to_call, min_raise_to, max_raise_to, think_ms }) => ({
    chat: endThoughtsOfBot(state.chat, state.seats[seat]?.bot, at_ms),
    turn: { seat, to_call, min_raise_to, max_raise_to, think_ms },
  }),

  action_taken: (state, event) => ({
    chat: endThoughtsOfBot(state.chat, state.seats[event.seat]?.bot, event.at_ms),
    turn: null,
    stakes: null,
    pot: state.pot + event.amount,
    seats: withSeat(state, event.seat, (seat) => ({
      stack: seat.stack - event.amount,
      bet: event.bet,
      street_bet: event.bet,
      committed: seat.committed + event.amount,
      folded: event.act === "fold",
      all_in: event.all_in,
      act: event.act,
      fault: event.fault ?? "",
      ...clockChanges(seat, state.turn, event.think_ms),
    })),
  }),

  seat_vacated: (state, event) => ({
    seats: withSeat(state, event.seat, (seat) => ({ stack: seat.stack - event.amount, folded: true, unseated: true })),
  }),

  bet_returned: (state, event) => ({
    pot: state.pot - event.amount,
    seats: withSeat(state, event.seat, (seat) => ({
      stack: seat.stack + event.amount,
      bet: seat.bet - event.amount,
      street_bet: 0,
      committed: seat.committed - event.amount,
      all_in: seat.all_in && event.amount === 0,
    })),
  }),

  bets_collected: (state, event) => ({
    pots: event.pots,
    seats: state.seats.map((seat) => (seat.bet ? { ...seat, bet: 0 } : seat)),
  }),

  street_dealt: (state, event) => ({
    chat: endThoughtsOfStreet(state.chat, event),
    hand: state.hand && { ...state.hand, street: event.street },
    board: [...state.board, ...event.cards],
    seats: state.seats.map((seat) =>
      seat.folded ? { ...seat, away: true } : seat.all_in ? seat : { ...seat, ...NEXT_STREET_CHANGES },
    ),
  }),

  hand_shown: (state, { seat, cards, ranking = "", best = [] }) => ({
    turn: null,
    seats: withSeat(state, seat, () => ({ cards, ranking, best })),
  }),

  hand_named: (state, { seat, ranking }) => ({ seats: withSeat(state, seat, () => ({ ranking })) }),

  equities_changed: (state, event) => {
    const chanceBySeat = new Map(event.chances.map(({ seat, win, tie }) => [seat, { win, tie }]));
    return { seats: state.seats.map((seat, index) => ({ ...seat, ...(chanceBySeat.get(index) ?? UNKNOWN_CHANCE) })) };
  },

  stakes_shown: (state, event) => ({
    chat: postponeLines(state.chat, event),
    stakes: { seat: event.seat, outcomes: event.outcomes },
  }),

  focus_changed: (state, event) => ({
    chat: event.silent ? hushLines(state.chat, event) : state.chat,
    focus: { near: event.near, seats: event.seats, seat: event.seat, role: event.role },
  }),

  pot_awarded: (state, event) => {
    const seats = state.seats.map((seat, index) => {
      const amount = event.awards.reduce((sum, award) => sum + (award.seat === index ? award.amount : 0), 0);
      return { ...seat, stack: seat.stack + amount, won: seat.won + amount, ...UNKNOWN_CHANCE };
    });
    const pot = state.pot - event.amount;
    return {
      chat: endLinesAtPot(state.chat, event),
      turn: null,
      pot,
      awards: [...state.awards, { pot: event.pot, amount: event.amount, awards: event.awards }],
      lit: [...new Set(event.awards.flatMap((award) => state.seats[award.seat]?.best ?? []))],
      seats,
      win: winSize(state, seats, pot),
      wins: state.wins + 1,
    };
  },

  hand_ended: (state, event) => ({
    turn: null,
    hand: state.hand && { ...state.hand, over: true },
    bots: withStacks(state.bots, botsBySeat(state), event.stacks),
    seats: state.seats.map((seat, index) => ({ ...seat, stack: event.stacks[index] ?? 0 })),
  }),
};

/**
 * Returns the fields that change at a seat with a clock when its bot has thought for `think_ms` milliseconds. Each
 * decision has its own time, and after this time the bot uses its time bank. If the bot decides within the decision's
 * own time, its time bank stays the same.
 *
 * @type {(seat: Seat, turn: Turn | null, think_ms: number) => Partial<Seat>}
 */
function clockChanges({ bank_ms: bank }, turn, think_ms) {
  if (bank === undefined || !turn) return {};
  const bankLeft = Math.max(0, Math.min(bank, turn.think_ms - think_ms));
  return { bank_ms: bankLeft, thought_ms: think_ms >= LONG_THOUGHT_MS ? think_ms : undefined };
}

/** @type {(state: State, changedSeat: number, change: (seat: Seat) => Partial<Seat>) => Seat[]} */
function withSeat(state, changedSeat, change) {
  return state.seats.map((seat, index) => (index === changedSeat ? { ...seat, ...change(seat) } : seat));
}

/**
 * Returns the size of a win: "nod" for a small pot that nobody contested, then "win", "burst" and "screen". `seats` and
 * `pot` are those after the win. The size is "screen" if the winner takes another bot's last chips, or if a large pot
 * gives the winner the lead in the last stage.
 *
 * @type {(state: State, seats: Seat[], pot: number) => WinSize}
 */
function winSize(state, seats, pot) {
  const sum = (/** @type {(seat: Seat) => number} */ chipsOf) => seats.reduce((all, seat) => all + chipsOf(seat), 0);
  const chips = pot + sum((seat) => seat.stack);
  const amount = sum((seat) => seat.won);
  if (!pot && seats.some((seat) => seat.committed && !seat.stack)) return "screen";
  if (amount * 10 >= chips) return !pot && hasLeadChanged(state, seats) ? "screen" : "burst";
  const isContested = seats.filter((seat) => seat.dealt_in && !seat.folded).length > 1;
  const isWalk = seats.every((seat) => !seat.act || seat.act === "fold");
  return !isContested && (isWalk || amount * 40 < chips) ? "nod" : "win";
}

/** Whether the lead changes in the stage that decides the title. @type {(state: State, seats: Seat[]) => boolean} */
function hasLeadChanged({ stage, bots }, seats) {
  if (!stage || stage.advance) return false;
  const stacksBefore = seats.map((seat) => (bots[seat.bot] ?? seat).stack);
  const stacksAfter = seats.map((seat) => seat.stack);
  const leaderStack = Math.max(...stacksAfter);
  return (
    (stacksBefore[stacksAfter.indexOf(leaderStack)] ?? 0) < Math.max(...stacksBefore) &&
    stacksAfter.filter((each) => each === leaderStack).length === 1
  );
}
