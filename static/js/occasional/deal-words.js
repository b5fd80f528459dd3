/**
 * Explains words such as "deal" in a stage in which several tables play the same cards.
 *
 * @import { State } from "../common/types.js"
 */

import { numberInWords } from "../common/format.js";

/**
 * Says what bots are ranked by, and what a deal is: "Earned = profit − luck of the board; a deal is one hand at each of
 * six tables". Says nothing about deals before the first deal is over.
 *
 * @param {Pick<State, "deal" | "stage">} state
 */
export function explainDealWords({ stage, deal }) {
  const counts = stage?.decided_by === "earned" ? "Earned = profit − luck of the board" : "Profit = chips won or lost";
  if (!stage?.hands || !deal?.tables.length) return counts;
  const hands = `${numberInWords(stage.hands)} ${stage.hands === 1 ? "hand" : "hands"}`;
  return `${counts}; a deal is ${hands} at each of ${numberInWords(deal.tables.length)} tables`;
}
