/**
 * Replaces the face, particles and win sound of each bot whose media the operator has switched off. No I/O.
 *
 * @import { State } from "../common/types.js"
 */

const DEFAULT_MEDIA = { avatar: "", particle: "", sound: "", sound_ms: 0 };

/**
 * Returns the picture with default media for the bots in `media_off`.
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
