/**
 * How a bot plays, in a few figures, and what stands out: from the statistics that were on air. Pure.
 *
 * @import { BotStatistics, State } from "../common/types.js"
 * @typedef {{ figure: string, words: string }} Figure
 */

import { chips } from "../common/format.js";

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
 * What a bot stands out for among all bots.
 *
 * @param {State} state
 * @param {number} bot
 * @returns {string[]} "Biggest pot this evening: 7,050 with a flush"
 */
export function awardsOf({ statistics }, bot) {
  const own = statistics.notices.filter((notice) => notice.bot === bot);
  return own.map(({ title, text }) => `${title} this evening: ${text}`);
}

/**
 * @param {BotStatistics} row
 * @param {boolean} hasBiggest whether its biggest pot is told elsewhere
 */
function counts(row, hasBiggest) {
  const figures = [
    { figure: chips(row.hands), words: row.hands === 1 ? "hand dealt" : "hands dealt" },
    { figure: share(row.vpip, row.hands), words: "of hands played" },
    { figure: share(row.pfr, row.hands), words: "raised before the flop" },
    { figure: `${row.showdowns_won} of ${row.showdowns}`, words: "showdowns won" },
    ...(hasBiggest ? [] : [biggestPot(row)]),
    { figure: chips(row.faults), words: row.faults === 1 ? "fault" : "faults" },
  ];
  const think = row.answers ? row.think_ms / row.answers : 0;
  return think >= 1 ? [...figures, { figure: `${(think / 1000).toFixed(1)} s`, words: "for an answer" }] : figures;
}

/** @param {BotStatistics} row */
function biggestPot({ biggest_pot: pot, biggest_with: kind }) {
  return { figure: chips(pot), words: kind ? `its biggest pot, with ${kind}` : "its biggest pot" };
}

/**
 * @param {number} part
 * @param {number} whole
 */
function share(part, whole) {
  return `${Math.round((100 * part) / whole)}%`;
}
