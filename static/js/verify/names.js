/**
 * Checks the names in a recording: one that no contest ever admitted was put in afterwards.
 */

import { must } from "./rules/refutation.js";

const MOST_LETTERS = 100;
/** Control, format, private use, line ends; and letters that draw nothing. */
const NEVER = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]|\u034f|\u17b4|\u17b5/u;
const STACKED = /\p{M}{3}/u;

/**
 * Throws Refuted if a bot or a player has a name that no contest ever admitted.
 *
 * @param {readonly { bot: number, name: string, player?: string }[]} entrants
 */
export function checkNames(entrants) {
  for (const { bot, name, player } of entrants) {
    checkName(name, `the name of bot ${bot}`);
    if (player) checkName(player, `the name of the player of bot ${bot}`);
  }
}

/**
 * Throws Refuted if no contest ever admitted `name`.
 *
 * @param {string} name
 * @param {string} what it is the name of
 */
export function checkName(name, what) {
  const why = neverAdmitted(name);
  must(!why, `${what} was never admitted: ${why}`);
}

/** @param {string} name */
function neverAdmitted(name) {
  if ([...name].length > MOST_LETTERS) return `it is longer than ${MOST_LETTERS} characters`;
  if (NEVER.test(name)) return "it holds characters that nobody can see";
  if (!name.trim() || /^\s*\p{M}/u.test(name)) return "it is blank";
  return STACKED.test(name.normalize("NFC")) ? "it stacks more than 2 combining marks" : "";
}
