/**
 * The usual statistics of poker trackers. They say how often a bot did something, and how often it could have done so.
 * This module also says how true the bot's thoughts were. No I/O.
 *
 * @import { BotStatistics, ReadingScores } from "./types.js"
 * @typedef {{ name: string, words: string, made: number, chances: number }} PlayStatistic
 */

import { chips } from "./format.js";

/**
 * @param {BotStatistics} row
 * @returns {PlayStatistic[]} the habits that the bot has had a chance to show; `name` is the term, `words` explains it
 */
export function playStatistics(row) {
  const all = [
    { name: "VPIP", words: "plays its hand (VPIP)", made: row.vpip, chances: row.vpip_chances },
    { name: "PFR", words: "raises before the flop (PFR)", made: row.pfr, chances: row.pfr_chances },
    { name: "3-bet", words: "raises a raise (3-bet)", made: row.three_bets, chances: row.three_bet_chances },
    {
      name: "Fold to 3-bet",
      words: "folds to a 3-bet",
      made: row.three_bet_folds,
      chances: row.three_bet_fold_chances,
    },
    { name: "C-bet", words: "raises, then bets the flop (c-bet)", made: row.c_bets, chances: row.c_bet_chances },
    { name: "Fold to c-bet", words: "folds to a c-bet", made: row.c_bet_folds, chances: row.c_bet_fold_chances },
    { name: "To showdown", words: "goes to showdown after the flop", made: row.showdowns, chances: row.flops },
    { name: "Won there", words: "wins at showdown", made: row.showdowns_won, chances: row.showdowns },
    {
      name: "Aggression",
      words: "bets or raises after the flop (aggression)",
      made: row.aggressive,
      chances: row.aggressive_chances,
    },
  ];
  return all
    .map((habit) => ({ ...habit, made: habit.made ?? 0, chances: habit.chances ?? 0 }))
    .filter(({ chances }) => chances);
}

/**
 * How true a bot's thoughts were, and what they cost.
 *
 * @type {(reading: ReadingScores | null | undefined) => { figure: string, words: string }[]}
 */
export function readingFigures(reading) {
  const { claims = 0, false_claims: wrong = 0, estimates = 0, brier } = reading ?? {};
  const { tokens, cost } = spendingPerHand(reading);
  const truth = {
    figure: percentageOf(claims - wrong, claims),
    words: `true claims in its thoughts, ${claims - wrong} of ${claims}`,
  };
  const score = {
    figure: (brier ?? 0).toFixed(2),
    words: `Brier score of ${estimates} ${estimates === 1 ? "estimate" : "estimates"} (0.25 for 50% each time)`,
  };
  const spent = [
    { figure: tokens, words: "tokens a hand, by its own account" },
    { figure: cost, words: "for a hand's tokens, by its own account" },
  ].filter(({ figure }) => figure);
  return [...(claims ? [truth] : []), ...(estimates ? [score] : []), ...spent];
}

/**
 * A bot's spending on a hand, by its own account. A field is "" if the bot does not give it.
 *
 * @type {(reading: ReadingScores | null | undefined) => { tokens: string, cost: string }}
 */
export function spendingPerHand(reading) {
  const { hands = 0, tokens, cost_millionths: cost } = reading ?? {};
  return {
    tokens: hands && typeof tokens === "number" ? chips(Math.round(tokens / hands)) : "",
    cost: hands && typeof cost === "number" ? `$${(cost / 1_000_000 / hands).toFixed(5)}` : "",
  };
}

/** @type {(part: number, whole: number) => string} */
export function percentageOf(part, whole) {
  return `${Math.round((100 * part) / whole)}%`;
}
