/**
 * What the operator has set for all pages: whose chat and media are shown, what covers the picture. Pure.
 *
 * @import { Bot, CardName, State } from "../common/types.js"
 */

/** @type {WeakMap<State, State>} */
const obedient = new WeakMap();

/**
 * The picture as the operator wants it seen: bots without their own media where these are off, chat without the muted.
 *
 * @param {State} state
 * @returns {State}
 */
export function obeyed(state) {
  const { chat_off, media_off } = state.desk;
  if (!chat_off.length && !media_off.length) return state;
  const known = obedient.get(state);
  if (known) return known;
  const chat = state.chat.filter((said) => !chat_off.includes(said.bot));
  const bots = Object.entries(state.bots).map(([bot, each]) => [
    bot,
    media_off.includes(each.bot) ? unadorned(each) : each,
  ]);
  const after = { ...state, chat, bots: Object.fromEntries(bots) };
  obedient.set(state, after);
  return after;
}

/**
 * The card that covers the picture: the operator's, or the technical one while the page has no connection.
 *
 * @param {State} state
 * @param {boolean} deaf whether the wire has been down for long
 * @returns {CardName}
 */
export function cardOf(state, deaf) {
  return state.desk.card || (deaf ? "technical" : "");
}

/** @param {Bot} bot */
function unadorned(bot) {
  return { ...bot, avatar: "", particle: "", sound: "", sound_ms: 0 };
}
