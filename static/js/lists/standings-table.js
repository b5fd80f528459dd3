/**
 * The standings of the bots of a stage, updated after every hand. A line is drawn below the bots that advance.
 *
 * @import { Bot, State } from "../common/types.js"
 * @import { FollowedBots } from "../common/followed.js"
 */

import { el, emptyImage, setData, setText, showFace } from "../common/dom.js";
import { FollowButton, linkToBot } from "../common/followed.js";
import { chips, numberInWords, ordinal, percent } from "../common/format.js";
import { advancingCount, hasPlaces, rankBots, rankingMetric } from "../common/ranking.js";

/** The maximum number of rows in this list. The results page has all rows. */
const MAX_ROWS = 30;

/**
 * Makes the list. Its rows are created once and reused.
 *
 * @param {HTMLElement} host an empty list
 * @param {FollowedBots} followed
 * @param {string} channel where the bots play, "" for none
 * @param {(swatch: HTMLElement, bot: number) => void} [drawSwatch] draws a sample of a bot's line, if the page has
 *   graphs
 * @returns {(state: State) => string} draws the list, and returns a label for its numbers
 */
export function standingsTable(host, followed, channel, drawSwatch) {
  /** @type {ReturnType<typeof standingRow>[]} */
  const rows = [];
  const [words, apart] = [el("span."), el("span.")]; // `apart`: the gap between the bots next to the line
  const line = el("li.cut", words, apart);
  return (state) => {
    const metric = rankingMetric(state);
    const bots = rankBots(state).slice(0, MAX_ROWS);
    const ranksBefore = new Map(state.standings.rows.map((row) => [row.bot, row.rank]));
    const advancing = advancingCount(state, bots.length);
    const isRanked = hasPlaces(state);
    const nodes = bots.map((bot, index) => {
      const row = rows[index] ?? standingRow(followed, channel);
      rows[index] = row;
      const odds = state.scene === "champion" ? undefined : state.title_odds?.[bot.bot]?.at(-1);
      row.update(isRanked ? index + 1 : 0, bot, {
        words: isRanked ? metric.text(bot) : "",
        moved: (ranksBefore.get(bot.bot) ?? index + 1) - (index + 1),
        odds,
      });
      drawSwatch?.(row.swatch, bot.bot);
      return row.root;
    });
    if (advancing && isRanked) {
      const [above, below] = [bots[advancing - 1], bots[advancing]];
      const gap = above && below && !below.place ? metric.value(above) - metric.value(below) : 0;
      setText(words, `Top ${numberInWords(advancing)} ride on to ${state.stage?.next_title || "High Noon"}`);
      setText(apart, gap > 0 ? `${chips(gap)} apart` : "");
      nodes.splice(advancing, 0, line);
    }
    if (nodes.length !== host.children.length || nodes.some((node, index) => node !== host.children[index])) {
      host.replaceChildren(...nodes);
    }
    return state.scene === "champion" ? "final" : bots.length && isRanked ? metric.title : "";
  };
}

/**
 * @param {FollowedBots} followed
 * @param {string} channel
 */
function standingRow(followed, channel) {
  const [star, image] = [new FollowButton(followed), emptyImage()];
  const [rank, name, swatch] = [el("span.standing__rank"), el("bdi."), el("span.swatch")];
  const [link, moved] = [el("a.standing__name", name, swatch), el("span.standing__moved")];
  const [words, odds] = [el("span."), el("small.standing__odds")];
  const root = el("li.standing", star.root, rank, image, link, moved, el("span.standing__worth", words, odds));

  /**
   * @param {number} place 0 for none
   * @param {Bot} bot
   * @param {{ words: string, moved: number, odds: number | undefined }} about `moved`: places gained (+) or lost (-)
   *   since the last game; `odds`: the chance to win the title, in tenths of a percent
   */
  function update(place, bot, about) {
    setData(root, "followed", star.update(bot.name));
    setData(root, "out", bot.place > 1);
    setText(rank, place ? String(place) : "");
    showFace(image, bot);
    setText(name, bot.name);
    linkToBot(link, bot.name, channel);
    setData(moved, "way", about.moved > 0 ? "up" : about.moved < 0 ? "down" : "");
    setText(moved, about.moved ? `${about.moved > 0 ? "▲" : "▼"} ${Math.abs(about.moved)}` : "");
    setText(words, bot.place ? ordinal(bot.place) : about.words);
    setText(odds, about.odds && !bot.place ? `title ${percent(about.odds)}` : "");
  }

  return { root, swatch, update };
}
