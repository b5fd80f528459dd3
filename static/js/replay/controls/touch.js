/**
 * Touch on the picture: a tap plays or pauses, a swipe to the side goes to the next hand or to the one before. Gestures
 * with two fingers are left to the browser, and so are swipes from the edges of the screen, by which phones go back.
 *
 * @import { Actions } from "./keys.js"
 */

/** A shorter move is still a tap. */
const SWIPE_PX = 36;
/** A touch that begins this near to an edge of the window is the browser's. */
const EDGE_PX = 24;

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
