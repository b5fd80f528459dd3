/**
 * The actions of the replay page, and the keys that start them.
 */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

/**
 * @typedef {{ play: () => void, halt: (way: -1 | 1) => void, hand: (way: -1 | 1) => void, out: (way: -1 | 1) => void,
 *   highlight: () => void, speed: (speed: number) => void, end: (way: -1 | 1) => void, full: () => void,
 *   sound: () => void, link: () => void, share: () => void, help: () => void }} Actions
 */

/**
 * @param {KeyboardEvent} event
 * @param {Actions} actions
 * @returns {boolean} whether the key means anything
 */
function press(event, actions) {
  const way = event.key === "ArrowLeft" || event.key.toLowerCase() === "j" ? -1 : 1;
  switch (event.key.toLowerCase()) {
    case " ":
    case "k":
      actions.play();
      break;
    case "arrowleft":
    case "arrowright":
    case "j":
    case "l":
      if (event.shiftKey) actions.hand(way);
      else actions.halt(way);
      break;
    case "e":
      actions.out(1);
      break;
    case "q":
      actions.out(-1);
      break;
    case "n":
      actions.highlight();
      break;
    case "f":
      actions.full();
      break;
    case "m":
      actions.sound();
      break;
    case "c":
      actions.link();
      break;
    case "home":
      actions.end(-1);
      break;
    case "end":
      actions.end(1);
      break;
    case "?":
      actions.help();
      break;
    default:
      return pressNumber(event.key, actions);
  }
  return true;
}

/**
 * @param {string} key
 * @param {Actions} actions
 */
function pressNumber(key, actions) {
  const speed = /^[1-9]$/.test(key) ? SPEEDS[Number(key) - 1] : undefined;
  if (speed === undefined) return false;
  actions.speed(speed);
  return true;
}

/**
 * Keys work wherever the focus is, except for those that the control in focus needs itself.
 *
 * @param {Actions} actions
 */
export function keysOf(actions) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const onButton = event.target instanceof HTMLElement && event.target.closest("button, a, summary") !== null;
    if (onButton && (event.key === " " || event.key === "Enter")) return;
    if (press(event, actions)) event.preventDefault();
  });
  // A clicked button loses the focus, so that the next press of Space does not click it again.
  addEventListener("click", (event) => {
    if (event.detail && event.target instanceof Element) event.target.closest("button")?.blur();
  });
}
