/**
 * Applies the operator's settings to the picture: hidden media, and the card that covers it. Pure.
 *
 * @import { Bot, CardName, State } from "../common/types.js"
 */

/** Each picture's result, so that it is made once. @type {WeakMap<State, State>} */
const results = new WeakMap();

/**
 * The picture with the default media for bots whose own are switched off.
 *
 * @param {State} state
 * @returns {State}
 */
export function withDeskRules(state) {
  const { media_off } = state.desk;
  if (!media_off.length) return state;
  const made = results.get(state);
  if (made) return made;
  const bots = Object.entries(state.bots).map(([bot, each]) => [
    bot,
    media_off.includes(each.bot) ? unadorned(each) : each,
  ]);
  const after = { ...state, bots: Object.fromEntries(bots) };
  results.set(state, after);
  return after;
}

/**
 * The card that covers the picture: the operator's, or the technical one while the page has no connection.
 *
 * @param {State} state
 * @param {boolean} offline whether the connection has been down for long
 * @returns {CardName}
 */
export function cardOf(state, offline) {
  return state.desk.card || (offline ? "technical" : "");
}

/** @param {Bot} bot */
function unadorned(bot) {
  return { ...bot, avatar: "", particle: "", sound: "", sound_ms: 0 };
}
