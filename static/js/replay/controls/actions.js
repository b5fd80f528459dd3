/**
 * The actions of the replay page, and the buttons, keys and touches that start them.
 *
 * @typedef {{ play: () => void, halt: (way: -1 | 1) => void, hand: (way: -1 | 1) => void, out: (way: -1 | 1) => void,
 *   highlight: () => void, speed: (speed: number) => void, end: (way: -1 | 1) => void, full: () => void,
 *   sound: () => void, link: () => void, share: () => void, help: () => void }} Actions
 */

import { blurClicked, button, byId, write } from "../../common/dom.js";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
/** A shorter move is still a tap. */
const SWIPE_PX = 36;
/** A touch that begins this near to an edge of the window is the browser's. */
const EDGE_PX = 24;

/**
 * The buttons below the picture.
 *
 * @param {Actions} actions
 * @returns {(playing: boolean, pace: number, loud: boolean) => void} has them show the state of the player
 */
export function buttonsOf(actions) {
  /** @type {Record<string, () => void>} */
  const meant = {
    play: actions.play,
    back: () => actions.halt(-1),
    on: () => actions.halt(1),
    "hand-back": () => actions.hand(-1),
    "hand-on": () => actions.hand(1),
    "out-back": () => actions.out(-1),
    "out-on": () => actions.out(1),
    "mark-on": actions.highlight,
    live: () => actions.end(1),
    sound: actions.sound,
    link: actions.link,
    share: actions.share,
    full: actions.full,
    help: actions.help,
  };
  for (const [id, deed] of Object.entries(meant)) byId(id).addEventListener("click", deed);
  const speeds = SPEEDS.map((speed) => {
    const words = speed === 0.25 ? "¼" : speed === 0.5 ? "½" : `${speed}×`;
    const node = button("speed", () => actions.speed(speed), words);
    node.dataset.speed = String(speed);
    node.setAttribute("aria-label", `Speed ${speed}`);
    return { speed, node };
  });
  byId("speeds").append(...speeds.map(({ node }) => node));
  byId("full").hidden = !document.fullscreenEnabled;
  byId("share").hidden = !navigator.share;
  const labelOf = (/** @type {string} */ id) => byId(id).querySelector("span") ?? byId(id);
  return (playing, pace, loud) => {
    write(labelOf("play"), playing ? "Pause" : "Play");
    write(labelOf("sound"), loud ? "Sound on" : "Sound off");
    byId("sound").setAttribute("aria-pressed", String(loud));
    for (const { speed, node } of speeds) node.setAttribute("aria-pressed", String(speed === pace));
  };
}

/**
 * Keys work wherever the focus is, except for those that the control in focus needs itself.
 *
 * @param {Actions} actions
 */
export function keysOf(actions) {
  const move = (/** @type {-1 | 1} */ way, /** @type {boolean} */ far) => (far ? actions.hand(way) : actions.halt(way));
  /** @type {Record<string, (far: boolean) => void>} */
  const meant = {
    " ": actions.play,
    k: actions.play,
    arrowleft: (far) => move(-1, far),
    arrowright: (far) => move(1, far),
    j: (far) => move(-1, far),
    l: (far) => move(1, far),
    e: () => actions.out(1),
    q: () => actions.out(-1),
    n: actions.highlight,
    f: actions.full,
    m: actions.sound,
    c: actions.link,
    home: () => actions.end(-1),
    end: () => actions.end(1),
    "?": actions.help,
    ...Object.fromEntries(SPEEDS.map((speed, at) => [at + 1, () => actions.speed(speed)])),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const onButton = event.target instanceof HTMLElement && event.target.closest("button, a, summary") !== null;
    if (onButton && (event.key === " " || event.key === "Enter")) return;
    const deed = meant[event.key.toLowerCase()];
    if (!deed) return;
    deed(event.shiftKey);
    event.preventDefault();
  });
  blurClicked();
}

/**
 * A tap on the picture plays or pauses, a swipe to the side goes to the next hand or to the one before. Gestures with
 * two fingers are left to the browser, and so are swipes from the edges of the screen, by which phones go back.
 *
 * @param {HTMLElement} host
 * @param {Actions} actions
 */
export function touchOf(host, actions) {
  /** @type {{ x: number, y: number } | null} */
  let began = null;
  let swiped = false;
  host.addEventListener("pointerdown", (event) => {
    swiped = false;
    const ours = event.isPrimary && event.pointerType !== "mouse";
    began = ours ? { x: event.clientX, y: event.clientY } : null;
  });
  host.addEventListener("pointercancel", () => {
    began = null;
  });
  host.addEventListener("pointerup", (event) => {
    const [x, y] = began ? [event.clientX - began.x, event.clientY - began.y] : [0, 0];
    const atEdge = !began || began.x < EDGE_PX || began.x > innerWidth - EDGE_PX;
    began = null;
    swiped = Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y);
    if (swiped && !atEdge) actions.hand(x < 0 ? 1 : -1);
  });
  host.addEventListener("click", () => {
    if (!swiped) actions.play();
  });
}
