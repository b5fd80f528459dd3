/**
 * The events that end a hand: whose cards are shown, and how the pots are paid.
 *
 * @import { Happening } from "./events.js"
 * @import { Hand } from "./hand.js"
 * @import { Ranking } from "./ranking.js"
 */

import { circleFrom, firstToAct } from "./hand.js";
import { sharePot } from "./pots.js";
import { rankingOf } from "./ranking.js";

/**
 * Everything that follows the last bet of a hand: what is shown, each pot's awards, the stacks at the end.
 *
 * @param {Hand} hand
 * @returns {Happening[]}
 */
export function ending(hand) {
  const { seats, live, board, deck } = hand;
  /** @type {Map<number, Ranking>} */
  const rankings = new Map();
  if (live.length > 1) for (const at of live) rankings.set(at, rankingOf([...seats[at].cards, ...board]));
  const order = circleFrom(firstToAct(hand, "river"), seats.length);
  const strength = (/** @type {number} */ at) => rankings.get(at)?.score ?? 0;
  const awarded = hand.pots.map((pot, number) => {
    const awards = sharePot(pot, strength, order, hand.rules.odd_chips);
    return { type: "pot_awarded", pot: number, amount: pot.amount, awards };
  });
  const stacks = seats.map((seat) => seat.stack);
  const awards = awarded.flatMap((pot) => pot.awards);
  for (const { seat, amount } of awards) stacks[seat] += amount;
  const winners = new Set(awards.map(({ seat }) => seat));
  return [...shown(hand, rankings, winners), ...awarded, { type: "hand_ended", stacks, deck_key: deck.key }];
}

/**
 * Live hands first, then, where all cards are shown, the folded ones.
 *
 * @param {Hand} hand
 * @param {ReadonlyMap<number, Ranking>} rankings
 * @param {ReadonlySet<number>} winners
 */
function shown(hand, rankings, winners) {
  const { seats, live, order } = hand;
  const showing = (/** @type {number} */ seat) => ({ type: "hand_shown", seat, cards: seats[seat].cards });
  const atShowdown = order
    .filter((at) => live.includes(at) && isShown(hand, at, winners, rankings.size > 0))
    .map((at) => {
      const ranking = rankings.get(at);
      return ranking ? { ...showing(at), ranking: ranking.name, best: ranking.best } : showing(at);
    });
  if (hand.rules.show !== "all") return atShowdown;
  return [...atShowdown, ...order.filter((at) => seats[at].dealtIn && !rankings.has(at)).map(showing)];
}

/**
 * Whether the rules have a live seat show its cards.
 *
 * @param {Hand} hand
 * @param {number} at
 * @param {ReadonlySet<number>} winners
 * @param {boolean} showdown
 */
function isShown({ rules, aggressor, order }, at, winners, showdown) {
  switch (rules.show) {
    case "winners":
      return winners.has(at);
    case "loser_if_aggressor":
      return showdown && (winners.has(at) || at === (aggressor >= 0 ? aggressor : order[order.length - 1]));
    default:
      return showdown;
  }
}
