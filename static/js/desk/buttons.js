/**
 * A table of the big buttons: the labels, the key and the request of each button.
 *
 * @import { Desk } from "./socket.js"
 * @typedef {{ title: string, hint: string, on?: boolean, off?: boolean, sure?: string, asks?: string }} Face
 *   `on`: the button is lit, because the control is not in its usual position; `off`: the button is disabled;
 *   `sure`: the question that a second press confirms; `asks`: the same question in full
 * @typedef {{ what: "set" | "cue" | "undo", request: object }} Act
 * @typedef {{ key: string, face: (desk: Desk) => Face, act: (desk: Desk, minutes: number) => Act,
 *   turns?: boolean }} Button `act` returns the request that the face announces; `minutes`: the length of a break, 0 if
 *   unknown; `turns`: the button is a switch, so its next press does the opposite
 */

import { timeOfDay, ZONE } from "../common/time-of-day.js";
import { governorWords, times } from "./words.js";

const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8];

/** @type {Record<string, Button>} */
export const BUTTONS = {
  start: {
    key: "",
    face: () => ({ title: "START", hint: "the first stage begins", sure: "Really start? This cannot be undone" }),
    act: () => set("started", true),
  },
  pause: untilTheEnd(toggle(" ", "paused", true, ["Go on", "the show is paused"], ["Pause", "stops show and table"])),
  next: cue("n", "next", "Next", "end the current wait"),
  hold: untilTheEnd(
    toggle("h", "held", true, ["Release", "it stops after this hand"], ["Hold", "stop after this hand"]),
  ),
  slower: pace("-", "Slower", (speed) => SPEEDS.findLast((other) => other < speed) ?? speed),
  normal: {
    key: "1",
    face: ({ controls, status }) => ({
      title: times(status.pace),
      hint: controls.speed === 1 ? "as planned" : "press for the planned pace",
    }),
    act: () => set("speed", 1),
  },
  faster: pace("+", "Faster", (speed) => SPEEDS.find((other) => other > speed) ?? speed),
  governor: {
    key: "",
    face: ({ controls, status }) => ({
      title: "Governor",
      hint: governorWords(controls, status),
      on: !controls.governed,
    }),
    act: ({ controls }) => set("governed", !controls.governed),
    turns: true,
  },
  graphics: toggle("g", "graphics", false, ["Show graphics", "nothing is shown"], ["Hide graphics", "they are on"]),
  mute: toggle("m", "sound", false, ["Unmute", "all is silent"], ["Panic mute", "sound is on"]),
  break: card("b", "break", "Break card", (minutes) =>
    minutes ? `break until ${timeOfDay(Date.now() + minutes * 60_000)} ${ZONE}` : "break",
  ),
  technical: card("t", "technical", "Technical card", () => "technical"),
  whole: view("w", "table", "Whole table", "however big the pot"),
  keep: view("k", "held", "Keep picture", "until the next hand"),
  thoughts: toggle(
    "o",
    "thoughts",
    false,
    ["Show thoughts", "none is shown"],
    ["Thoughts off", "the bots' own reasons"],
  ),
  reading: cue("s", "reading", "Reading scores", "how true the thoughts were"),
  replay: cue("r", "replay", "Replay", "the last hand again"),
  best: cue("a", "best", "Best hands", "of this evening"),
  end: {
    key: "",
    face: endFace,
    act: ({ controls, stage }) => set("stage_end", !controls.stage_end, stage?.number),
    turns: true,
  },
  undo: {
    key: "u",
    face: ({ undo }) => ({ title: "Undo", hint: undo.words || "nothing to undo", off: !undo.number }),
    act: ({ undo }) => ({ what: "undo", request: { number: undo.number } }),
  },
};

/** `stage` is the stage on air. @type {(control: string, value: boolean | number | string, stage?: number) => Act} */
function set(control, value, stage = 0) {
  return { what: "set", request: { control, value, stage } };
}

/** @type {(key: string, name: string, title: string, hint: string) => Button} */
function cue(key, name, title, hint) {
  return { key, face: () => ({ title, hint }), act: () => ({ what: "cue", request: { cue: name } }) };
}

/**
 * Makes a switch, whose title and hint depend on its position.
 *
 * @param {string} key
 * @param {"paused" | "held" | "graphics" | "sound" | "thoughts"} control
 * @param {boolean} unusual the value at which the button lights up
 * @param {[string, string]} lit the button's title and hint at that value
 * @param {[string, string]} unlit
 * @returns {Button}
 */
function toggle(key, control, unusual, lit, unlit) {
  return {
    key,
    face: ({ controls }) => {
      const on = controls[control] === unusual;
      const [title, hint] = on ? lit : unlit;
      return { title, hint, on };
    },
    act: ({ controls }) => set(control, !controls[control]),
    turns: true,
  };
}

/** Disables a switch at the end of the show, unless it is still lit. @type {(button: Button) => Button} */
function untilTheEnd(button) {
  return {
    ...button,
    face: (desk) => {
      const face = button.face(desk);
      return desk.status.is_over && !face.on ? { ...face, hint: "the show is over", off: true } : face;
    },
  };
}

/** @type {(key: string, title: string, next: (speed: number) => number) => Button} */
function pace(key, title, next) {
  return {
    key,
    face: ({ controls: { speed }, status }) => ({
      title,
      hint: `to ${times((status.pace * next(speed)) / speed)}`,
      off: next(speed) === speed,
    }),
    act: ({ controls }) => set("speed", next(controls.speed)),
  };
}

/** @type {(key: string, name: string, title: string, valueFor: (minutes: number) => string) => Button} */
function card(key, name, title, valueFor) {
  const isUp = (/** @type {Desk} */ { controls }) => controls.card.split(" ")[0] === name;
  return {
    key,
    face: (desk) =>
      isUp(desk) ? { title, hint: "is shown: remove it", on: true } : { title, hint: "in place of the picture" },
    act: (desk, minutes) => set("card", isUp(desk) ? "" : valueFor(minutes)),
    turns: true,
  };
}

/** @type {(key: string, value: string, title: string, hint: string) => Button} */
function view(key, value, title, hint) {
  const isOn = (/** @type {Desk} */ { controls }) => controls.view === value;
  return {
    key,
    face: (desk) => (isOn(desk) ? { title, hint: "press to let the show choose", on: true } : { title, hint }),
    act: (desk) => set("view", isOn(desk) ? "" : value),
    turns: true,
  };
}

/** @type {(desk: Desk) => Face} */
function endFace({ controls, stage }) {
  if (controls.stage_end) return { title: "Play on", hint: "the stage ends after this hand", on: true };
  if (!stage) return { title: "End stage", hint: "no stage is on air", off: true };
  const title = `End ${stage.title}`;
  if (stage.ended) return { title, hint: "the table has ended it already", off: true };
  return {
    title,
    hint: "after the hand at the table",
    sure: `Really end ${stage.title}? Press again`,
    asks: `End ${stage.title} now: ${stage.follows}.`,
  };
}
