/**
 * Main and side pots: which seats may win how many chips, and how one pot is shared among its winners.
 *
 * @import { Pot } from "./hand.js"
 */

/**
 * The main pot, then a side pot for each height at which somebody is all-in. Only `live` seats may win; `dead` chips
 * are nobody's bet and go into the main pot.
 *
 * @param {readonly number[]} committed by each seat in this hand
 * @param {readonly number[]} live
 * @param {number} dead
 * @returns {Pot[]}
 */
export function splitPots(committed, live, dead) {
  const heights = [...new Set(live.map((seat) => committed[seat]))].sort((one, other) => one - other);
  /** @type {Pot[]} */
  const pots = [];
  let counted = -dead;
  for (const height of heights) {
    const upToHere = sum(committed.map((chips) => Math.min(chips, height)));
    if (upToHere > counted) {
      pots.push({ amount: upToHere - counted, seats: live.filter((seat) => committed[seat] >= height) });
    }
    counted = upToHere;
  }
  const beyond = sum(committed) - counted;
  const last = pots.at(-1);
  if (beyond && last) last.amount += beyond; // somebody who folded had paid more than all who are left
  return pots;
}

/**
 * The awards of one pot: the best of its seats share it, in betting order.
 *
 * @param {Pot} pot
 * @param {(seat: number) => number} strength the higher the better
 * @param {readonly number[]} order
 * @param {string} odd who gets the chips that do not divide
 */
export function sharePot(pot, strength, order, odd) {
  const best = Math.max(...pot.seats.map(strength));
  const winners = order.filter((seat) => pot.seats.includes(seat) && strength(seat) === best);
  const share = Math.floor(pot.amount / winners.length);
  const lucky = odd === "first_in_order" ? winners[0] : winners[winners.length - 1];
  const rest = pot.amount - share * winners.length;
  return winners.map((seat) => ({ seat, amount: share + (seat === lucky ? rest : 0) }));
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
