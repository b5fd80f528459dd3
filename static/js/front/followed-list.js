/**
 * The followed bots of this show: how each stands, with the way to its page.
 *
 * @import { State } from "../common/types.js"
 * @import { Followed } from "../common/followed.js"
 */

import { el, emptyPicture, picture, redraw } from "../common/dom.js";
import { linkToBot } from "../common/followed.js";
import { ordinal } from "../common/format.js";
import { ranked, standing } from "../common/ranking.js";

/**
 * @param {HTMLElement} host a list that has nothing else in it
 * @param {Followed} followed
 * @param {string} channel
 * @param {State} state
 */
export function drawFollowed(host, followed, channel, state) {
  const own = ranked(state).filter(({ name }) => followed.has(name));
  const lines = own.map(({ bot, name, avatar }) => ({ name, avatar, words: wordsOf(state, bot) }));
  redraw(host, lines, () =>
    lines.map(({ name, avatar, words }) => {
      const face = picture(emptyPicture(), { avatar });
      const link = el("a.", face, el("span.", el("bdi.", name), el("small.", words)));
      linkToBot(link, name, channel);
      return el("li.", link);
    }),
  );
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
