/**
 * How a bot plays, in a few figures, and what stands out: from the statistics that were on air. Pure.
 *
 * @import { BotStatistics, State } from "../common/types.js"
 * @typedef {{ figure: string, words: string }} Figure
 */

import { chips } from "../common/format.js";

/**
 * @param {State} state
 * @param {number} bot
 * @returns {Figure[]} none before its first hand is over
 */
export function figuresOf({ statistics }, bot) {
  const row = statistics.rows.find((each) => each.bot === bot);
  if (!row?.hands) return [];
  const own = statistics.notices.filter((notice) => notice.bot === bot);
  return [...counts(row), ...own.map(({ title, text }) => ({ figure: title, words: text }))];
}

/** @param {BotStatistics} row */
function counts(row) {
  const figures = [
    { figure: chips(row.hands), words: row.hands === 1 ? "hand dealt" : "hands dealt" },
    { figure: share(row.vpip, row.hands), words: "of hands played" },
    { figure: share(row.pfr, row.hands), words: "raised before the flop" },
    { figure: `${row.showdowns_won} of ${row.showdowns}`, words: "showdowns won" },
    {
      figure: chips(row.biggest_pot),
      words: row.biggest_with ? `biggest pot, with ${row.biggest_with}` : "biggest pot",
    },
    { figure: chips(row.faults), words: row.faults === 1 ? "fault" : "faults" },
  ];
  const think = row.answers ? row.think_ms / row.answers : 0;
  return think >= 1 ? [...figures, { figure: `${(think / 1000).toFixed(1)} s`, words: "for an answer" }] : figures;
}

/**
 * @param {number} part
 * @param {number} whole
 */
function share(part, whole) {
  return `${Math.round((100 * part) / whole)}%`;
}
