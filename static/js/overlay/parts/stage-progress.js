/**
 * The right side of the lower third: what is at stake on the way to the next stage. It says one thing at a time: how
 * long the stage lasts, who advances, how many bots are left, what the next elimination decides, or how near a bot is
 * to the line above which bots advance. In a match of two, it says who leads, or how many hands are left. No I/O.
 *
 * @import { Game, Hand, Seat, Stage, State } from "../../common/types.js"
 * @typedef {{ lead: string, rest: string }} StakesLine `lead` is bright, `rest` is plain
 */

import {
  capitalize,
  chips,
  money,
  numberInWords,
  ordinal,
  placeOf,
  prizesOf,
  shortNameAmong,
  stageRewards,
} from "../../common/format.js";
import { gapsToLine } from "./advance-line.js";

/** A bot is near the line if it is above or below the line by at most this share of an average stack. */
const NEAR_LINE_SHARE = 0.5;

/** @type {(state: State) => StakesLine[]} [] if there is nothing to say */
export function stakesLines(state) {
  const { stage, game, hand } = state;
  if (stage?.advance && !stage.deals && stage.games > 1 && game && !game.over && !hand) {
    return [{ lead: `Until ${numberInWords(stage.advance)} are left`, rest: `or ${stage.games} games` }];
  }
  const handLine = stage && !stage.series && !stage.deals && hand && !hand.over ? lineDuringHand(state, stage) : null;
  if (handLine) return [handLine];
  const botsLeft = stage ? remainingBots(state, stage).length : 0;
  if (stage?.advance && hand && botsLeft < stage.bots.length && hand.hand % 2 === 0)
    return [placesLeft(stage, botsLeft)];
  // Prizes or places are shown between hands, and in the first and the last hand of a game.
  const isDue = !game || !hand || hand.over || hand.hand === 1 || hand.hand === game.hands;
  if (isDue) return stageRewards(state);
  const isMatch = stage && !stage.advance && !stage.series && !stage.deals && state.seats.length === 2;
  return isMatch ? matchLines(state, hand, game) : [];
}

/**
 * Returns one fact about a match of two: its prizes, who leads, or how many hands are left. Each hand shows the next of
 * these facts.
 *
 * @type {(state: State, hand: Hand, game: Game) => StakesLine[]}
 */
function matchLines(state, { hand }, { hands }) {
  const handsLeft = hands - hand;
  if (handsLeft > 0 && hand % 3 === 0)
    return [{ lead: `${handsLeft} ${handsLeft === 1 ? "hand" : "hands"}`, rest: "to go" }];
  if (hand % 3 === 1) return stageRewards(state);
  const stackOf = (/** @type {number} */ bot) => state.bots[bot]?.stack ?? 0;
  const [first = 0, second = 0] = state.seats.map(({ bot }) => bot).sort((one, other) => stackOf(other) - stackOf(one));
  const gap = stackOf(first) - stackOf(second);
  return [
    gap ? { lead: shortNameAmong(state.bots, first), rest: `leads by ${chips(gap)}` } : { lead: "All level", rest: "" },
  ];
}

/** The bots of the stage that have chips left. @type {(state: State, stage: Stage) => number[]} */
function remainingBots({ bots: all }, stage) {
  return stage.bots.filter((bot) => all[bot]?.stack && !all[bot].place);
}

/** @type {(stage: Stage, botsLeft: number) => StakesLine} */
function placesLeft(stage, botsLeft) {
  const out = stage.bots.length - botsLeft;
  return {
    lead: `${capitalize(numberInWords(out))} out,`,
    rest: `${numberInWords(botsLeft)} left for ${numberInWords(stage.advance)} places`,
  };
}

/** @type {(state: State, stage: Stage) => StakesLine | null} */
function lineDuringHand(state, stage) {
  const { seats, board, win } = state;
  const live = seats.filter((seat) => seat.dealt_in && !seat.folded);
  if (!win && live.length > 1 && live.some((seat) => seat.all_in && !seat.stack)) return nextElimination(state, stage);
  return !win && board.length && stage.advance ? nearestToLine(state, stage, live) : null;
}

/** What the next elimination decides. @type {(state: State, stage: Stage) => StakesLine} */
function nextElimination(state, stage) {
  const botsLeft = remainingBots(state, stage).length;
  if (stage.advance && botsLeft === stage.advance + 1) {
    return { lead: "One more out", rest: `and ${numberInWords(stage.advance)} ride on` };
  }
  const prize = stage.advance ? 0 : (prizesOf(state)[botsLeft - 1] ?? 0);
  return { lead: "Next one out", rest: prize ? `is ${ordinal(botsLeft)}: ${money(prize)}` : `is ${ordinal(botsLeft)}` };
}

/** Which bot in the hand is nearest to the line. @type {(state: State, stage: Stage, live: Seat[]) => StakesLine | null} */
function nearestToLine(state, stage, live) {
  const remaining = remainingBots(state, stage);
  const stackOf = (/** @type {number} */ bot) => state.bots[bot]?.stack ?? 0;
  const average = remaining.reduce((sum, bot) => sum + stackOf(bot), 0) / remaining.length;
  const gaps = gapsToLine(state, stackOf);
  const [nearest] = live
    .map(({ bot }) => ({ bot, gap: gaps.get(bot) ?? 0 }))
    .filter(({ gap }) => gap && Math.abs(gap) <= NEAR_LINE_SHARE * average)
    .sort((one, other) => Math.abs(one.gap) - Math.abs(other.gap));
  if (!nearest) return null;
  const others = remaining.filter((bot) => bot !== nearest.bot).map(stackOf);
  const where = `${chips(Math.abs(nearest.gap))} ${nearest.gap > 0 ? "above" : "below"} the line`;
  return { lead: shortNameAmong(state.bots, nearest.bot), rest: `${placeOf(stackOf(nearest.bot), others)}, ${where}` };
}
