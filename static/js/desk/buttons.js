/**
 * The big buttons as a table: the label of each in either position, its key, and the request that it sends.
 *
 * @import { Desk } from "./socket.js"
 * @typedef {{ title: string, note: string, on?: boolean, off?: boolean, sure?: string,
 *   asks?: string }} Face `on`: not as it usually
 *   stands; `off`: of no use now; `sure`: asks once more, with these words, and `asks` in full
 * @typedef {{ what: "set" | "cue" | "undo", request: object }} Act
 * @typedef {{ key: string, face: (desk: Desk) => Face, act: (desk: Desk, minutes: number) => Act,
 *   turns?: boolean }} Button `act`: what its face says, `minutes` is how long a break will be, 0 if nobody says;
 *   `turns`: a switch, whose next press means the contrary
 */

import { timeOfDay, ZONE } from "../common/time-of-day.js";
import { governing, times } from "./words.js";

const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8];

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
    turns: true,
  },
  next: {
    key: "n",
    face: () => ({ title: "Next", note: "cut the present wait short" }),
    act: () => ({ what: "cue", request: { cue: "next" } }),
  },
  hold: {
    key: "h",
    face: ({ controls }) =>
      controls.held
        ? { title: "Let go", note: "it stops after what is on", on: true }
        : { title: "Hold", note: "stop after what is on" },
    act: ({ controls }) => set("held", !controls.held),
    turns: true,
  },
  slower: {
    key: "-",
    face: (desk) => ({ title: "Slower", note: paceAt(desk, slower(desk)), off: desk.controls.speed <= 0.25 }),
    act: (desk) => set("speed", slower(desk)),
  },
  normal: {
    key: "1",
    face: ({ controls, status }) => ({
      title: times(status.pace),
      note: controls.speed === 1 ? "as planned" : "press to go as planned",
    }),
    act: () => set("speed", 1),
  },
  faster: {
    key: "+",
    face: (desk) => ({ title: "Faster", note: paceAt(desk, faster(desk)), off: desk.controls.speed >= 8 }),
    act: (desk) => set("speed", faster(desk)),
  },
  governor: {
    key: "",
    face: ({ controls, status }) => ({
      title: "Governor",
      note: governing(controls, status),
      on: !controls.governed,
    }),
    act: ({ controls }) => set("governed", !controls.governed),
    turns: true,
  },
  graphics: {
    key: "g",
    face: ({ controls }) =>
      controls.graphics
        ? { title: "Hide graphics", note: "they are on" }
        : { title: "Show graphics", note: "nothing is shown", on: true },
    act: ({ controls }) => set("graphics", !controls.graphics),
    turns: true,
  },
  mute: {
    key: "m",
    face: ({ controls }) =>
      controls.sound
        ? { title: "Panic mute", note: "sound is on" }
        : { title: "Unmute", note: "all is silent", on: true },
    act: ({ controls }) => set("sound", !controls.sound),
    turns: true,
  },
  break: {
    key: "b",
    face: (desk) => cardFace(desk, "break", "Break card"),
    act: (desk, minutes) =>
      card(desk, minutes ? `break until ${timeOfDay(Date.now() + minutes * 60_000)} ${ZONE}` : "break"),
    turns: true,
  },
  technical: {
    key: "t",
    face: (desk) => cardFace(desk, "technical", "Technical card"),
    act: (desk) => card(desk, "technical"),
    turns: true,
  },
  replay: {
    key: "r",
    face: () => ({ title: "Replay", note: "the hand won last, again" }),
    act: () => ({ what: "cue", request: { cue: "replay" } }),
  },
  best: {
    key: "a",
    face: () => ({ title: "Best hands", note: "of this evening, again" }),
    act: () => ({ what: "cue", request: { cue: "best" } }),
  },
  end: {
    key: "",
    face: endFace,
    act: ({ controls, stage }) => set("stage_end", !controls.stage_end, stage?.number),
    turns: true,
  },
  undo: {
    key: "u",
    face: ({ undo }) => ({ title: "Undo", note: undo.words || "nothing to take back", off: !undo.number }),
    act: ({ undo }) => ({ what: "undo", request: { number: undo.number } }),
  },
};

/**
 * @param {string} control
 * @param {boolean | number | string} value
 * @param {number} [stage] that is seen on air
 * @returns {Act}
 */
function set(control, value, stage = 0) {
  return { what: "set", request: { control, value, stage } };
}

/** @param {Desk} desk */
function slower({ controls }) {
  return SPEEDS.findLast((speed) => speed < controls.speed) ?? 0.25;
}

/** @param {Desk} desk */
function faster({ controls }) {
  return SPEEDS.find((speed) => speed > controls.speed) ?? 8;
}

/**
 * @param {Desk} desk
 * @param {number} speed
 */
function paceAt({ controls, status }, speed) {
  return `to ${times((status.pace * speed) / controls.speed)}`;
}

/**
 * @param {Desk} desk
 * @returns {Face}
 */
function endFace({ controls, stage }) {
  if (controls.stage_end) return { title: "Play on", note: "the stage ends after this hand", on: true };
  if (!stage) return { title: "End stage", note: "no stage is on air", off: true };
  const title = `End ${stage.title}`;
  if (stage.ended) return { title, note: "the table has ended it already", off: true };
  return {
    title,
    note: "after the hand at the table",
    sure: `Really end ${stage.title}? Press again`,
    asks: `End ${stage.title} now: ${stage.follows}.`,
  };
}

/**
 * @param {Desk} desk
 * @param {string} name
 * @param {string} title
 * @returns {Face}
 */
function cardFace({ controls }, name, title) {
  return isUp(controls, name)
    ? { title, note: "is up: take it away", on: true }
    : { title, note: "in place of the picture" };
}

/**
 * @param {Desk} desk
 * @param {string} value
 */
function card({ controls }, value) {
  return set("card", isUp(controls, value) ? "" : value);
}

/**
 * @param {Desk["controls"]} controls
 * @param {string} value of the control, with or without a time
 */
function isUp({ card: up }, value) {
  return up.split(" ")[0] === value.split(" ")[0];
}
