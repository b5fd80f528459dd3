/**
 * The two lists of the front page. One has the best hands, each with its mark ("Bad beat"), its bots and a link. The
 * other has the bots that the visitor follows, with their places and links to their pages.
 *
 * @import { Highlight, State } from "../common/types.js"
 * @import { FollowedBots } from "../common/followed.js"
 * @import { FilmHand } from "../replay/film/film.js"
 */

import { momentAddress } from "../common/addresses.js";
import { el, emptyImage, link, redraw, setData, showFace } from "../common/dom.js";
import { linkToBot } from "../common/followed.js";
import { capitalize, ordinal } from "../common/format.js";
import { placeAndDistance, rankBots } from "../common/ranking.js";
import { whichHand } from "../replay/film/film.js";

/** The maximum number of hands that are shown. */
const MAX_BEST = 3;
const NAME_LIST = new Intl.ListFormat("en-GB");

/**
 * Draws the best hands into an empty list, and returns whether there are any.
 *
 * @param {HTMLElement} host
 * @param {FollowedBots} followed
 * @param {string} channel
 * @param {State} state
 * @param {FilmHand[]} hands the show's known hands, indexed by their numbers in the show
 */
export function drawBestHands(host, followed, channel, { marks, bots }, hands) {
  // Returns a hand's number in the show, or -1 if the number is not known yet. In a season, every game has the
  // number 1, so several hands may match. The last match is taken.
  const numberOf = (/** @type {Highlight} */ { game, hand, mark }) =>
    hands.findLastIndex((each) => each.game === game && each.hand === hand && each.marks.includes(mark));
  const whichOf = (/** @type {Highlight} */ { game, hand }) =>
    capitalize(whichHand(hands.findLast((each) => each.game === game && each.hand === hand) ?? { game, hand }));
  const best = bestOf(marks).map((highlight) => ({
    highlight,
    number: numberOf(highlight),
    which: whichOf(highlight),
  }));
  const stories = best.map(({ number }) => hands[number]?.told ?? "");
  redraw(host, [best, stories, followed.names], () =>
    best.map(({ highlight: { mark, bots: whose }, number, which }, index) => {
      const names = whose.map((bot) => bots[bot]?.name ?? "");
      const card = el("li.best", el("b.best__mark", mark), el("small.", which));
      card.append(showFace(emptyImage(), bots[whose[0] ?? 0]), el("bdi.best__name", NAME_LIST.format(names)));
      if (number > 0 && stories[index]) card.append(link("best__told", momentAddress(channel, number), stories[index]));
      const isFollowed = names.some((name) => followed.has(name));
      setData(card, "followed", isFollowed);
      return card;
    }),
  );
  return best.length > 0;
}

/**
 * The best hands, each with its best mark.
 *
 * @param {Highlight[]} marks in the order of the show; the most important mark of a hand comes first
 */
function bestOf(marks) {
  const hands = new Map(marks.toReversed().map((each) => [`${each.game} ${each.hand}`, each]));
  return [...hands.values()]
    .reverse()
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_BEST);
}

/**
 * Lists the followed bots in `host`, an empty list.
 *
 * @type {(host: HTMLElement, followed: FollowedBots, channel: string, state: State) => void}
 */
export function drawFollowed(host, followed, channel, state) {
  const followedBots = rankBots(state).filter(({ name }) => followed.has(name));
  const lines = followedBots.map(({ bot, name, avatar }) => ({ name, avatar, words: wordsOf(state, bot) }));
  redraw(host, lines, () =>
    lines.map(({ name, avatar, words }) => {
      const face = showFace(emptyImage(), { avatar });
      const page = el("a.", face, el("span.", el("bdi.", name), el("small.", words)));
      linkToBot(page, name, channel);
      return el("li.", page);
    }),
  );
}

/** @type {(state: State, number: number) => string} */
function wordsOf(state, number) {
  const { place, count, distance } = placeAndDistance(state, number);
  const sits = state.game && !state.game.over && state.seats.some((seat) => seat.bot === number && !seat.place);
  const rank = place ? `${ordinal(place)} of ${count}` : "";
  return [distance || rank, sits && state.scene !== "champion" ? "at the table now" : ""].filter(Boolean).join(", ");
}
