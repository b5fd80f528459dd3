/**
 * The hands of the show that were worth a mark, the best first: what for, whose it was, and a link to what happened.
 *
 * @import { Highlight, State } from "../common/types.js"
 * @import { Followed } from "../common/followed.js"
 * @import { FilmHand } from "../replay/film/film.js"
 */

import { avatarOf, DEFAULT_AVATAR } from "../common/addresses.js";
import { momentAddress } from "../common/around.js";
import { el, emptyPicture, mark, picture, write } from "../common/dom.js";

/** How many hands are shown. */
const SHOWN = 3;
const AND = new Intl.ListFormat("en-GB");

/** The list of hands. */
export class BestHands {
  #host;
  #followed;
  #channel;
  #drawn = "";

  /**
   * @param {HTMLElement} host an empty list
   * @param {Followed} followed
   * @param {string} channel that shows them
   */
  constructor(host, followed, channel) {
    this.#host = host;
    this.#followed = followed;
    this.#channel = channel;
  }

  /**
   * @param {State} state
   * @param {FilmHand[]} hands of the show, by number, as far as they are known
   * @returns {boolean} whether there is any
   */
  update(state, hands) {
    const best = bestOf(state.marks).map((highlight) => ({ highlight, number: numberOf(highlight, hands) }));
    const told = best.map(({ number }) => hands[number]?.told ?? "");
    const key = JSON.stringify([best, told, this.#followed.names]);
    if (key !== this.#drawn) {
      const cards = best.map(({ highlight }) => cardOf(highlight, state, this.#followed));
      cards.forEach((card, at) => {
        const number = best[at]?.number ?? 0;
        if (number > 0 && told[at]) card.append(linkTo(momentAddress(this.#channel, number), told[at]));
      });
      this.#host.replaceChildren(...cards);
    }
    this.#drawn = key;
    return best.length > 0;
  }
}

/**
 * The best mark of each of the best hands: a hand may have several.
 *
 * @param {Highlight[]} marks in the order of the show, the most important of a hand first
 */
function bestOf(marks) {
  /** @type {Map<string, Highlight>} */
  const hands = new Map();
  for (const mark of marks) {
    const hand = `${mark.game} ${mark.hand}`;
    if (!hands.has(hand)) hands.set(hand, mark);
  }
  return [...hands.values()].sort((one, other) => other.score - one.score).slice(0, SHOWN);
}

/**
 * The number of a hand in the show; -1 where it is not known yet. Games of a season are all called game 1.
 *
 * @param {Highlight} highlight
 * @param {FilmHand[]} hands
 */
function numberOf({ game, hand, mark: remembered }, hands) {
  return hands.findLastIndex((each) => each.game === game && each.hand === hand && each.marks.includes(remembered));
}

/**
 * @param {string} address
 * @param {string} words
 */
function linkTo(address, words) {
  const link = el("a.best__told");
  link.setAttribute("href", address);
  write(link, words);
  return link;
}

/**
 * @param {Highlight} highlight
 * @param {State} state
 * @param {Followed} followed
 */
function cardOf({ mark: remembered, game, hand, bots }, state, followed) {
  const [image, what, where, who] = [emptyPicture(), el("b.best__mark"), el("small."), el("bdi.best__name")];
  const bot = state.bots[bots[0] ?? 0];
  picture(image, avatarOf(bot), DEFAULT_AVATAR);
  write(what, remembered);
  write(where, `Game ${game}, hand ${hand}`);
  const names = bots.map((number) => state.bots[number]?.name ?? "");
  write(who, AND.format(names));
  const card = el("li.best", what, where, image, who);
  mark(
    card,
    "followed",
    names.some((name) => followed.has(name)),
  );
  return card;
}
