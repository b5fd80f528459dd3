/**
 * How a bot plays, as poker trackers count it, each with how often it could have happened. Pure.
 *
 * @import { BotStatistics } from "./types.js"
 * @typedef {{ name: string, words: string, made: number, of: number }} Habit
 */

/**
 * @param {BotStatistics} row
 * @returns {Habit[]} what the bot has had the chance to do; `name` is the term, `words` say it
 */
export function habitsOf(row) {
  const all = [
    habit("VPIP", "plays its hand (VPIP)", row.vpip, row.vpip_chances),
    habit("PFR", "raises before the flop (PFR)", row.pfr, row.pfr_chances),
    habit("3-bet", "raises a raise (3-bet)", row.three_bets, row.three_bet_chances),
    habit("Fold to 3-bet", "folds to a 3-bet", row.three_bet_folds, row.three_bet_fold_chances),
    habit("C-bet", "raises, then bets the flop (c-bet)", row.c_bets, row.c_bet_chances),
    habit("Fold to c-bet", "folds to a c-bet", row.c_bet_folds, row.c_bet_fold_chances),
    habit("To showdown", "goes to showdown after the flop", row.showdowns, row.flops),
    habit("Won there", "wins at showdown", row.showdowns_won, row.showdowns),
    habit("Aggression", "bets or raises after the flop (aggression)", row.aggressive, row.aggressive_chances),
  ];
  return all.filter(({ of }) => of);
}

/**
 * @param {string} name
 * @param {string} words
 * @param {number} [made]
 * @param {number} [of]
 * @returns {Habit}
 */
function habit(name, words, made = 0, of = 0) {
  return { name, words, made, of };
}

/**
 * @param {number} part
 * @param {number} whole
 */
export function share(part, whole) {
  return `${Math.round((100 * part) / whole)}%`;
}
