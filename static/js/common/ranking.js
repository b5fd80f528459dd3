/**
 * Ranks the bots of a stage at one moment. Says by which value they are ranked, and in which order. Also says how far
 * each bot is from advancing, or from being passed. No I/O.
 *
 * @import { Bot, State } from "./types.js"
 * @typedef {{ title: string, value: (bot: Bot) => number, text: (bot: Bot) => string }} RankingMetric
 */

import { chips, ordinal, ratingText, signed, winsText } from "./format.js";

/**
 * What bots are ranked by: in a series by games won, in a stage of deals (several tables play the same cards) by chips
 * per deal, in a season by ratings, otherwise by chips.
 *
 * @type {(state: Pick<State, "bots" | "stage" | "standings">) => RankingMetric}
 */
export function rankingMetric({ bots, stage, standings }) {
  const all = Object.values(bots);
  if (stage?.series) return { title: "games won", value: (bot) => bot.wins, text: (bot) => winsText(bot.wins) };
  if (stage?.deals) {
    const perDeal = new Map(standings.rows.map((row) => [row.bot, row.per_deal ?? 0]));
    const value = (/** @type {Bot} */ { bot }) => perDeal.get(bot) ?? 0;
    const title = stage.decided_by === "earned" ? "earned per deal" : "chips per deal";
    return { title, value, text: (bot) => signed(value(bot)) };
  }
  if (all.length && all.every((bot) => bot.rating)) {
    return { title: "by rating", value: (bot) => bot.rating, text: (bot) => ratingText(bot.rating) };
  }
  return { title: "chips", value: (bot) => bot.stack, text: (bot) => chips(bot.stack) };
}

/**
 * Returns the bots of the stage, or all bots before the first stage. The best bot comes first. Bots that are out come
 * last. In a series that is not over, bots are first sorted by games won.
 *
 * @param {State} state
 * @returns {Bot[]}
 */
export function rankBots(state) {
  const { bots, stage, placings } = state;
  const { value } = rankingMetric(state);
  const places = new Map(placings.map((line) => [line.bot, line.place]));
  const botNumbers = stage && !placings.length ? stage.bots : Object.keys(bots).map(Number);
  const isOpenSeries = stage?.series && !placings.length;
  return botNumbers
    .flatMap((number) => bots[number] ?? [])
    .map((bot) => ({ ...bot, place: places.get(bot.bot) ?? bot.place }))
    .sort(
      (one, other) =>
        (isOpenSeries ? other.wins - one.wins : 0) || one.place - other.place || value(other) - value(one),
    );
}

/**
 * Whether bots have places. In a stage of deals, no bot has a place until the first deal is over.
 *
 * @param {State} state
 */
export function hasPlaces({ stage, standings, placings }) {
  return !stage?.deals || placings.length > 0 || standings.rows.length > 0;
}

/** How many of `count` bots advance, or 0 if none or all of them do. @type {(state: State, count: number) => number} */
export function advancingCount({ scene, stage }, count) {
  const advance = scene === "champion" ? 0 : (stage?.advance ?? 0);
  return advance < count ? advance : 0;
}

/**
 * Returns a bot's place among `count` bots, and how far the bot is from advancing or from being passed: "1,125 short of
 * 6th", "325 ahead of 7th" or "level with 7th". If none or all bots advance, the distance is "".
 *
 * @param {State} state
 * @param {number} number the bot's number
 * @returns {{ place: number, count: number, distance: string }} `place` is 0 if the bot has none
 *   yet, or is not in this stage
 */
export function placeAndDistance(state, number) {
  const bots = rankBots(state);
  const index = bots.findIndex(({ bot }) => bot === number);
  const [rankedBot, advancing] = [bots[index], advancingCount(state, bots.length)];
  const place = hasPlaces(state) ? rankedBot?.place || index + 1 : 0;
  const isAboveLine = index < advancing;
  const other = bots[isAboveLine ? advancing : advancing - 1];
  if (!rankedBot || rankedBot.place || !advancing || !other || rankingMetric(state).title !== "chips") {
    return { place, count: bots.length, distance: "" };
  }
  const chipsApart = Math.abs(rankedBot.stack - (other.place ? 0 : other.stack));
  const line = ordinal(isAboveLine ? advancing + 1 : advancing);
  const distance = chipsApart
    ? `${chips(chipsApart)} ${isAboveLine ? "ahead of" : "short of"} ${line}`
    : `level with ${line}`;
  return { place, count: bots.length, distance };
}
