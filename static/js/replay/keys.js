/**
 * What keys and buttons mean: the same deeds, by whichever of them.
 */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

/**
 * @typedef {{ play: () => void, halt: (way: -1 | 1) => void, hand: (way: -1 | 1) => void, out: (way: -1 | 1) => void,
 *   highlight: () => void, speed: (speed: number) => void, end: (way: -1 | 1) => void, full: () => void,
 *   sound: () => void, link: () => void, share: () => void, help: () => void }} Deeds
 */

/**
 * @param {KeyboardEvent} event
 * @param {Deeds} deeds
 * @returns {boolean} whether the key means anything
 */
function press(event, deeds) {
  const way = event.key === "ArrowLeft" || event.key.toLowerCase() === "j" ? -1 : 1;
  switch (event.key.toLowerCase()) {
    case " ":
    case "k":
      deeds.play();
      break;
    case "arrowleft":
    case "arrowright":
    case "j":
    case "l":
      if (event.shiftKey) deeds.hand(way);
      else deeds.halt(way);
      break;
    case "e":
      deeds.out(1);
      break;
    case "q":
      deeds.out(-1);
      break;
    case "n":
      deeds.highlight();
      break;
    case "f":
      deeds.full();
      break;
    case "m":
      deeds.sound();
      break;
    case "c":
      deeds.link();
      break;
    case "home":
      deeds.end(-1);
      break;
    case "end":
      deeds.end(1);
      break;
    case "?":
      deeds.help();
      break;
    default:
      return pressNumber(event.key, deeds);
  }
  return true;
}

/**
 * @param {string} key
 * @param {Deeds} deeds
 */
function pressNumber(key, deeds) {
  const speed = /^[1-9]$/.test(key) ? SPEEDS[Number(key) - 1] : undefined;
  if (speed === undefined) return false;
  deeds.speed(speed);
  return true;
}

/**
 * Keys count wherever the focus is, but for what a control in focus needs of them itself.
 *
 * @param {Deeds} deeds
 */
export function keysOf(deeds) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const onButton = event.target instanceof HTMLElement && event.target.closest("button, a, summary") !== null;
    if (onButton && (event.key === " " || event.key === "Enter")) return;
    if (press(event, deeds)) event.preventDefault();
  });
  // What was pressed by hand keeps no focus: the next press of Space is not meant for it.
  addEventListener("click", (event) => {
    if (event.detail && event.target instanceof Element) event.target.closest("button")?.blur();
  });
}
