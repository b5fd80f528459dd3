/**
 * Checks the games of a contest: who sits down, what each hand leads to, and who has won.
 *
 * @import { Course } from "./course.js"
 * @import { Happening } from "./rules/events.js"
 * @import { Hand } from "./rules/hand.js"
 */

import { ties, total } from "./course.js";
import { expected } from "./rules/events.js";
import { rateGame } from "./rules/ratings.js";
import { keyIn, must, same } from "./rules/refutation.js";
import { diceOf, handName } from "./rules/shuffle.js";
import { busted, drawSeats, eliminated, firstStacks, forfeit, rankedInGame, stageOver } from "./rules/tournament.js";

/** @type {Record<string, string>} */
const DUE = {
  bot_eliminated: "the next bot that is out",
  game_forfeited: "the fault that costs the game",
  bot_rated: "the next rating",
};

/**
 * Throws Refuted where no game may start now, or not with these seats and stacks.
 *
 * @param {Course} course
 * @param {Happening} event
 */
export function checkGame(course, event) {
  const { tournament, stage } = course;
  const mayStart = !tournament.game && !stageOver(tournament, stage);
  must(mayStart, "a game is started within a game or after the last of its stage");
  same("the stacks at the start of the game", event.stacks, firstStacks(tournament, stage, event.seats));
  same("the number of the game", event.game, tournament.games + 1);
  same("the number of hands in the game", event.hands, stage.hands);
  const isDrawn = event.draw_key || !course.opened.prizes_cents.length;
  must(isDrawn, "the seats of a contest for prizes were not drawn");
  const key = keyIn(event.draw_key, "the key of the draw");
  const drawn = drawSeats(tournament, stage, key.length ? diceOf(key) : null);
  same("the bots drawn, seat by seat,", event.seats, drawn);
  if (key.length) {
    course.keys.set(`game ${event.game}`, key);
    course.count.draws += 1;
  }
  [course.stacks, course.hands] = [event.stacks, 0];
}

/**
 * Notes that hand `number` of the game begins. Throws Refuted where none should, or another one.
 *
 * @param {Course} course
 * @param {number} number
 */
export function beginHand(course, number) {
  course.nothingIsDue();
  must(course.tournament.game, "a hand is dealt outside a game");
  same("the number of the hand", number, course.hands + 1);
  must(!course.gameOver, "a hand is dealt after the last of its game");
}

/**
 * Notes that a proved hand is over. Throws Refuted where chips were lost or won from nowhere.
 *
 * @param {Course} course
 * @param {readonly number[]} stacks after it
 * @param {Uint8Array} key of its deck
 * @param {Hand} played
 */
export function endHand(course, stacks, key, played) {
  const { tournament, count } = course;
  const { game } = tournament;
  if (!game) throw new RangeError("a hand ends in the game in which it began");
  same("the chips in play", total(stacks) + played.vacated, total(course.stacks));
  const broke = busted(game.seats, course.stacks, stacks);
  for (const [bot, place] of eliminated(tournament, broke, diceOf(key))) {
    course.due.push(expected("bot_eliminated", { bot, seat: game.seats.indexOf(bot), place }));
  }
  if (played.forfeited >= 0) {
    const { forfeited, fault } = played;
    course.due.push(expected("game_forfeited", { game: game.game, seat: forfeited, fault }));
  }
  count.lots += ties([...broke.values()]);
  course.keys.set(handName(game.game, course.hands + 1), key);
  course.lastKey = key;
  course.stacks = stacks;
  course.hands += 1;
}

/**
 * Throws Refuted unless this is what must come next: a bot is out, a fault costs the game, a rating changes.
 *
 * @param {Course} course
 * @param {Happening} event
 */
export function checkDue(course, event) {
  same(DUE[event.type] ?? event.type, fieldsOf(event), fieldsOf(course.due.shift()));
  if (event.type === "bot_eliminated") course.count.out += 1;
  else if (event.type === "bot_rated") course.count.ratings += 1;
  else course.stacks = forfeit(event.seat, course.stacks);
}

/**
 * An event without its type, as it is put in words; null for none.
 *
 * @param {Happening | undefined} event
 */
function fieldsOf(event) {
  if (!event) return null;
  const { type: _, ...fields } = event;
  return fields;
}

/**
 * Throws Refuted where the game may not end yet, or with another outcome.
 *
 * @param {Course} course
 * @param {Happening} event
 */
export function checkGameEnd(course, event) {
  const { tournament, stacks, hands, lastKey } = course;
  const { game } = tournament;
  must(game, "a game ends that was not started");
  same("the number of the game that ends", event.game, game.game);
  same("the stacks at the end of the game", event.stacks, stacks);
  must(course.gameOver, `the game ends after ${hands} of ${game.hands} hands, and nobody cut it short`);
  const right = rankedInGame(tournament, game.seats, stacks, hands && lastKey ? diceOf(lastKey) : null);
  same("who won the game, and the order behind", event.ranking, right);
  if (right.length) {
    course.count.won += 1;
    course.count.lots += ties(stacks.filter(Boolean));
  }
  course.due.push(...rateGame(course.opened, game, event.stacks));
}
