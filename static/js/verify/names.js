/**
 * Checks the names in a recording: one that no contest ever admitted was put in afterwards.
 */

import { must } from "./rules/refutation.js";

const MOST_LETTERS = 100;
/** Controls, private use, line ends, and what draws nothing; joiners and variation selectors have their places. */
const NEVER =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]|(?!\u200c|\u200d|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])\p{DI}/u;
const BLANK = /^[\s\p{DI}]*(\p{M}|$)/u;
const STACKED = /\p{M}{9}/u;

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
  if (BLANK.test(name)) return "it is blank";
  return STACKED.test(name.normalize("NFC")) ? "it stacks more than 8 combining marks" : "";
}
