/**
 * A deal is played at several tables with the same cards. Computes which bots play a deal, and how they move on from
 * table to table.
 */

/**
 * Returns the seat order at the next table: every bot moves on by one seat.
 *
 * @type {(seats: readonly number[]) => number[]}
 */
export function nextSeatOrder(seats) {
  return [...seats.slice(1), ...seats.slice(0, 1)];
}

/**
 * Returns the bots of the next deal. Bots with the fewest deals come first. If bots have played equally many deals, the
 * bot that has met the chosen bots least often comes first. If bots are still equal, the bot that is first in
 * `shuffledBots` comes first.
 *
 * @type {(shuffledBots: readonly number[], seats: number, deals: readonly (readonly number[])[]) => number[]}
 */
export function chooseGroup(shuffledBots, seats, deals) {
  const played = (/** @type {number} */ bot) => deals.filter((deal) => deal.includes(bot)).length;
  /** @type {number[]} */
  const group = [];
  const timesMet = (/** @type {number} */ bot) =>
    group.reduce((sum, other) => sum + deals.filter((deal) => deal.includes(bot) && deal.includes(other)).length, 0);
  while (group.length < Math.min(seats, shuffledBots.length)) {
    const left = shuffledBots.filter((bot) => !group.includes(bot)); // sorting is stable: equals keep this order
    left.sort((one, other) => played(one) - played(other) || timesMet(one) - timesMet(other));
    group.push(/** @type {number} */ (left[0]));
  }
  return group;
}
