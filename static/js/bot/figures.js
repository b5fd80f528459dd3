/**
 * How a bot plays, in a few figures, and what stands out: from the statistics that were on air. Pure.
 *
 * @import { State, BotStatistics } from "../common/types.js"
 * @typedef {{ figure: string, words: string }} Figure
 */

import { chips, signed } from "../common/format.js";
import { habitsOf, share } from "../common/statistics.js";

/** The title of the notice that tells the biggest pot of all. */
const BIGGEST_POT = "Biggest pot";

/**
 * @param {State} state
 * @param {number} bot
 * @returns {Figure[]} none before its first hand is over; what an award tells is not told twice
 */
export function figuresOf({ statistics }, bot) {
  const row = statistics.rows.find((each) => each.bot === bot);
  if (!row?.hands) return [];
  const hasBiggest = statistics.notices.some((notice) => notice.bot === bot && notice.title === BIGGEST_POT);
  return counts(row, hasBiggest);
}

/**
 * What a bot stands out for among all bots; the awards at the end first.
 *
 * @param {State} state
 * @param {number} bot
 * @returns {string[]} "Biggest pot this evening: 7,050 with a flush"
 */
export function awardsOf({ statistics }, bot) {
  const awards = statistics.awards ?? [];
  const titles = new Set(awards.map(({ title }) => title));
  const all = [...awards, ...statistics.notices.filter(({ title }) => !titles.has(title))];
  const own = all.filter((award) => award.bot === bot);
  return own.map(({ title, text }) => `${title} this evening: ${text}`);
}

/**
 * @param {BotStatistics} row
 * @param {boolean} hasBiggest whether its biggest pot is told elsewhere
 */
function counts(row, hasBiggest) {
  const { hands = 0, faults = 0, answers = 0, think_ms: thought = 0 } = row;
  const think = answers ? thought / answers : 0;
  return [
    { figure: chips(hands), words: hands === 1 ? "hand dealt" : "hands dealt" },
    ...luckOf(row),
    ...habitsOf(row).map(({ words, made, of }) => ({ figure: share(made, of), words: `${words}, ${made} of ${of}` })),
    ...(hasBiggest ? [] : [biggestPot(row)]),
    { figure: chips(faults), words: faults === 1 ? "fault" : "faults" },
    ...(think >= 1 ? [{ figure: `${(think / 1000).toFixed(1)} s`, words: "for an answer" }] : []),
  ];
}

/**
 * @param {BotStatistics} row
 * @returns {Figure[]} none where it depends on cards that nobody knows
 */
function luckOf({ luck = 0, earned }) {
  if (typeof earned !== "number") return [];
  return [
    { figure: signed(earned), words: "chips earned, luck taken out" },
    { figure: signed(luck), words: "chips of luck with the board" },
  ];
}

/** @param {BotStatistics} row */
function biggestPot({ biggest_pot: pot = 0, biggest_with: kind }) {
  return { figure: chips(pot), words: kind ? `its biggest pot, with ${kind}` : "its biggest pot" };
}
