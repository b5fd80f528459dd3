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
  const seat = seats[at];
  // A bot that cannot lose is neither a favourite nor at risk.
  const role = focus.seat === at && !state.win && seat?.win !== 1000 ? ROLES[focus.role] : "";
  const bot = bots[seat?.bot ?? 0];
  return role || (bot ? standing(state, bot) : "");
}

/** @type {(state: State, bot: Bot) => string} */
function standing({ stage, bots, seats, win, history, tournament }, bot) {
  if (!stage || bot.place) return "";
  if (stage.series) return bot.wins ? wins(bot.wins) : "";
  // Once pots are awarded, the chips on the posters count, and no longer those from before the hand.
  const awarded = new Map(win ? seats.map((seat) => [seat.bot, seat.stack]) : []);
  const stackOf = (/** @type {number} */ each) => awarded.get(each) ?? bots[each]?.stack ?? 0;
  const others = stage.bots.map(stackOf);
  if (others.every((stack) => stack === others[0])) return "";
  const stack = stackOf(bot.bot);
  const place = 1 + others.filter((other) => other > stack).length;
  const gain = stack - (history[bot.bot]?.[0] ?? tournament.starting_stack);
  return gain ? `${ordinal(place)}  ${signed(gain)}` : ordinal(place);
}
