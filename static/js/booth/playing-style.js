/**
 * Describes how a bot plays, in sentences with numbers. No I/O.
 *
 * @import { BotStatistics } from "../common/types.js"
 */

import { percentageOf } from "../common/statistics.js";

/** A style is shown only once the bot has played at least this many hands. */
const MIN_HANDS = 8;
/** A share of hands or acts is shown only if there are at least this many of them. */
const MIN_CHANCES = 4;
/**
 * A bot is patient if it plays at most PATIENT_SHARE of its hands, and loose if it plays at least LOOSE_SHARE.
 */
const PATIENT_SHARE = 0.2;
const LOOSE_SHARE = 0.4;
/**
 * A bot "raises most" if it raises at least RAISES_MOST_SHARE of the hands that it plays. It "raises few" if it raises
 * at most RAISES_FEW_SHARE of these hands.
 */
const RAISES_MOST_SHARE = 0.6;
const RAISES_FEW_SHARE = 0.3;
/**
 * A bot "attacks" after the flop if at least ATTACKING_SHARE of its acts are bets and raises. It is "passive" if at
 * most PASSIVE_SHARE of its acts are bets and raises.
 */
const ATTACKING_SHARE = 0.6;
const PASSIVE_SHARE = 0.3;

/** Sentences on how a bot plays. @type {(row: BotStatistics | undefined) => string[]} */
export function styleOf(row) {
  const { hands = 0, vpip = 0, vpip_chances: chances = 0, pfr = 0 } = row ?? {};
  if (!row || hands < MIN_HANDS || !chances)
    return [`Too early to tell: ${hands === 1 ? "one hand" : `${hands} hands`} so far.`];
  const played = `${percentageOf(vpip, chances)} of hands (${vpip} of ${chances})`;
  const sentences = [
    chooseByShare(vpip / chances, PATIENT_SHARE, LOOSE_SHARE, [
      `Patient: plays ${played}.`,
      `Plays ${played}.`,
      `Loose: plays ${played}.`,
    ]),
  ];
  if (vpip >= MIN_CHANCES) {
    const raised = `before the flop (${pfr} of ${vpip})`;
    sentences.push(
      chooseByShare(pfr / vpip, RAISES_FEW_SHARE, RAISES_MOST_SHARE, [
        `Mostly calls; raises few of them ${raised}.`,
        `Raises some of them ${raised}.`,
        `Raises most of them ${raised}.`,
      ]),
    );
  }
  return [...sentences, ...afterFlop(row)];
}

/** @param {BotStatistics} row */
function afterFlop({ aggressive = 0, aggressive_chances: chances = 0, faults = 0 }) {
  const said = [];
  if (chances >= MIN_CHANCES) {
    const often = `(bets or raises ${aggressive} of ${chances} times)`;
    said.push(
      chooseByShare(aggressive / chances, PASSIVE_SHARE, ATTACKING_SHARE, [
        `Passive after the flop ${often}.`,
        `Mixes calls and bets after the flop ${often}.`,
        `Attacks after the flop ${often}.`,
      ]),
    );
  }
  if (faults) said.push(faults === 1 ? "One fault so far." : `${faults} faults so far.`);
  return said;
}

/** @type {(part: number, low: number, high: number, words: [string, string, string]) => string} */
function chooseByShare(part, low, high, [few, some, many]) {
  return part <= low ? few : part >= high ? many : some;
}
