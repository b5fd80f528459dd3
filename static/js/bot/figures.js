/**
 * Sums up a bot's play in figures and awards, from the statistics on air. No I/O.
 *
 * @import { State } from "../common/types.js"
 */

import { chips, signed } from "../common/format.js";
import { percentageOf, playStatistics, readingFigures } from "../common/statistics.js";

/** The title of the notice about the biggest pot of all. */
const BIGGEST_POT = "Biggest pot";

/**
 * Returns a bot's figures, or none before the bot's first hand is over. Leaves out figures that an award already gives,
 * and figures that depend on unknown cards.
 *
 * @type {(state: State, bot: number) => { figure: string, words: string }[]}
 */
export function figuresOf({ statistics }, bot) {
  const row = statistics.rows.find((each) => each.bot === bot);
  if (!row?.hands) return [];
  const { hands, faults = 0, luck = 0, earned, biggest_pot: pot = 0, biggest_with: kind } = row;
  const hasBiggest = statistics.notices.some((notice) => notice.bot === bot && notice.title === BIGGEST_POT);
  const think = row.answers ? (row.think_ms ?? 0) / row.answers : 0;
  const all = [
    { figure: chips(hands), words: hands === 1 ? "hand dealt" : "hands dealt" },
    typeof earned === "number" && { figure: signed(earned), words: "chips earned, not counting luck" },
    typeof earned === "number" && { figure: signed(luck), words: "chips of luck from the board" },
    ...playStatistics(row).map(({ words, made, chances }) => ({
      figure: percentageOf(made, chances),
      words: `${words}, ${made} of ${chances}`,
    })),
    !hasBiggest && { figure: chips(pot), words: kind ? `its biggest pot, with ${kind}` : "its biggest pot" },
    { figure: chips(faults), words: faults === 1 ? "fault" : "faults" },
    ...readingFigures(row.reading),
    think >= 1 && { figure: `${(think / 1000).toFixed(1)} s`, words: "for an answer" },
  ];
  return all.flatMap((each) => each || []);
}

/**
 * Returns how a bot's estimates of its chance to win compare with the real chances: "50-60%, 12 estimates: 47%".
 *
 * @type {(state: State, bot: number) => string[]}
 */
export function calibrationOf({ statistics }, bot) {
  const lines = statistics.rows.find((each) => each.bot === bot)?.reading?.calibration ?? [];
  return lines.flatMap(([estimates, , real], tenth) =>
    estimates
      ? [
          `${10 * tenth}-${10 * tenth + 10}%, ${estimates} ${estimates === 1 ? "estimate" : "estimates"}: ${Math.round(100 * real)}%`,
        ]
      : [],
  );
}

/**
 * Returns what makes a bot stand out, the final awards first: "Biggest pot this evening: 7,050 with a flush".
 *
 * @type {(state: State, bot: number) => string[]}
 */
export function awardsOf({ statistics }, bot) {
  const awards = statistics.awards ?? [];
  const titles = new Set(awards.map(({ title }) => title));
  const all = [...awards, ...statistics.notices.filter(({ title }) => !titles.has(title))];
  const own = all.filter((award) => award.bot === bot);
  return own.map(({ title, text }) => `${title} this evening: ${text}`);
}
