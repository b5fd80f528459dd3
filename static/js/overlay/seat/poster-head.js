/**
 * The words above the photo on a WANTED poster: the bot's role at this moment, or its place in the stage and how far
 * the bot is from the line above which bots advance. In a stage without such a line, the words say by how many chips
 * the bot is up or down. No I/O.
 *
 * @import { Bot, Focus, Seat, State } from "../../common/types.js"
 */

import { chips, ordinal, placeOf, winsText } from "../../common/format.js";
import { gapsToLine } from "../parts/advance-line.js";

/** @type {Record<Focus["role"], string>} */
const ROLES = { "": "", favourite: "FAVOURITE", "at risk": "AT RISK", bluffing: "BLUFFING", patient: "PATIENT" };

/** @type {(state: State, seatIndex: number) => string} "" if there is nothing to show yet */
export function headOf(state, seatIndex) {
  const bot = state.bots[state.seats[seatIndex]?.bot ?? 0];
  return ROLES[roleOf(state, seatIndex)] || (bot ? standingText(state, bot) : "");
}

/**
 * A bot's role. Every bot that may lose its last chips is at risk.
 *
 * @type {(state: State, seatIndex: number) => Focus["role"]}
 */
export function roleOf({ focus, seats, win }, seatIndex) {
  const seat = seats[seatIndex];
  // A bot that cannot lose has no role.
  if (win || !seat || (seat.win ?? 0) + (seat.tie ?? 0) >= 1000) return "";
  if (focus.role === "at risk") return isAllIn(seat) ? "at risk" : "";
  return focus.seat === seatIndex ? focus.role : "";
}

/** @param {Seat} seat */
function isAllIn({ stack, dealt_in, folded }) {
  return !stack && dealt_in && !folded;
}

/** @type {(state: State, bot: Bot) => string} */
function standingText(state, bot) {
  const { stage, bots, seats, win, history, tournament, standings } = state;
  if (!stage || bot.place) return "";
  if (stage.deals) {
    const row = standings.rows.find((each) => each.bot === bot.bot);
    return row ? ordinal(row.rank) : "";
  }
  if (stage.series) return bot.wins ? winsText(bot.wins) : "";
  // Until pots are awarded, the chips from before the hand decide the place. Afterwards, the stacks at the seats do.
  const awarded = new Map(win ? seats.map((seat) => [seat.bot, seat.stack]) : []);
  const stackOf = (/** @type {number} */ each) => awarded.get(each) ?? bots[each]?.stack ?? 0;
  const stack = stackOf(bot.bot);
  const others = stage.bots.filter((each) => each !== bot.bot).map(stackOf);
  if (others.every((other) => other === stack)) return "";
  const place = placeOf(stack, others);
  const gap = gapsToLine(state, stackOf).get(bot.bot);
  if (gap !== undefined) return gap ? `${place}  ${chips(Math.abs(gap))} ${gap > 0 ? "above" : "below"}` : place;
  const gain = stack - (history[bot.bot]?.[0] ?? tournament.starting_stack);
  return gain ? `${place}  ${gain > 0 ? "up" : "down"} ${chips(Math.abs(gain))}` : place;
}
