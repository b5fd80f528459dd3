/**
 * The big buttons as a table: what each is called in either position, which key it has, and what it asks for.
 *
 * @import { Desk } from "./wire.js"
 * @typedef {{ title: string, note: string, on?: boolean, off?: boolean, sure?: string }} Face `on`: not as it usually
 *   stands; `off`: of no use now; `sure`: asks once more, with these words
 * @typedef {{ what: "set" | "cue" | "undo", wish: object }} Act
 * @typedef {{ key: string, face: (desk: Desk) => Face, act: (desk: Desk) => Act }} Button
 */

import { times } from "./words.js";

export const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8];

/** @type {Record<string, Button>} */
export const BUTTONS = {
  start: {
    key: "",
    face: () => ({ title: "START", note: "the first stage begins", sure: "Really start? It cannot be taken back" }),
    act: () => set("started", true),
  },
  pause: {
    key: " ",
    face: ({ controls }) =>
      controls.paused
        ? { title: "Go on", note: "the show is paused", on: true }
        : { title: "Pause", note: "show and table stand still" },
    act: ({ controls }) => set("paused", !controls.paused),
  },
  next: {
    key: "n",
    face: () => ({ title: "Next", note: "cut the present wait short" }),
    act: () => ({ what: "cue", wish: { cue: "next" } }),
  },
  hold: {
    key: "h",
    face: ({ controls }) =>
      controls.held
        ? { title: "Let go", note: "it stops after what is on", on: true }
        : { title: "Hold", note: "stop after what is on" },
    act: ({ controls }) => set("held", !controls.held),
  },
  slower: {
    key: "-",
    face: ({ controls }) => ({ title: "Slower", note: "", off: controls.speed <= 0.25 }),
    act: ({ controls }) => set("speed", SPEEDS.findLast((speed) => speed < controls.speed) ?? 0.25),
  },
  normal: {
    key: "1",
    face: ({ controls }) => ({ title: times(controls.speed), note: controls.speed === 1 ? "normal" : "back to 1×" }),
    act: () => set("speed", 1),
  },
  faster: {
    key: "+",
    face: ({ controls }) => ({ title: "Faster", note: "", off: controls.speed >= 8 }),
    act: ({ controls }) => set("speed", SPEEDS.find((speed) => speed > controls.speed) ?? 8),
  },
  governor: {
    key: "",
    face: ({ controls, status }) =>
      controls.governed
        ? {
            title: "Governor",
            note: status.governor === 1 ? "on, adds nothing now" : `on, adds ${times(status.governor)}`,
          }
        : { title: "Governor", note: "off: your pace alone", on: true },
    act: ({ controls }) => set("governed", !controls.governed),
  },
  graphics: {
    key: "g",
    face: ({ controls }) =>
      controls.graphics
        ? { title: "Hide graphics", note: "they are on" }
        : { title: "Show graphics", note: "nothing is shown", on: true },
    act: ({ controls }) => set("graphics", !controls.graphics),
  },
  mute: {
    key: "m",
    face: ({ controls }) =>
      controls.sound
        ? { title: "Panic mute", note: "sound is on" }
        : { title: "Unmute", note: "all is silent", on: true },
    act: ({ controls }) => set("sound", !controls.sound),
  },
  break: { key: "b", face: (desk) => cardFace(desk, "break", "Break card"), act: (desk) => card(desk, "break") },
  technical: {
    key: "t",
    face: (desk) => cardFace(desk, "technical", "Technical card"),
    act: (desk) => card(desk, "technical"),
  },
  replay: {
    key: "r",
    face: () => ({ title: "Replay", note: "the hand won last, again" }),
    act: () => ({ what: "cue", wish: { cue: "replay" } }),
  },
  best: {
    key: "a",
    face: () => ({ title: "Best hands", note: "of this evening, again" }),
    act: () => ({ what: "cue", wish: { cue: "best" } }),
  },
  end: {
    key: "",
    face: ({ controls }) =>
      controls.stage_end
        ? { title: "Play on", note: "the stage ends after this hand", on: true }
        : { title: "End stage", note: "after this hand", sure: "Really end the stage?" },
    act: ({ controls }) => set("stage_end", !controls.stage_end),
  },
  undo: {
    key: "u",
    face: ({ undo }) => ({ title: "Undo", note: undo || "nothing to take back", off: !undo }),
    act: () => ({ what: "undo", wish: {} }),
  },
};

/**
 * @param {string} control
 * @param {boolean | number | string} value
 * @returns {Act}
 */
function set(control, value) {
  return { what: "set", wish: { control, value } };
}

/**
 * @param {Desk} desk
 * @param {string} name
 * @param {string} title
 * @returns {Face}
 */
function cardFace({ controls }, name, title) {
  return controls.card === name
    ? { title, note: "is up: take it away", on: true }
    : { title, note: "in place of the picture" };
}

/**
 * @param {Desk} desk
 * @param {string} name
 */
function card({ controls }, name) {
  return set("card", controls.card === name ? "" : name);
}
