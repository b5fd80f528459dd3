/**
 * Who is seated, who is out in which place, who advances, and who is paid: each worked out from what has been proved so
 * far and from the committed seed.
 *
 * @import { Happening } from "./events.js"
 * @import { Dice } from "./shuffle.js"
 * @typedef {{ stack: number, games: number, place: number, withdrawn: boolean, won: number, places: number }} Standing
 *   `place` is 0 while it is open; of a series `won` games, and the sum of its `places` in them
 * @typedef {{ standings: Map<number, Standing>, stageBots: number[] }} Field all bots, and those of the stage, or
 *   between stages of the next one
 */

import { must } from "./refutation.js";

/**
 * The bots that can still be seated; in a series that is everybody.
 *
 * @param {Field} field
 * @param {Happening} stage
 */
export function alive({ standings, stageBots }, stage) {
  if (stage.series) return [...stageBots];
  return stageBots.filter((bot) => {
    const one = standing(standings, bot);
    return one.stack > 0 && !one.place;
  });
}

/**
 * Who plays the next game, in seat order: those who have played least, drawn at random.
 *
 * @param {Field} field
 * @param {Happening} stage
 * @param {Dice | null} dice null where seats are not drawn
 */
export function seatsDrawn(field, stage, dice) {
  const bots = alive(field, stage);
  if (!dice) return bots.slice(0, stage.seats);
  const games = (/** @type {number} */ bot) => standing(field.standings, bot).games;
  const byLot = dice(bots, "players").sort((one, other) => games(one) - games(other));
  const drawn = byLot.slice(0, placesAt(stage, bots.map(games)));
  return dice(drawn.sort(up), "seats");
}

/**
 * How many sit at the next table. Where tables are even, those who have sat less often than others share them equally.
 *
 * @param {Happening} stage
 * @param {readonly number[]} games how many each has played
 */
function placesAt(stage, games) {
  if (!stage.even) return stage.seats;
  const least = Math.min(...games);
  const waiting = games.filter((count) => count === least).length;
  return Math.max(Math.ceil(waiting / Math.ceil(waiting / stage.seats)), Math.min(2, games.length));
}

/**
 * The bots that lost their last chips in a hand with the places they get, worst first: who had more comes out ahead,
 * equals by lot.
 *
 * @param {Field} field
 * @param {ReadonlyMap<number, number>} broke each with its stack at the start of the hand
 * @param {Dice} dice
 * @param {Iterable<number>} among whom the places are
 * @returns {[number, number][]}
 */
export function retired(field, broke, dice, among) {
  const had = (/** @type {number} */ bot) => broke.get(bot) ?? 0;
  const best = dice([...broke.keys()].sort(up), "out").sort((one, other) => had(other) - had(one));
  const worst = undecided(field, among);
  return best.reverse().map((bot, behind) => [bot, worst - behind]);
}

/**
 * How many of those have no place yet.
 *
 * @param {Field} field
 * @param {Iterable<number>} among
 */
export function undecided({ standings }, among) {
  return [...among].filter((bot) => !standing(standings, bot).place).length;
}

/**
 * The bots of a game, best first: those with chips by their chips, equals by lot, then whoever went out last.
 *
 * @param {Field} field
 * @param {readonly number[]} seats
 * @param {readonly number[]} stacks
 * @param {Dice} dice
 */
export function rankedInGame({ standings }, seats, stacks, dice) {
  const place = (/** @type {number} */ bot) => standing(standings, bot).place;
  const left = new Map(seats.map((bot, seat) => [bot, stacks[seat] ?? 0]));
  return dice([...seats].sort(up), "game").sort(
    (one, other) => place(one) - place(other) || (left.get(other) ?? 0) - (left.get(one) ?? 0),
  );
}

/**
 * The bots of a stage, best first, equals by lot.
 *
 * @param {Field} field
 * @param {Happening} stage
 * @param {Dice} dice
 */
export function ranked(field, stage, dice) {
  const of = (/** @type {number} */ bot) => rankedBy(standing(field.standings, bot), stage);
  return dice([...field.stageBots].sort(up), "ties").sort(
    (one, other) => (of(one)[0] ?? 0) - (of(other)[0] ?? 0) || (of(one)[1] ?? 0) - (of(other)[1] ?? 0),
  );
}

/**
 * What a bot is ranked by at the end of a stage, the least first: its place where that is decided, then its chips; in a
 * series the games it has won, then its places in all of them.
 *
 * @param {Standing} one
 * @param {Happening} stage
 */
export function rankedBy(one, stage) {
  return stage.series ? [-one.won, one.places] : [one.place, -one.stack];
}

/**
 * How many lots had to decide among `amounts`: those that are there more than once.
 *
 * @param {readonly (number | string)[]} amounts
 */
export function lotsAmong(amounts) {
  const times = new Map();
  for (const amount of amounts) times.set(amount, (times.get(amount) ?? 0) + 1);
  return [...times.values()].filter((count) => count > 1).length;
}

/**
 * The final table. A player's second bot is paid nothing and the money moves up; what is left over is the winner's.
 *
 * @param {Happening} opened
 * @param {Field} field
 */
export function finalTable(opened, { standings }) {
  const place = (/** @type {number} */ bot) => standing(standings, bot).place;
  const ranking = [...standings.keys()].sort((one, other) => place(one) - place(other));
  const players = new Map(opened.entrants.map((/** @type {any} */ one) => [one.bot, one.player || `bot ${one.bot}`]));
  /** @type {Map<string, number>} */
  const first = new Map();
  for (const bot of ranking) {
    const player = players.get(bot);
    if (!standing(standings, bot).withdrawn && !first.has(player)) first.set(player, bot);
  }
  const paid = [...first.values()];
  /** @type {number[]} */
  const prizes = opened.prizes_cents;
  const prize = new Map(paid.map((bot, at) => [bot, prizes[at] ?? 0]));
  const left = prizes.slice(paid.length).reduce((sum, cents) => sum + cents, 0);
  if (paid.length) prize.set(paid[0], (prize.get(paid[0]) ?? 0) + left);
  return ranking.map((bot, at) => ({
    ...{ place: at + 1, bot, stack: standing(standings, bot).stack, prize_cents: prize.get(bot) ?? 0 },
  }));
}

/**
 * @param {ReadonlyMap<number, Standing>} standings
 * @param {number} bot
 */
export function standing(standings, bot) {
  const found = standings.get(bot);
  must(found, `bot ${bot} was never entered`);
  return found;
}

/**
 * @param {number} one
 * @param {number} other
 */
function up(one, other) {
  return one - other;
}
