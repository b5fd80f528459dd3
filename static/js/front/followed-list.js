/**
 * The followed bots of this show: how each stands, with the way to its page.
 *
 * @import { State } from "../common/types.js"
 * @import { Followed } from "../common/followed.js"
 */

import { avatarOf, DEFAULT_AVATAR } from "../common/addresses.js";
import { el, emptyPicture, picture } from "../common/dom.js";
import { linkToBot } from "../common/followed.js";
import { ordinal } from "../common/format.js";
import { ranked, standing } from "../common/ranking.js";

/** The list. */
export class FollowedList {
  #host;
  #followed;
  #channel;
  #drawn = "";

  /**
   * @param {HTMLElement} host an empty list
   * @param {Followed} followed
   * @param {string} channel
   */
  constructor(host, followed, channel) {
    this.#host = host;
    this.#followed = followed;
    this.#channel = channel;
  }

  /** @param {State} state */
  update(state) {
    const own = ranked(state).filter(({ bot }) => this.#followed.has(bot.name));
    const lines = own.map(({ number, bot }) => ({
      name: bot.name,
      face: avatarOf(bot),
      words: wordsOf(state, number),
    }));
    const key = JSON.stringify(lines);
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.#host.replaceChildren(...lines.map((line) => this.#line(line)));
  }

  /** @param {{ name: string, face: string, words: string }} line */
  #line({ name, face, words }) {
    const image = emptyPicture();
    picture(image, face, DEFAULT_AVATAR);
    const link = el("a.", image, el("span.", el("bdi.", name), el("small.", words)));
    linkToBot(link, name, this.#channel);
    return el("li.", link);
  }
}

/**
 * @param {State} state
 * @param {number} number
 */
function wordsOf(state, number) {
  const { place, of, apart } = standing(state, number);
  const sits = state.game && !state.game.over && state.seats.some((seat) => seat.bot === number && !seat.place);
  const rank = `${ordinal(place)} of ${of}`;
  return [apart || rank, sits && state.scene !== "champion" ? "at the table now" : ""].filter(Boolean).join(", ");
}
