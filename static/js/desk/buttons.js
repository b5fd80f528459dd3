/**
 * A table of the operator's big buttons: the labels, the key and the request of each button.
 *
 * @import { Desk } from "./socket.js"
 * @typedef {{ title: string, hint: string, on?: boolean, off?: boolean, sure?: string, asks?: string }} ButtonFace
 *   `on`: the button is lit, because the control is not in its usual position; `off`: the button is disabled; `sure`:
 *   the question that a second press answers with yes; `asks`: the same question in full
 * @typedef {{ what: "set" | "cue" | "undo", request: object }} DeskAction
 * @typedef {{ key: string, face: (desk: Desk) => ButtonFace, act: (desk: Desk, minutes: number) => DeskAction,
 *   turns?: boolean }} Button `act` returns the request that the face announces; `minutes`: the length of a break, 0 if
 *   unknown; `turns`: the button is a switch, so its next press does the opposite
 */

import { timeOfDay, ZONE } from "../common/time-of-day.js";
import { governorWords, paceText } from "./words.js";

const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8];

/** @type {Record<string, Button>} */
export const BUTTONS = {
  start: {
    key: "",
    face: () => ({ title: "START", hint: "the first stage begins", sure: "Really start? This cannot be undone" }),
    act: () => setControl("started", true),
  },
  pause: disabledAtEnd(
    switchButton(" ", "paused", true, ["Go on", "the show is paused"], ["Pause", "stops show and table"]),
  ),
  next: cueButton("n", "next", "Next", "end the current wait"),
  hold: disabledAtEnd(
    switchButton("h", "held", true, ["Release", "it stops after this hand"], ["Hold", "stop after this hand"]),
  ),
  slower: paceButton("-", "Slower", (speed) => SPEEDS.findLast((other) => other < speed) ?? speed),
  normal: {
    key: "1",
    face: ({ controls, status }) => ({
      title: paceText(status.pace),
      hint: controls.speed === 1 ? "as planned" : "press for the planned pace",
    }),
    act: () => setControl("speed", 1),
  },
  faster: paceButton("+", "Faster", (speed) => SPEEDS.find((other) => other > speed) ?? speed),
  /** Switches the governor, which changes the speed so that the first stage ends on time. */
  governor: {
    key: "",
    face: ({ controls, status }) => ({
      title: "Governor",
      hint: governorWords(controls, status),
      on: !controls.governed,
    }),
    act: ({ controls }) => setControl("governed", !controls.governed),
    turns: true,
  },
  graphics: switchButton(
    "g",
    "graphics",
    false,
    ["Show graphics", "nothing is shown"],
    ["Hide graphics", "they are on"],
  ),
  mute: switchButton("m", "sound", false, ["Unmute", "all is silent"], ["Panic mute", "sound is on"]),
  break: cardButton("b", "break", "Break card", (minutes) =>
    minutes ? `break until ${timeOfDay(Date.now() + minutes * 60_000)} ${ZONE}` : "break",
  ),
  technical: cardButton("t", "technical", "Technical card", () => "technical"),
  whole: viewButton("w", "table", "Whole table", "however big the pot"),
  keep: viewButton("k", "held", "Keep picture", "until the next hand"),
  thoughts: switchButton(
    "o",
    "thoughts",
    false,
    ["Show thoughts", "none is shown"],
    ["Thoughts off", "the bots' own reasons"],
  ),
  reading: cueButton("s", "reading", "Reading scores", "how true the thoughts were"),
  replay: cueButton("r", "replay", "Replay", "the last hand again"),
  best: cueButton("a", "best", "Best hands", "of this evening"),
  end: {
    key: "",
    face: endStageFace,
    act: ({ controls, stage }) => setControl("stage_end", !controls.stage_end, stage?.number),
    turns: true,
  },
  undo: {
    key: "u",
    face: ({ undo }) => ({ title: "Undo", hint: undo.words || "nothing to undo", off: !undo.number }),
    act: ({ undo }) => ({ what: "undo", request: { number: undo.number } }),
  },
};

/**
 * `stage` is the number of the stage on air.
 *
 * @type {(control: string, value: boolean | number | string, stage?: number) => DeskAction}
 */
function setControl(control, value, stage = 0) {
  return { what: "set", request: { control, value, stage } };
}

/** @type {(key: string, name: string, title: string, hint: string) => Button} */
function cueButton(key, name, title, hint) {
  return { key, face: () => ({ title, hint }), act: () => ({ what: "cue", request: { cue: name } }) };
}

/**
 * Makes a switch, whose title and hint depend on its position.
 *
 * @param {string} key
 * @param {"paused" | "held" | "graphics" | "sound" | "thoughts"} control
 * @param {boolean} litValue the value at which the button lights up
 * @param {[string, string]} lit the button's title and hint at that value
 * @param {[string, string]} unlit
 * @returns {Button}
 */
function switchButton(key, control, litValue, lit, unlit) {
  return {
    key,
    face: ({ controls }) => {
      const isLit = controls[control] === litValue;
      const [title, hint] = isLit ? lit : unlit;
      return { title, hint, on: isLit };
    },
    act: ({ controls }) => setControl(control, !controls[control]),
    turns: true,
  };
}

/** Disables a switch at the end of the show, unless it is still lit. @type {(button: Button) => Button} */
function disabledAtEnd(button) {
  return {
    ...button,
    face: (desk) => {
      const face = button.face(desk);
      return desk.status.is_over && !face.on ? { ...face, hint: "the show is over", off: true } : face;
    },
  };
}

/** @type {(key: string, title: string, nextSpeed: (speed: number) => number) => Button} */
function paceButton(key, title, nextSpeed) {
  return {
    key,
    face: ({ controls: { speed }, status }) => ({
      title,
      hint: `to ${paceText((status.pace * nextSpeed(speed)) / speed)}`,
      off: nextSpeed(speed) === speed,
    }),
    act: ({ controls }) => setControl("speed", nextSpeed(controls.speed)),
  };
}

/** @type {(key: string, name: string, title: string, valueFor: (minutes: number) => string) => Button} */
function cardButton(key, name, title, valueFor) {
  const isUp = (/** @type {Desk} */ { controls }) => controls.card.split(" ")[0] === name;
  return {
    key,
    face: (desk) =>
      isUp(desk) ? { title, hint: "is shown: remove it", on: true } : { title, hint: "in place of the picture" },
    act: (desk, minutes) => setControl("card", isUp(desk) ? "" : valueFor(minutes)),
    turns: true,
  };
}

/** @type {(key: string, value: string, title: string, hint: string) => Button} */
function viewButton(key, value, title, hint) {
  const isOn = (/** @type {Desk} */ { controls }) => controls.view === value;
  return {
    key,
    face: (desk) => (isOn(desk) ? { title, hint: "press to let the show choose", on: true } : { title, hint }),
    act: (desk) => setControl("view", isOn(desk) ? "" : value),
    turns: true,
  };
}

/** @type {(desk: Desk) => ButtonFace} */
function endStageFace({ controls, stage }) {
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
