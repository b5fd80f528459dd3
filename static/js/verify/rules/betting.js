/**
 * Whose turn it is, what may be bet, and what a decision comes to: each a rule that the recording announces.
 *
 * @import { Happening } from "./events.js"
 * @import { Table } from "../table.js"
 * @typedef {Record<string, any>} Rules
 */

import { must } from "./refutation.js";

/**
 * The forced bets of the hand of that number; the last level stays for good.
 *
 * @param {Rules} rules
 * @param {number} hand
 * @returns {{ small: number, big: number, ante: number }}
 */
export function levelOf(rules, hand) {
  const each = rules.hands_per_level;
  const level = rules.levels[each ? Math.min(Math.floor((hand - 1) / each), rules.levels.length - 1) : 0];
  must(level, "no blinds are announced");
  return level;
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
  const after = around(stacks, button);
  const swapped = after.length === 2 && rules.heads_up_button_posts === "small" && after[1] === button;
  return swapped ? [after[1], after[0]] : [after[0], after[1]];
}

/**
 * Button and big blind of a hand after one in which seat `big` had it: it moves to the next seat with chips.
 *
 * @param {Rules} rules
 * @param {number} big
 * @param {readonly number[]} stacks
 * @returns {[number, number]}
 */
export function nextButton(rules, big, stacks) {
  const circle = around(stacks, big);
  must(circle.length > 1, "cards are dealt to fewer than two");
  if (circle.length === 2 && rules.heads_up_button_posts === "small") return [circle[1], circle[0]];
  return [circle[circle.length - 2], circle[0]];
}

/**
 * The seats with chips, from the one after `from`.
 *
 * @param {readonly number[]} stacks
 * @param {number} from
 */
function around(stacks, from) {
  const count = stacks.length;
  return stacks.map((_, step) => modulo(from + 1 + step, count)).filter((seat) => stacks[seat] > 0);
}

/**
 * The seat with which a street's turns begin, with chips or not.
 *
 * @param {Table} table
 * @param {string} street
 */
export function firstToAct(table, street) {
  const after = street === "preflop" || table.rules.later_streets_from === "big_blind" ? table.closing : table.button;
  return modulo(after + 1, table.chairs.length);
}

/**
 * Which lap of the table on this street a turn of `seat` belongs to, from 1.
 *
 * @param {Table} table
 * @param {number} seat
 */
export function lapOf(table, seat) {
  if (table.lastActor < 0) return 1;
  const count = table.chairs.length;
  const first = firstToAct(table, table.street);
  return table.lap + (modulo(seat - first, count) <= modulo(table.lastActor - first, count) ? 1 : 0);
}

/**
 * Who is asked next; -1: nobody, the street is over.
 *
 * @param {Table} table
 */
export function nextActor(table) {
  const { chairs, live, lastActor } = table;
  if (live.length === 1) return -1;
  const poster = table.due ? nextPoster(table) : -1;
  if (poster >= 0) return poster;
  const always = table.rules.ask_when_all_in;
  const able = live.filter((seat) => chairs[seat].stack);
  if (able.length < 2 && !always) {
    // The last one with chips is asked before an all-in is settled, but only while there is something to match.
    const most = Math.max(...live.map((seat) => chairs[seat].bet));
    return able.find((seat) => chairs[seat].bet < most) ?? -1;
  }
  const may = always ? live : able;
  const from = lastActor < 0 ? firstToAct(table, table.street) : lastActor + 1;
  const circle = chairs.map((_, step) => (from + step) % chairs.length);
  const waits = (/** @type {number} */ seat) =>
    !chairs[seat].acted || (chairs[seat].stack && chairs[seat].bet < table.bet);
  return circle.find((seat) => may.includes(seat) && waits(seat)) ?? -1;
}

/**
 * The next seat with chips and without a blind, where blinds are asked for; -1: there is none.
 *
 * @param {Table} table
 */
function nextPoster(table) {
  const { chairs, asked } = table;
  const dealt = chairs.map((chair) => Number(chair.dealt));
  const from = asked < 0 ? blindSeats(table.rules, table.button, dealt)[0] : asked + 1;
  const circle = chairs.map((_, step) => (from + step) % chairs.length);
  return circle.find((seat) => table.live.includes(seat) && chairs[seat].stack !== 0 && chairs[seat].bet === 0) ?? -1;
}

/**
 * The least and the highest total a raise of `seat` may reach; 0, 0 where it cannot raise.
 *
 * @param {Table} table
 * @param {number} seat
 * @returns {[number, number]}
 */
export function raiseRange(table, seat) {
  const { rules, chairs, bet } = table;
  const chair = chairs[seat];
  const oneChip = rules.min_raise === "one_chip";
  // An all-in below a full raise does not let those who have acted raise again, unless one chip is a full raise.
  const open = oneChip || !chair.acted || bet - chair.bet >= table.lastRaise;
  if (!open || (rules.raise_laps && lapOf(table, seat) > rules.raise_laps)) return [0, 0];
  const others = table.live.filter((other) => other !== seat).map((other) => chairs[other].bet + chairs[other].stack);
  const own = chair.bet + chair.stack;
  const high = rules.bet_cap === "shortest_stack" ? Math.min(own, Math.max(Math.min(...others), bet)) : own;
  if (high <= bet || Math.max(...others) <= bet) return [0, 0];
  return [Math.min(bet + (oneChip ? 1 : table.lastRaise), high), high];
}

/**
 * What a blind that was asked for comes to: exactly what was asked.
 *
 * @param {Happening} turn
 * @param {number} amount
 */
export function blindTo(turn, amount) {
  must(turn.blind, "a blind is posted that nobody asked for");
  must(amount === turn.to_call, `the ${turn.blind} blind of ${turn.to_call} was asked for, but ${amount} were posted`);
  return amount;
}

/**
 * What the decision behind a recorded act comes to: its name, and the bet it leads to.
 *
 * @param {Table} table
 * @param {Happening} turn
 * @param {Happening} taken
 * @returns {{ act: string, bet: number }}
 */
export function acted(table, turn, taken) {
  const chair = table.chairs[turn.seat];
  if (taken.act === "fold") return { act: "fold", bet: chair.bet };
  must(!turn.blind, `the ${turn.blind} blind was asked for, and nothing else is allowed`);
  const calls = taken.act === "check" || taken.act === "call";
  const wanted = calls ? table.bet : raisedTo(table, turn, taken.bet);
  const bet = Math.min(wanted, chair.bet + chair.stack);
  if (bet <= table.bet) return { act: bet > chair.bet ? "call" : "check", bet: Math.max(bet, chair.bet) };
  return { act: table.bet ? "raise" : "bet", bet };
}

/**
 * The total that a raise comes to, by the rules for raises outside the range.
 *
 * @param {Table} table
 * @param {Happening} turn
 * @param {number} amount
 */
function raisedTo(table, turn, amount) {
  const { min_raise_to: low, max_raise_to: high } = turn;
  switch (table.rules.raise_out_of_range) {
    case "clamp":
      return high ? Math.min(Math.max(amount, table.bet), high) : table.bet;
    case "refuse_low":
      must(amount >= table.bet, `a raise must be to at least ${table.bet}, but it is to ${amount}`);
      return amount > table.bet && high ? Math.max(low, Math.min(amount, high)) : table.bet;
    default:
      must(high, `a raise to ${amount} is taken where none is allowed`);
      must(low <= amount && amount <= high, `a raise must be to ${low} to ${high}, but it is to ${amount}`);
      return amount;
  }
}

/**
 * @param {number} number
 * @param {number} count
 */
function modulo(number, count) {
  return ((number % count) + count) % count;
}
