/**
 * Elo as the season has it: K = 12, the score is the share of the chips; everything in hundredths of a point.
 *
 * @import { Happening } from "./events.js"
 */

import { expected } from "./events.js";

const K = 12;

/**
 * What a game changes in the ratings of its two bots; nothing where they have none.
 *
 * @param {Happening} opened
 * @param {Happening} game
 * @param {readonly number[]} stacks at its end
 * @returns {Happening[]}
 */
export function rateGame(opened, game, stacks) {
  const were = game.seats.map((/** @type {number} */ bot) => {
    const entrant = opened.entrants.find((/** @type {any} */ one) => one.bot === bot);
    return entrant.rating;
  });
  const chips = stacks.reduce((sum, stack) => sum + stack, 0);
  if (were.length !== 2 || !were.every(Boolean) || !chips) return [];
  const gained = gain(were[0], were[1], stacks[0] / chips);
  return [gained, -gained].map((change, at) =>
    expected("bot_rated", { game: game.game, bot: game.seats[at], rating: were[at] + change, was: were[at] }),
  );
}

/**
 * What a bot gains by a score of 0 to 1 against another one, which loses as much.
 *
 * @param {number} rating
 * @param {number} other
 * @param {number} score
 */
export function gain(rating, other, score) {
  const chance = 1 / (1 + 10 ** ((other - rating) / 40_000));
  return evenly(K * 100 * (score - chance));
}

/**
 * To the nearest whole number, halves to the even one.
 *
 * @param {number} number
 */
function evenly(number) {
  const below = Math.floor(number);
  const rest = number - below;
  if (rest === 0.5) return below % 2 ? below + 1 : below;
  return rest < 0.5 ? below : below + 1;
}
