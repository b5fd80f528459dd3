/**
 * How a hand ends: side pots, who shows, who wins, and where chips go that do not divide.
 *
 * @import { Pot, Table } from "../table.js"
 * @import { Ranking } from "./ranking.js"
 */

import { firstToAct } from "./betting.js";
import { rankingOf } from "./ranking.js";

/**
 * The main pot, then a side pot for each height at which somebody is all-in. Only `live` seats may win; `dead` chips
 * are nobody's bet and go into the main pot.
 *
 * @param {readonly number[]} paid by each seat in this hand
 * @param {readonly number[]} live
 * @param {number} dead
 * @returns {Pot[]}
 */
export function splitPots(paid, live, dead) {
  const heights = [...new Set(live.map((seat) => paid[seat]))].sort((one, other) => one - other);
  /** @type {Pot[]} */
  const pots = [];
  let counted = -dead;
  for (const height of heights) {
    const below = sum(paid.map((chips) => Math.min(chips, height)));
    if (below > counted) pots.push({ amount: below - counted, seats: live.filter((seat) => paid[seat] >= height) });
    counted = below;
  }
  const beyond = sum(paid) - counted;
  const last = pots.at(-1);
  if (beyond && last) last.amount += beyond; // somebody who folded had paid more than all who are left
  return pots;
}

/**
 * What is shown and paid at the end, in the order of the events.
 *
 * @param {Table} table
 */
export function payout(table) {
  const { chairs, live, board } = table;
  /** @type {Map<number, Ranking>} */
  const rankings = new Map();
  if (live.length > 1) for (const seat of live) rankings.set(seat, rankingOf([...chairs[seat].cards, ...board]));
  const order = circleFrom(firstToAct(table, "river"), chairs.length);
  const awarded = table.pots.map((pot, number) => ({
    pot: number,
    amount: pot.amount,
    awards: shared(pot, rankings, order, table.rules.odd_chips),
  }));
  const winners = new Set(awarded.flatMap((pot) => pot.awards.map((award) => award.seat)));
  return { shown: shown(table, rankings, winners), awarded };
}

/**
 * @param {Pot} pot
 * @param {ReadonlyMap<number, Ranking>} rankings
 * @param {readonly number[]} order
 * @param {string} odd
 */
function shared(pot, rankings, order, odd) {
  const score = (/** @type {number} */ seat) => rankings.get(seat)?.score ?? 0;
  const best = Math.max(...pot.seats.map(score));
  const winners = order.filter((seat) => pot.seats.includes(seat) && score(seat) === best);
  const share = Math.floor(pot.amount / winners.length);
  const lucky = odd === "first_in_order" ? winners[0] : winners[winners.length - 1];
  const rest = pot.amount - share * winners.length;
  return winners.map((seat) => ({ seat, amount: share + (seat === lucky ? rest : 0) }));
}

/**
 * @param {Table} table
 * @param {ReadonlyMap<number, Ranking>} rankings
 * @param {ReadonlySet<number>} winners
 */
function shown(table, rankings, winners) {
  const { chairs, live } = table;
  const order = circleFrom(table.closing + 1, chairs.length);
  const cardsOf = (/** @type {number} */ seat) => ({ seat, cards: chairs[seat].cards });
  const atShowdown = order
    .filter((seat) => live.includes(seat) && isShown(table, seat, winners, rankings.size > 0, order))
    .map((seat) => {
      const ranking = rankings.get(seat);
      return ranking ? { ...cardsOf(seat), ranking: ranking.name, best: ranking.best } : cardsOf(seat);
    });
  if (table.rules.show !== "all") return atShowdown;
  return [...atShowdown, ...order.filter((seat) => chairs[seat].dealt && !rankings.has(seat)).map(cardsOf)];
}

/**
 * @param {Table} table
 * @param {number} seat one that is left at the end
 * @param {ReadonlySet<number>} winners
 * @param {boolean} showdown
 * @param {readonly number[]} order
 */
function isShown(table, seat, winners, showdown, order) {
  switch (table.rules.show) {
    case "winners":
      return winners.has(seat);
    case "loser_if_aggressor": {
      const aggressor = table.aggressor >= 0 ? table.aggressor : order[order.length - 1];
      return showdown && (winners.has(seat) || seat === aggressor);
    }
    default:
      return showdown;
  }
}

/**
 * @param {number} from
 * @param {number} count
 */
function circleFrom(from, count) {
  return Array.from({ length: count }, (_, step) => (from + step) % count);
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
