/**
 * The champion: a large poster in front of the risen sun, two posters on lower steps, and a list of all other bots with
 * their prizes.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { Placing, State } from "../../common/types.js"
 */

import { el, emptyImage, position, redraw, setData, showFace } from "../../common/dom.js";
import { BOLD_FONT, fitText, TITLE_FONT, widthOf } from "../../common/fit-text.js";
import { chips, money, ordinal, percent, shortNameAmong, signed, upperCase, winsText } from "../../common/format.js";
import { rankingMetric } from "../../common/ranking.js";
import { sunrise } from "../parts/scenery.js";
import { Poster } from "../seat/poster.js";
import { posterShape } from "./lineup.js";

/**
 * `steps`: the boxes of the first three posters and the tops of the steps below them; `wider`: how far steps stick out
 * on each side; `floor`: the bottom of the steps; `listed`: the maximum number of bots in a list with faces (a longer
 * list has smaller lines); `beside`: the width of a name beside games won or chips per deal; `sun`: the distance of the
 * sun's middle from the top.
 */
const LAYOUTS = {
  wide: {
    steps: [
      { box: { left: 770, top: 152, width: 380, height: 510 }, step: 664 },
      { box: { left: 372, top: 290, width: 310, height: 404 }, step: 696 },
      { box: { left: 1252, top: 322, width: 290, height: 384 }, step: 708 },
    ],
    ...{ wider: 20, floor: 822, listed: 4, beside: 150, sun: 468 },
  },
  tall: {
    steps: [
      { box: { left: 240, top: 244, width: 300, height: 440 }, step: 690 },
      { box: { left: 36, top: 372, width: 194, height: 340 }, step: 718 },
      { box: { left: 550, top: 400, width: 194, height: 320 }, step: 726 },
    ],
    ...{ wider: 0, floor: 834, listed: 6, beside: 98, sun: 600 },
  },
};

/** The maximum number of smaller lines in the list. If there are more bots, the last line has the bot in last place. */
const MAX_LISTED = 10;

/** The scene at the end of the show. */
export class ChampionScene {
  /** The layer of particles, behind posters and prizes. */
  behind = el("behind");
  #layout;
  #title = el("champion__title");
  #steps = el("champion__steps");
  #list = el("champion__list");
  /** @type {Poster[]} the winner's poster comes last */
  posters = [];
  sun = el("sunrise__sun");

  /** @param {Size} size */
  constructor(size) {
    this.#layout = LAYOUTS[size.shape];
    const rising = sunrise(size, this.#layout.sun, this.sun);
    this.root = el("scene scene--champion", this.behind, rising, this.#title, this.#steps, this.#list);
  }

  /** @param {State} state */
  update(state) {
    const { placings, stage } = state;
    const title = state.bots[placings[0]?.bot ?? 0] ? "Champion" : state.tournament.title;
    fitText(this.#title, upperCase(title), { ...TITLE_FONT, width: 700, size: 84, minSize: 40 });
    const bots = Object.values(state.bots).map((bot) => [bot.name, bot.avatar, bot.wins, bot.gone]);
    const redrawKey = [
      placings,
      stage?.series,
      bots,
      stage?.deals && [stage.decided_by, state.standings.rows, state.title_odds],
    ];
    redraw(this.#steps, redrawKey, () => {
      this.posters = [];
      return this.#layout.steps.flatMap((_, index) => this.#drawStep(state, index));
    });
    let rest = placings.slice(3);
    if (rest.length > MAX_LISTED) rest = [...rest.slice(0, MAX_LISTED - 1), ...rest.slice(-1)];
    const small = rest.length > this.#layout.listed;
    setData(this.#list, "small", small);
    redraw(this.#list, redrawKey, () => rest.map((line) => makeListRow(state, line, small, this.#layout.beside)));
    this.#list.hidden = rest.length === 0;
  }

  /** @type {(state: State, index: number) => HTMLElement[]} */
  #drawStep(state, index) {
    const [line, step] = [state.placings[index], this.#layout.steps[index]];
    if (!line || !step) return [];
    const { box, step: top } = step;
    const bot = state.bots[line.bot];
    const poster = new Poster(posterShape(box), index + 2);
    poster.update({ stack: line.stack, place: 0, won: index ? 0 : 1 }, bot);
    // Only the champion's poster is wide enough for the unit, such as "earned per deal".
    if (!countsChips(state)) poster.writeStack(index && bot ? rankingMetric(state).text(bot) : resultOf(state, line));
    this.posters.unshift(poster);
    const prize = el("step__prize");
    const isPaid = state.placings.some((other) => other.prize_cents);
    const reached = state.stage?.deals ? "" : resultOf(state, line); // a result per deal would be too wide here
    const words = prizeOf(state, line) || (isPaid ? "no prize" : reached);
    fitText(prize, words, { width: box.width - (index ? 92 : 118), size: index ? 52 : 80, minSize: 36, weight: 700 });
    const { wider, floor } = this.#layout;
    const width = box.width + 2 * wider;
    const player = el("step__player");
    const paid = line.prize_cents ? bot?.player : "";
    const titleOdds = state.stage?.deals && !index ? state.title_odds[line.bot]?.at(-1) : undefined;
    const about = [
      paid && `to ${paid}`,
      titleOdds !== undefined && `${percent(titleOdds)} likely to be the best bot`,
      bot?.gone && `gone since ${bot.gone}`,
    ];
    fitText(player, about.filter(Boolean).join(", "), { width: width - 30, size: 34 });
    const block = el("step", el("step__head", el("step__place", ordinal(line.place)), prize), player);
    setData(block, "step", index + 1);
    position(block, { left: box.left - wider, top, width, height: floor - top });
    return [block, poster.root];
  }
}

/**
 * Returns the prize that a bot wins for its player. A player with two bots gets only the better bot's prize. For the
 * other bot, returns "paid as 2nd".
 *
 * @param {State} state
 * @param {Placing} line
 * @returns {string} "" for nothing
 */
function prizeOf(state, line) {
  if (line.prize_cents) return money(line.prize_cents);
  const player = state.bots[line.bot]?.player;
  const better = state.placings.find((other) => other.prize_cents && state.bots[other.bot]?.player === player);
  return player && better && better.place < line.place ? `paid as ${ordinal(better.place)}` : "";
}

/** @param {State} state */
function countsChips({ stage }) {
  return !stage?.series && !stage?.deals;
}

/** The bot's result: "12,000", "5 wins" or "+305 earned per deal". @type {(state: State, line: Placing) => string} */
function resultOf(state, { bot, stack }) {
  if (countsChips(state)) return chips(stack);
  if (state.stage?.series) return winsText(state.bots[bot]?.wins ?? 0);
  const mean = state.standings.rows.find((row) => row.bot === bot)?.per_deal;
  return mean === undefined ? "" : `${signed(mean)} ${rankingMetric(state).title}`;
}

/**
 * @param {State} state
 * @param {Placing} line
 * @param {boolean} isSmall
 * @param {number} besideWidth the width of a name beside games won or chips per deal
 */
function makeListRow(state, line, isSmall, besideWidth) {
  const bot = state.bots[line.bot];
  const counts = !countsChips(state);
  const isPaid = state.placings.some((other) => other.prize_cents);
  const reached = bot && counts && !(isPaid && state.stage?.deals) ? rankingMetric(state).text(bot) : "";
  const shown = prizeOf(state, line) || reached;
  const width = isSmall ? 216 - Math.min(108, widthOf(shown, BOLD_FONT) * 28) : counts ? besideWidth : 168;
  const room = isSmall ? { width, size: 28, height: 30 } : { width, size: 30, height: 60 };
  const whole = bot?.name ?? "";
  const isLong = widthOf(whole) * room.size * 20 > width * room.height;
  const name = el("listed__name");
  const called = isLong ? shortNameAmong(state.bots, line.bot) : whole;
  fitText(name, `${called}${bot?.gone ? " (gone)" : ""}`, { ...room, isRunningText: true });
  const rank = el("listed__place", ordinal(line.place));
  const prize = el("listed__prize");
  const lines = isSmall ? { size: 28, lines: 1 } : { size: 36, lines: 2 };
  fitText(prize, shown, { width: 104, weight: 700, wrappedSize: 28, ...lines });
  const photo = isSmall ? [] : [el("listed__photo", showFace(emptyImage(), bot))];
  return el("listed", rank, ...photo, name, prize);
}
