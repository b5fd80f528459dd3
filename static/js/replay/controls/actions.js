/**
 * The actions of the replay page, and the buttons, keys and touches that start them. In their names, "on" is forward.
 * "out" actions go to an elimination, and "mark-on" goes to the next highlight.
 *
 * @typedef {"play" | "back" | "on" | "hand-back" | "hand-on" | "out-back" | "out-on" | "mark-on" |
 *   "table-back" | "table-on" | "begin" | "live" |
 *   "sound" | "link" | "share" | "full" | "help"} Action an action and the id of its button; "begin" has no button
 * @typedef {Record<Action, () => void> & { speed: (speed: number) => void }} Actions
 */

import { blurClicked, button, byId, setText } from "../../common/dom.js";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
/** A touch that moves farther than this is a swipe, not a tap. */
const SWIPE_PX = 36;
/** Swipes that begin closer than this to the left or right edge of the window are left to the browser. */
const EDGE_PX = 24;
/** @type {Record<string, Action>} */
const KEYS = {
  " ": "play",
  k: "play",
  arrowleft: "back",
  j: "back",
  arrowright: "on",
  l: "on",
  q: "out-back",
  e: "out-on",
  n: "mark-on",
  t: "table-on",
  f: "full",
  m: "sound",
  c: "link",
  home: "begin",
  end: "live",
  "?": "help",
};

/**
 * The buttons below the picture.
 *
 * @param {Actions} actions
 * @returns {(playing: boolean, pace: number, hasSound: boolean) => void} shows the state of the player
 */
export function setUpButtons({ speed: setSpeed, ...others }) {
  for (const [id, act] of Object.entries(others)) document.getElementById(id)?.addEventListener("click", act);
  const speeds = SPEEDS.map((speed) => {
    const words = speed === 0.25 ? "¼" : speed === 0.5 ? "½" : `${speed}×`;
    const node = button("speed", () => setSpeed(speed), words);
    node.dataset.speed = String(speed);
    node.setAttribute("aria-label", `Speed ${speed}`);
    return { speed, node };
  });
  byId("speeds").append(...speeds.map(({ node }) => node));
  byId("full").hidden = !document.fullscreenEnabled;
  byId("share").hidden = !navigator.share;
  const labelOf = (/** @type {string} */ id) => byId(id).querySelector("span") ?? byId(id);
  return (playing, pace, hasSound) => {
    setText(labelOf("play"), playing ? "Pause" : "Play");
    setText(labelOf("sound"), hasSound ? "Sound on" : "Sound off");
    byId("sound").setAttribute("aria-pressed", String(hasSound));
    for (const { speed, node } of speeds) node.setAttribute("aria-pressed", String(speed === pace));
  };
}

/**
 * Starts actions by key. Ignores keys that the focused control needs itself.
 *
 * @type {(actions: Actions) => void}
 */
export function listenToKeys(actions) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const onButton = event.target instanceof HTMLElement && event.target.closest("button, a, summary") !== null;
    if (onButton && (event.key === " " || event.key === "Enter")) return;
    const action = KEYS[event.key.toLowerCase()];
    const speed = SPEEDS[Number(event.key) - 1];
    if (event.shiftKey && action === "back") actions["hand-back"]();
    else if (event.shiftKey && action === "on") actions["hand-on"]();
    else if (event.shiftKey && action === "table-on") actions["table-back"]();
    else if (action) actions[action]();
    else if (speed) actions.speed(speed);
    else return;
    event.preventDefault();
  });
  blurClicked();
}

/**
 * A tap on the picture starts or pauses the film. A swipe goes to the next or the previous hand. Gestures with two
 * fingers are left to the browser. So are swipes from the edges of the screen, because phones use them to go back.
 *
 * @type {(host: HTMLElement, actions: Actions) => void}
 */
export function listenToTouch(host, actions) {
  /** @type {{ x: number, y: number } | null} */
  let start = null;
  let hasSwiped = false;
  host.addEventListener("pointerdown", (event) => {
    hasSwiped = false;
    const isSingleTouch = event.isPrimary && event.pointerType !== "mouse";
    start = isSingleTouch ? { x: event.clientX, y: event.clientY } : null;
  });
  host.addEventListener("pointercancel", () => {
    start = null;
  });
  host.addEventListener("pointerup", (event) => {
    const [x, y] = start ? [event.clientX - start.x, event.clientY - start.y] : [0, 0];
    const atEdge = !start || start.x < EDGE_PX || start.x > innerWidth - EDGE_PX;
    start = null;
    hasSwiped = Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y);
    if (hasSwiped && !atEdge) actions[x < 0 ? "hand-on" : "hand-back"]();
  });
  host.addEventListener("click", () => {
    if (!hasSwiped) actions.play();
  });
}
