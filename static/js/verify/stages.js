/**
 * Checks what happens around the games: bots withdrawn, stages started, cut and ended, and the tournament's end.
 *
 * @import { Course } from "./course.js"
 * @import { Happening } from "./rules/events.js"
 */

import { ties, total } from "./course.js";
import { isNextStage } from "./rules/contests.js";
import { finalPlacings } from "./rules/placings.js";
import { keyIn, must, same } from "./rules/refutation.js";
import { hexOf } from "./rules/sha256.js";
import { diceOf, keyOf, sealOf } from "./rules/shuffle.js";
import { endStage, mayWithdraw, recordOf, stageOver, standingOf } from "./rules/tournament.js";

const LEAST_SEATS = 2;

/**
 * Throws Refuted where the bot may not be withdrawn now.
 *
 * @param {Course} course
 * @param {Happening} event
 */
export function checkWithdrawal(course, { bot, reason }) {
  must(mayWithdraw(course.tournament, bot), `bot ${bot} is withdrawn, but is not waiting for the first stage`);
  course.notes.push(`Bot ${bot} was withdrawn before the first stage: ${reason}.`);
}

/**
 * Throws Refuted where this stage may not start now, or not with these bots and stacks.
 *
 * @param {Course} course
 * @param {Happening} event
 */
export function checkStage(course, event) {
  const { tournament, opened } = course;
  const { stage, bots, stacks, advance, carry, seats } = event;
  const before = tournament.stage;
  const mayStart = !tournament.inStage && (!before || before.advance);
  must(mayStart, "a stage is started within a stage or after the last one");
  must(stage > (before?.stage ?? 0), `stage ${stage} is started out of order`);
  same("the bots of the stage", bots, tournament.stageBots);
  const right = bots.map((/** @type {number} */ bot) =>
    carry ? recordOf(tournament, bot).stack : opened.starting_stack,
  );
  same("the stacks at the start of the stage", stacks, right);
  must(seats >= LEAST_SEATS, `stage ${stage} is played at tables of ${seats}`);
  must(advance < Math.max(bots.length, 1), `stage ${stage} is played although everybody advances`);
  if (course.isContest && !isNextStage(opened.contest, before?.stage ?? 0, bots.length, event)) {
    course.notes.push(`Stage ${stage}, ${event.title}, is announced otherwise than the rule book has it.`);
  }
}

/**
 * Throws Refuted where there is nothing left to cut.
 *
 * @param {Course} course
 * @param {Happening} event
 */
export function checkCut(course, event) {
  same("the stage that is cut", event.stage, course.stage.stage);
  const isPlaying = course.tournament.game && !course.gameOver;
  const isOver = stageOver(course.tournament, course.stage);
  must(isPlaying || !isOver, `stage ${event.stage} is cut although it is over`);
  course.notes.push(`Stage ${event.stage} was ended early by the operator.`);
}

/**
 * Throws Refuted where the stage may not end yet, or not with this ranking.
 *
 * @param {Course} course
 * @param {Happening} event
 */
export function checkStageEnd(course, event) {
  const { tournament, stage } = course;
  must(!tournament.game, "the stage ends within a game");
  const played = tournament.gamesInStage;
  const isOver = stageOver(tournament, stage);
  must(isOver, `the stage ends after ${played} of ${stage.games} games, and nobody cut it short`);
  const key = keyIn(event.draw_key, "the key of the lots");
  const right = endStage(tournament, stage, diceOf(key));
  same("the number of the stage that ends", event.stage, right.stage);
  same("the ranking", event.ranking, right.ranking);
  same("the stacks at the end of the stage", event.stacks, right.stacks);
  same("the bots that advance", event.advancing, right.advancing);
  course.count.lots += ties(undecided(course, event.ranking));
  course.keys.set(`stage ${event.stage}`, key);
}

/**
 * Throws Refuted where a stage is still to come, the seed is not the committed one, or the final table is wrong.
 *
 * @param {Course} course
 * @param {Happening} event
 */
export function checkEnd(course, event) {
  const { stage, inStage } = course.tournament;
  must(stage && !inStage && !stage.advance, "the tournament ends before its last stage has");
  const seed = keyIn(event.seed, "the seed");
  same("the seal of the seed", course.opened.seed_commitment, sealOf(seed));
  for (const [name, key] of course.keys) same(`the dice of ${name}`, hexOf(key), hexOf(keyOf(seed, name)));
  const { placings } = event;
  const right = finalPlacings(course.opened, course.tournament);
  for (const [at, line] of placings.slice(0, right.length).entries()) {
    same(`line ${at + 1} of the final table`, line, right[at]);
  }
  same("the number of lines of the final table", placings.length, right.length);
  const prizes = placings.map((/** @type {any} */ one) => one.prize_cents).filter(Boolean);
  Object.assign(course.count, { places: placings.length, prizes: prizes.length, cents: total(prizes) });
  course.over = true;
}

/**
 * What those are ranked by whose places no hand has decided: between equals the draw decided.
 *
 * @param {Course} course
 * @param {readonly number[]} ranking
 */
function undecided({ tournament, stage }, ranking) {
  const open = ranking.filter((bot) => stage.series || !recordOf(tournament, bot).place);
  return open.map((bot) => standingOf(tournament, stage, bot).join(" "));
}
