/**
 * The strip below the picture: the whole recording as one line, with what is worth seeing marked above it.
 *
 * @import { Outline } from "./film.js"
 */

import { el, mark } from "../dom.js";

/** Hands with a lower score are not marked: a strip full of marks shows nothing. */
const WORTH = 25;

/**
 * @param {HTMLElement} lane
 * @param {Outline} outline
 * @param {(hand: number) => void} go
 */
export function drawMarks(lane, outline, go) {
  const length = Math.max(1, outline.length_ms);
  const names = new Map(outline.bots.map((star) => [star.bot, star.name]));
  const marks = outline.hands.flatMap((hand, at) => {
    const before = outline.hands[at - 1];
    const begins = hand.game !== before?.game && hand.game > 0;
    /** @type {HTMLElement[]} */
    const made = begins ? [tick(hand.stage === before?.stage ? "game" : "stage", hand.at_ms / length)] : [];
    const out = hand.out.map(([bot]) => names.get(bot) ?? "");
    if (out.length || (hand.marks.length && hand.score >= WORTH)) {
      const words = [...hand.marks, ...out.map((name) => `${name} is out`)].join(", ");
      made.push(button(out.length ? "out" : "hand", hand.at_ms / length, hand.score, words, () => go(at)));
    }
    return made;
  });
  lane.replaceChildren(...marks);
}

/**
 * @param {string} kind
 * @param {number} share
 */
function tick(kind, share) {
  const node = el("reel__tick");
  mark(node, "kind", kind);
  node.style.left = `${share * 100}%`;
  return node;
}

/**
 * For the hand that points; keys have ways of their own.
 *
 * @param {string} kind
 * @param {number} share
 * @param {number} score
 * @param {string} words
 * @param {() => void} go
 */
function button(kind, share, score, words, go) {
  const node = el("button.reel__mark");
  mark(node, "kind", kind);
  node.style.left = `${share * 100}%`;
  node.style.height = `${35 + Math.min(65, score * 0.65)}%`;
  node.title = words;
  node.tabIndex = -1;
  node.setAttribute("aria-hidden", "true");
  node.addEventListener("click", go);
  return node;
}
