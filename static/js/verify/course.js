/**
 * How far the course of a contest has been proved: its state, what must come next, and what was counted.
 *
 * @import { Happening } from "./rules/events.js"
 */

import { checkNames } from "./names.js";
import { rulesOfContest } from "./rules/contests.js";
import { must } from "./rules/refutation.js";
import { gameOver, openTournament } from "./rules/tournament.js";

/** The contest so far; the checks in `stages` and `games` read it, and note in it what they have proved. */
export class Course {
  /** Everybody's chips in the present game. @type {readonly number[]} */
  stacks = [];
  /** How many hands were played in the present game. */
  hands = 0;
  /** The key of the last deck in the present game. @type {Uint8Array | null} */
  lastKey = null;
  /** The key of each deck and draw, by its name; the seed must give all of them. @type {Map<string, Uint8Array>} */
  keys = new Map();
  /** What must come next, before anything else of the contest. @type {Happening[]} */
  due = [];
  over = false;
  /** @type {string[]} */
  notes = [];
  count = { draws: 0, lots: 0, out: 0, won: 0, ratings: 0, places: 0, prizes: 0, cents: 0 };

  /**
   * Throws Refuted where the entrants cannot be right.
   *
   * @param {Happening} opened
   */
  constructor(opened) {
    const bots = new Set(opened.entrants.map((/** @type {any} */ entrant) => entrant.bot));
    must(bots.size === opened.entrants.length, "a bot is entered twice");
    checkNames(opened.entrants);
    this.opened = opened;
    this.tournament = openTournament(opened);
    const usual = this.isContest && rulesOfContest(opened.contest);
    if (usual && JSON.stringify(usual) !== JSON.stringify({ ...opened.rules, edition: 2 })) {
      this.notes.push("The rules at the table are not those of the rule book.");
    }
  }

  /** The place in the contest, in words: "The Trials, game 3". */
  get where() {
    const { stage, inStage, game } = this.tournament;
    return [inStage ? stage?.title : "", game ? `game ${game.game}` : ""].filter(Boolean).join(", ");
  }

  /** Whether this is a contest, which claims to follow the rule book, and not a practice game: those have no prizes. */
  get isContest() {
    return this.opened.prizes_cents.length > 0;
  }

  /** The stage being played. Throws Refuted where none is. */
  get stage() {
    const { stage, inStage } = this.tournament;
    must(inStage && stage, "something of a stage happens outside one");
    return stage;
  }

  /** Whether no further hand of the present game may be dealt. */
  get gameOver() {
    return gameOver(this.tournament, this.stage, this.hands, this.stacks);
  }

  /** Throws Refuted where an event of the contest must come first, or none may come any more. */
  nothingIsDue() {
    must(!this.over, "the contest goes on after its end");
    const [due] = this.due;
    if (!due) return;
    must(due.type !== "bot_eliminated", `bot ${due.bot} has lost its last chip, but is not out`);
    must(due.type !== "game_forfeited", `a fault cost seat ${due.seat + 1} the game, but it goes on`);
    must(false, `bot ${due.bot} has played a game, but its rating is not told`);
  }
}

/**
 * How many of `amounts` are there more than once.
 *
 * @param {readonly (number | string)[]} amounts
 */
export function ties(amounts) {
  const times = new Map();
  for (const amount of amounts) times.set(amount, (times.get(amount) ?? 0) + 1);
  return [...times.values()].filter((count) => count > 1).length;
}

/** @param {readonly number[]} numbers */
export function total(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}
