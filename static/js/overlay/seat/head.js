/**
 * The head of a poster, in place of WANTED: the bot's role at this moment, or its place in the stage and the chips that
 * it has won or lost there. Pure.
 *
 * @import { Bot, Focus, State } from "../../common/types.js"
 */

import { ordinal, signed, wins } from "../../common/format.js";

/** @type {Record<Focus["role"], string>} */
const ROLES = { "": "", favourite: "FAVOURITE", "at risk": "AT RISK", bluffing: "BLUFFING", patient: "PATIENT" };

/** @type {(state: State, at: number) => string} "" if there is nothing to show yet */
export function headOf(state, at) {
  const { focus, bots, seats } = state;
  const role = focus.seat === at && !state.win ? ROLES[focus.role] : "";
  const bot = bots[seats[at]?.bot ?? 0];
  return role || (bot ? standing(state, bot) : "");
}

/** @type {(state: State, bot: Bot) => string} */
function standing({ stage, bots, history, tournament }, bot) {
  if (!stage || bot.place) return "";
  if (stage.series) return bot.wins ? wins(bot.wins) : "";
  const others = stage.bots.map((each) => bots[each]?.stack ?? 0);
  if (others.every((stack) => stack === others[0])) return "";
  const place = 1 + others.filter((stack) => stack > bot.stack).length;
  const gain = bot.stack - (history[bot.bot]?.[0] ?? tournament.starting_stack);
  return gain ? `${ordinal(place)}  ${signed(gain)}` : ordinal(place);
}
