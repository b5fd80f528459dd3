/**
 * The line between the bots that advance from a stage and the bots that do not. No I/O.
 *
 * @import { State } from "../../common/types.js"
 */

/**
 * Returns by how many chips each remaining bot is above the line. Below the line, the number is negative. A bot above
 * the line is compared with the first bot below the line. A bot below the line is compared with the last bot above the
 * line.
 *
 * @param {State} state
 * @param {(bot: number) => number} stackOf
 * @returns {Map<number, number>} keyed by bot, or empty if there is no line
 */
export function gapsToLine({ stage, bots }, stackOf) {
  if (!stage?.advance || stage.deals) return new Map();
  const remainingBots = stage.bots.filter((bot) => bots[bot]?.stack && !bots[bot].place);
  const ranked = remainingBots.sort((one, other) => stackOf(other) - stackOf(one));
  const [lastAbove, firstBelow] = [ranked[stage.advance - 1], ranked[stage.advance]];
  if (lastAbove === undefined || firstBelow === undefined) return new Map();
  return new Map(
    ranked.map((bot, rank) => [bot, stackOf(bot) - stackOf(rank < stage.advance ? firstBelow : lastAbove)]),
  );
}
