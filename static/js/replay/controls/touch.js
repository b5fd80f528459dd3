/**
 * Touch on the picture: a tap plays or pauses, a swipe steps. Gestures with two fingers are left to the browser.
 *
 * @import { Actions } from "./keys.js"
 */

/** A shorter move is still a tap. */
const SWIPE_PX = 36;

/**
 * @param {HTMLElement} host
 * @param {Actions} actions
 */
export function touchOf(host, actions) {
  /** @type {{ x: number, y: number } | null} */
  let began = null;
  let swiped = false;
  host.addEventListener("pointerdown", (event) => {
    swiped = false;
    began = event.isPrimary && event.pointerType !== "mouse" ? { x: event.clientX, y: event.clientY } : null;
  });
  host.addEventListener("pointercancel", () => {
    began = null;
  });
  host.addEventListener("pointerup", (event) => {
    const [x, y] = began ? [event.clientX - began.x, event.clientY - began.y] : [0, 0];
    began = null;
    swiped = Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y);
    if (swiped) actions.halt(x < 0 ? 1 : -1);
  });
  host.addEventListener("click", () => {
    if (!swiped) actions.play();
  });
}
