/**
 * Proves the course of a contest: which stage and game follows, who sits down, who is out, who advances, who is paid
 * what. What happens within a hand is not checked here.
 *
 * @import { Course } from "./course.js"
 * @import { Happening } from "./rules/events.js"
 */

import { checkDue, checkGame, checkGameEnd } from "./games.js";
import { must } from "./rules/refutation.js";
import { evolveTournament } from "./rules/tournament.js";
import { checkCut, checkEnd, checkStage, checkStageEnd, checkWithdrawal } from "./stages.js";

/**
 * Takes the next event between hands. Throws Refuted where another should come, or its fields are wrong.
 *
 * @param {Course} course
 * @param {Happening} event
 */
export function take(course, event) {
  if (course.due[0]?.type !== event.type) course.nothingIsDue();
  check(course, event);
  evolveTournament(course.tournament, event);
}

/**
 * @param {Course} course
 * @param {Happening} event
 */
function check(course, event) {
  switch (event.type) {
    case "tournament_opened":
      return must(false, "the tournament is opened twice");
    case "bot_withdrawn":
      return checkWithdrawal(course, event);
    case "stage_started":
      return checkStage(course, event);
    case "stage_cut":
      return checkCut(course, event);
    case "stage_ended":
      return checkStageEnd(course, event);
    case "tournament_ended":
      return checkEnd(course, event);
    case "game_started":
      return checkGame(course, event);
    case "game_ended":
      return checkGameEnd(course, event);
    default:
      return checkDue(course, event);
  }
}
