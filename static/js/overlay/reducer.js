/**
 * Computes the picture after each entry of the show (an event, such as a bet, with its time), with one pure function
 * per kind of event. The picture is plain JSON. `broadcast/on_air/picture.py` computes the same picture from the same
 * entries. No DOM, no clock.
 *
 * Events of hands and of tournaments are in separate modules. This module has chat, captions, replays and the
 * operator's desk.
 *
 * @import { CardName, Entry, Reducers, Seat, State } from "../common/types.js"
 */

import { HAND_REDUCERS } from "./reducer-hand.js";
import { addLine, addThought } from "./reducer-speech.js";
import { FRESH_TABLE, newSeat } from "./reducer-state.js";
import { TOURNAMENT_REDUCERS } from "./reducer-tournament.js";

/**
 * Returns the picture after `entry`. Unknown entries change only the picture's number and time.
 *
 * @param {State} state
 * @param {Entry} entry
 * @returns {State}
 */
export function reduce(state, entry) {
  const isKnown = Object.hasOwn(REDUCERS, entry.type);
  const changes = isKnown ? /** @type {any} */ (REDUCERS[entry.type])(state, entry) : {};
  const table = Object.hasOwn(HAND_REDUCERS, entry.type) ? { scene: state.replay ? "replay" : "table" } : {};
  return { ...state, ...changes, ...table, seq: entry.seq, at_ms: entry.at_ms };
}

/** What each event changes in the picture. Events without a function change nothing. @type {Reducers} */
export const REDUCERS = {
  ...TOURNAMENT_REDUCERS,
  ...HAND_REDUCERS,

  chat_sent: (state, event) => ({ chat: addLine(state, event) }),

  storyline_told: (state, event) => ({ chat: addLine(state, event, true) }),

  thought_shown: (state, event) => ({ chat: addThought(state, event) }),

  caption_spoken: (_state, event) => ({ caption: event.text }),

  replay_started: (state, event) => ({
    ...event.picture,
    ...(event.picture.hand?.over === false
      ? {}
      : { ...FRESH_TABLE, hand: null, seats: event.picture.seats.map(clearSeat) }),
    scene: "replay",
    caption: event.told,
    replay: { hand: event.hand, before: state.replay?.before ?? { ...state, chat: [] } },
    desk: state.desk,
  }),

  replay_ended: (state) => (state.replay ? { ...state.replay.before, desk: state.desk } : {}),

  control_set: (state, event) => {
    const { desk } = state;
    const { control, value, bot } = event;
    if (control === "card") {
      // The card of a break may name the time of the show's return: "break until 21:15 CET".
      const [card, back] = String(value).split(" until ");
      return { desk: { ...desk, card: /** @type {CardName} */ (card), back } };
    }
    if (control === "graphics" || control === "sound") return { desk: { ...desk, [control]: value } };
    if (control === "view") {
      const view = /** @type {State["desk"]["view"]} */ (value);
      // "held" keeps the camera's present focus.
      return { desk: { ...desk, view, kept: view === "held" ? state.focus : undefined } };
    }
    if (control === "thoughts") {
      const after = { ...desk, thoughts: value ? undefined : false };
      // Thoughts also disappear from the chat. Only thoughts have `checked`.
      return { desk: after, chat: value ? state.chat : state.chat.filter((line) => !line.checked) };
    }
    if (control !== "chat" && control !== "media") return {};
    const listed = control === "chat" ? "chat_off" : "media_off";
    const others = desk[listed].filter((each) => each !== bot);
    const after = { ...desk, [listed]: value ? others : [...others, bot ?? 0].sort((one, other) => one - other) };
    return { desk: after, chat: state.chat.filter((line) => !after.chat_off.includes(line.bot)) };
  },

  pace_changed: (state, event) => ({ desk: { ...state.desk, speed: event.speed } }),

  scene_shown: (_state, event) => ({ scene: event.scene }),

  trouble_shown: (state, event) => ({ desk: { ...state.desk, trouble: event.text } }),

  storyline_shown: (state, event) => ({ desk: { ...state.desk, storyline: event.text || undefined } }),
};

/** Returns a seat as it is when the replay of a whole hand begins. @param {Seat} seat */
function clearSeat({ bot, stack, place }) {
  return { ...newSeat(bot, stack), place };
}
