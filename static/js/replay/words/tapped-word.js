/**
 * Explains a word in the picture when a visitor taps it or chooses it with the keyboard. On small screens, the
 * explanation replaces the controls. On other screens, the explanation is beside the word or, if there is no room, at
 * the right edge of the window.
 *
 * @import { State } from "../../common/types.js"
 * @import { ExplainedWord } from "./explanations.js"
 * @typedef {{ word: ExplainedWord, part: HTMLElement }} WordInPicture
 */

import { byId, setText } from "../../common/dom.js";
import { Sheet } from "../controls/sheet.js";
import { EXPLAINED_WORDS } from "./explanations.js";

/** The size that a finger needs, in CSS pixels. Smaller words also react to taps beside them. */
const TOUCH_SIZE = 44;
/** A press that moves farther than this is not a tap. */
const TAP_PX = 10;
const GAP = 8;
/** The parts that an explanation must not cover. */
const UNCOVERED_PARTS =
  ".poster__photo, .poster__name, .poster__reward, .card, .plate, .chance, .badge, .pot, .strip, .third";
const WIDE_QUERY = matchMedia("(width >= 75rem)");

/**
 * @param {HTMLElement} host the element with the picture
 * @returns {(state: State) => void} follows the picture: updates the numbers in the explanation, and hides the
 *   explanation when its word disappears
 */
export function explainWords(host) {
  const root = byId("explained");
  const sheet = new Sheet(root, () => [host]);
  /** @type {State | null} */
  let state = null;
  /** @type {WordInPicture | null} */
  let shown = null;
  let pressedAt = { x: 0, y: 0 };

  /** @param {WordInPicture} found */
  function show(found) {
    if (!explain(found, state)) return;
    shown = found;
    sheet.show(found.part);
    moveBeside(root, found.part.getBoundingClientRect(), host);
  }

  /** @param {MouseEvent} event */
  function onTap(event) {
    const { clientX: x, clientY: y } = event;
    if (Math.hypot(x - pressedAt.x, y - pressedAt.y) > TAP_PX) return;
    const finger = event instanceof PointerEvent && event.pointerType !== "mouse";
    const found = wordAt(host, x, y, finger ? TOUCH_SIZE : 0);
    const { isOpen: open } = sheet;
    if (found) show(found);
    else sheet.hide();
    if (found || open) event.stopImmediatePropagation();
  }

  host.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
    pressedAt = { x, y };
  });
  host.addEventListener("click", onTap, { capture: true });
  host.addEventListener("keydown", ({ key, target }) => {
    const found = key === "Enter" && wordsIn(host).find(({ part }) => part === target);
    if (found) show(found);
  });
  addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Node && !host.contains(target) && !root.contains(target)) sheet.hide();
  });

  return (now) => {
    state = now;
    for (const { part } of wordsIn(host)) {
      if (part.tabIndex === 0) continue;
      part.tabIndex = 0;
      part.setAttribute("role", "button");
    }
    if (shown && sheet.isOpen && !explain(shown, state)) sheet.hide();
  };
}

/** @type {(host: HTMLElement) => WordInPicture[]} */
function wordsIn(host) {
  return EXPLAINED_WORDS.flatMap((word) => {
    const parts = /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll(word.part));
    return Array.from(parts, (part) => ({ word, part }));
  });
}

/** The word at x, y. @type {(host: HTMLElement, x: number, y: number, minSize: number) => WordInPicture | undefined} */
function wordAt(host, x, y, minSize) {
  if (host.querySelector(".stage[data-card]")) return undefined;
  const hits = wordsIn(host).flatMap((each) => {
    const { left, top, width, height } = each.part.getBoundingClientRect();
    const [wide, high] = [Math.max(minSize, width), Math.max(minSize, height)];
    const [dx, dy] = [Math.abs(x - left - width / 2), Math.abs(y - top - height / 2)];
    const distance = Math.max(0, dx - width / 2) + Math.max(0, dy - height / 2);
    return width && dx <= wide / 2 && dy <= high / 2 ? [{ each, away: distance, area: width * height }] : [];
  });
  return hits.sort((one, other) => one.away - other.away || one.area - other.area)[0]?.each;
}

/**
 * Writes a word's explanation. Returns false if there is none.
 *
 * @type {(found: WordInPicture, state: State | null) => boolean}
 */
function explain({ word, part }, state) {
  const seat = part.closest(".seat");
  const seatIndex = seat ? [...(seat.parentElement?.children ?? [])].indexOf(seat) : -1;
  const explanation = state && part.getClientRects().length > 0 && word.explain(state, seatIndex);
  if (!explanation) return false;
  const [title, text] = explanation;
  setText(byId("explained-title"), title);
  setText(byId("explained-text"), text);
  return true;
}

/** Moves the sheet beside the word. @type {(root: HTMLElement, word: DOMRect, host: HTMLElement) => void} */
function moveBeside(root, word, host) {
  const { style } = root;
  style.inset = "";
  if (!WIDE_QUERY.matches) return;
  const { width, height } = root.getBoundingClientRect();
  const kept = [...host.querySelectorAll(UNCOVERED_PARTS)].map((part) => part.getBoundingClientRect());
  const spots = [
    [word.left, word.top - GAP - height],
    [word.left, word.bottom + GAP],
    [word.right + GAP, word.top],
    [word.left - GAP - width, word.top],
  ];
  const free = spots.find(
    ([left = 0, top = 0]) =>
      left >= 0 &&
      top >= 0 &&
      left + width <= innerWidth &&
      top + height <= innerHeight &&
      kept.every(
        (box) => left >= box.right || left + width <= box.left || top >= box.bottom || top + height <= box.top,
      ),
  );
  if (free) style.inset = `${free[1]}px auto auto ${free[0]}px`;
  else if (!document.fullscreenElement) {
    style.inset = `${Math.min(word.top, innerHeight - height - GAP)}px 1rem auto auto`;
  }
}
