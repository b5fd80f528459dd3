/**
 * The hands of the show that were worth a mark, the best first: which hand, what for, and whose it was.
 *
 * @import { Highlight, State } from "../common/types.js"
 * @import { Followed } from "../common/followed.js"
 */

import { avatarOf, DEFAULT_AVATAR } from "../common/addresses.js";
import { el, emptyPicture, mark, picture, write } from "../common/dom.js";

/** How many hands are shown. */
const SHOWN = 3;

/** The list of hands. */
export class BestHands {
  #host;
  #followed;
  #drawn = "";

  /**
   * @param {HTMLElement} host an empty list
   * @param {Followed} followed
   */
  constructor(host, followed) {
    this.#host = host;
    this.#followed = followed;
  }

  /**
   * @param {State} state
   * @returns {boolean} whether there is any
   */
  update(state) {
    const best = bestOf(state.marks);
    const key = JSON.stringify([best, this.#followed.names]);
    if (key !== this.#drawn) this.#host.replaceChildren(...best.map((hand) => cardOf(hand, state, this.#followed)));
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
  write(who, names.join(" and "));
  const card = el("li.best", what, where, image, who);
  mark(
    card,
    "followed",
    names.some((name) => followed.has(name)),
  );
  return card;
}
