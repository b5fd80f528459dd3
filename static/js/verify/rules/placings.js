/**
 * The final table of a tournament: every bot's place, and the prize that its player is paid.
 *
 * @import { Happening } from "./events.js"
 * @import { Tournament } from "./tournament.js"
 */

import { recordOf } from "./tournament.js";

/**
 * The final table. A player's second bot is paid nothing and the money moves up; what is left over is the winner's.
 *
 * @param {Happening} opened
 * @param {Tournament} tournament
 */
export function finalPlacings(opened, tournament) {
  const of = (/** @type {number} */ bot) => recordOf(tournament, bot);
  const ranking = [...tournament.records.keys()].sort((one, other) => of(one).place - of(other).place);
  const paid = firstBots(
    opened,
    ranking.filter((bot) => !of(bot).withdrawn),
  );
  /** @type {number[]} */
  const prizes = opened.prizes_cents;
  const prize = new Map(paid.map((bot, at) => [bot, prizes[at] ?? 0]));
  const left = prizes.slice(paid.length).reduce((sum, cents) => sum + cents, 0);
  const [winner] = paid;
  if (winner !== undefined) prize.set(winner, (prize.get(winner) ?? 0) + left);
  return ranking.map((bot, at) => ({
    ...{ place: at + 1, bot, stack: of(bot).stack, prize_cents: prize.get(bot) ?? 0 },
  }));
}

/**
 * The best bot of each player, best first. A bot without a player is its own.
 *
 * @param {Happening} opened
 * @param {readonly number[]} ranking
 */
function firstBots(opened, ranking) {
  const players = new Map(opened.entrants.map((/** @type {any} */ one) => [one.bot, one.player || `bot ${one.bot}`]));
  /** @type {Map<string, number>} */
  const first = new Map();
  for (const bot of ranking) {
    const player = players.get(bot);
    if (!first.has(player)) first.set(player, bot);
  }
  return [...first.values()];
}
