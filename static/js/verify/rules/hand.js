/**
 * A hand of poker at one moment, and how an event changes it. What follows from a decision is in `decide.js`.
 *
 * @import { Happening } from "./events.js"
 * @import { Deck } from "./shuffle.js"
 * @typedef {Record<string, any>} Rules
 * @typedef {{ stack: number, bet: number, committed: number, cards: readonly string[], dealtIn: boolean,
 *   folded: boolean, acted: boolean }} Seat `bet` on this street, `committed` in this hand
 * @typedef {{ amount: number, seats: number[] }} Pot
 */

export class Hand {
  street = "preflop";
  /** @type {string[]} */
  board = [];
  currentBet = 0;
  lap = 1;
  lastActor = -1;
  /** The seat that raised last; -1: nobody has. */
  aggressor = -1;
  /** The seat that was asked for a blind last. */
  passed = -1;
  /** Chips of the pot that are nobody's bet: an ante for all. */
  dead = 0;
  /** Chips that left the table with the bots that were unseated. */
  vacated = 0;
  /** The seat whose fault cost it the game, where faults cost that; -1: nobody's. */
  forfeited = -1;
  fault = "";
  /** @type {Happening | null} */
  turn = null;
  /** @type {Pot[]} */
  pots = [];
  over = false;

  /**
   * The hand right after its start, before any blind.
   *
   * @param {Rules} rules
   * @param {Happening} started
   * @param {Deck} deck
   */
  constructor(rules, started, deck) {
    this.rules = rules;
    this.deck = deck;
    this.button = started.button;
    this.smallBlind = started.small_blind;
    this.bigBlind = started.big_blind;
    this.ante = started.ante;
    /** @type {number[]} */
    const stacks = started.stacks;
    /** @type {Seat[]} */
    this.seats = stacks.map((stack) => ({
      ...{ stack, bet: 0, committed: 0, cards: [], dealtIn: stack > 0, folded: false, acted: false },
    }));
    this.lastRaise = started.big_blind;
    if (rules.edition > 1) this.currentBet = started.big_blind;
    /** The blind that is asked for next, where blinds are asked for. */
    this.due = rules.blinds === "asked" ? "small" : "";
    /** The seat that closes the betting before the flop: the big blind's. */
    this.closing = blindSeats(rules, this.button, stacks)[1];
  }

  /** The seats that can still win the pot. */
  get live() {
    return [...this.seats.keys()].filter((at) => this.seats[at].dealtIn && !this.seats[at].folded);
  }

  /** All seats in betting order before the flop: under the gun first, big blind last. */
  get order() {
    return circleFrom(this.closing + 1, this.seats.length);
  }
}

/**
 * The forced bets of the hand of that number; the last level stays for good.
 *
 * @param {Rules} rules
 * @param {number} hand
 * @returns {{ small: number, big: number, ante: number }}
 */
export function levelOf(rules, hand) {
  const each = rules.hands_per_level;
  return rules.levels[each ? Math.min(Math.floor((hand - 1) / each), rules.levels.length - 1) : 0];
}

/**
 * The seats of the small and the big blind: the first two with chips after the button.
 *
 * @param {Rules} rules
 * @param {number} button
 * @param {readonly number[]} stacks
 * @returns {[number, number]}
 */
export function blindSeats(rules, button, stacks) {
  const after = withChips(stacks, button + 1);
  const isSwapped = after.length === 2 && rules.heads_up_button_posts === "small" && after[1] === button;
  return isSwapped ? [after[1], after[0]] : [after[0], after[1]];
}

/**
 * Button and big blind of a hand after one in which seat `big` had it: it moves to the next seat with chips.
 *
 * @param {Rules} rules
 * @param {number} big
 * @param {readonly number[]} stacks
 * @returns {[number, number]}
 */
export function nextBlind(rules, big, stacks) {
  const circle = withChips(stacks, big + 1);
  if (circle.length === 2 && rules.heads_up_button_posts === "small") return [circle[1], circle[0]];
  return [circle[circle.length - 2], circle[0]];
}

/**
 * The seats dealt in, in the order in which they get their cards: from the button's left.
 *
 * @param {Hand} hand
 */
export function dealtOrder({ seats, button }) {
  return circleFrom(button + 1, seats.length).filter((at) => seats[at].dealtIn);
}

/**
 * The seat to ask for the blind that is due: the next one with chips and without a blind; -1: there is none.
 *
 * @param {Hand} hand
 */
export function nextPoster({ rules, seats, button, passed, live }) {
  const dealt = seats.map((seat) => Number(seat.dealtIn));
  const from = passed < 0 ? blindSeats(rules, button, dealt)[0] : passed + 1;
  const isFree = (/** @type {number} */ at) => seats[at].stack !== 0 && seats[at].bet === 0;
  return circleFrom(from, seats.length).find((at) => live.includes(at) && isFree(at)) ?? -1;
}

/**
 * The seat with which a street's circle of turns begins, with chips or not.
 *
 * @param {Hand} hand
 * @param {string} street
 */
export function firstToAct(hand, street) {
  const fromBig = street === "preflop" || hand.rules.later_streets_from === "big_blind";
  return modulo((fromBig ? hand.closing : hand.button) + 1, hand.seats.length);
}

/**
 * Which lap of the table on this street a turn of seat `at` now would belong to, from 1.
 *
 * @param {Hand} hand
 * @param {number} at
 */
export function lapOf(hand, at) {
  if (hand.lastActor < 0) return 1;
  const count = hand.seats.length;
  const first = firstToAct(hand, hand.street);
  return hand.lap + (modulo(at - first, count) <= modulo(hand.lastActor - first, count) ? 1 : 0);
}

/**
 * All seats of a table in their order, from the seat `from`.
 *
 * @param {number} from
 * @param {number} count
 */
export function circleFrom(from, count) {
  return Array.from({ length: count }, (_, step) => modulo(from + step, count));
}

/**
 * The seats with chips, from the seat `from`.
 *
 * @param {readonly number[]} stacks
 * @param {number} from
 */
function withChips(stacks, from) {
  return circleFrom(from, stacks.length).filter((at) => (stacks[at] ?? 0) > 0);
}

/**
 * @param {number} number
 * @param {number} count
 */
function modulo(number, count) {
  return ((number % count) + count) % count;
}
