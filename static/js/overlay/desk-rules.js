/**
 * Applies the operator's settings to the picture. Pure.
 *
 * @import { State } from "../common/types.js"
 */

const DEFAULT_MEDIA = { avatar: "", particle: "", sound: "", sound_ms: 0 };

/**
 * If the operator has hidden a bot's face, particles and win sound, replaces them with the defaults.
 *
 * @type {(state: State) => State}
 */
export function withDeskRules(state) {
  const { media_off } = state.desk;
  if (!media_off.length) return state;
  const bots = Object.entries(state.bots).map(([bot, each]) => [
    bot,
    media_off.includes(each.bot) ? { ...each, ...DEFAULT_MEDIA } : each,
  ]);
  return { ...state, bots: Object.fromEntries(bots) };
}
