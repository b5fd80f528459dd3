/**
 * Shows a bot's thought: the bot's own words on its act. The claims in a thought were checked. Right claims are
 * underlined. Wrong claims are struck through, and the truth follows. A bot's estimate of its chance to win is not a
 * claim. The real chance follows the estimate, in a colour that says how far apart the two are.
 *
 * @import { Checked, State } from "./types.js"
 * @typedef {"" | "right" | "wrong" | "truth" | "close" | "real" | "far"} PieceKind
 * @typedef {[kind: PieceKind, text: string]} Piece
 */

import { el } from "./dom.js";

/** Screen readers say this after a claim, because they do not read out underlines and strike-throughs. */
const SPOKEN_VERDICTS = { right: " (true)", wrong: " (not true)" };

/** Whether the operator hides the thoughts of a bot. @type {(state: State, bot: number) => boolean} */
export function areThoughtsHidden({ desk }, bot) {
  return desk.thoughts === false || desk.chat_off.includes(bot);
}

/**
 * Cuts a thought at its claims and estimates, which `checked` lists in order.
 *
 * @type {(text: string, checked: Checked[]) => Piece[]}
 */
export function piecesOf(text, checked) {
  const characters = [...text];
  const between = (/** @type {number} */ from, /** @type {number} */ to) => characters.slice(from, to).join("");
  /** @type {Piece[]} */
  const pieces = [];
  let position = 0;
  for (const { start, end, right, truth, estimate, close } of checked) {
    const verdict = right ? "right" : "wrong";
    const distance = close ? "close" : right ? "real" : "far";
    pieces.push(["", between(position, start)], [estimate ? "" : verdict, between(start, end)]);
    if (truth) pieces.push([estimate ? distance : "truth", ` [${truth}]`]);
    position = end;
  }
  return [...pieces, ["", between(position, characters.length)]];
}

/** The element of a piece. @type {(piece: Piece) => HTMLElement | string} */
export function pieceElement([kind, text]) {
  if (!kind) return text;
  return el(`span.claim claim--${kind}`, text);
}

/** The elements of a thought, with words for screen readers. @type {(text: string, checked: Checked[]) => (HTMLElement | string)[]} */
export function thoughtElements(text, checked) {
  return piecesOf(text, checked).flatMap((piece) => {
    const [kind] = piece;
    return kind === "right" || kind === "wrong"
      ? [pieceElement(piece), el("span.unseen", SPOKEN_VERDICTS[kind])]
      : [pieceElement(piece)];
  });
}

/** A thought as it is read out. @type {(text: string, checked: Checked[]) => string} */
export function spokenThought(text, checked) {
  return piecesOf(text, checked)
    .map(([kind, words]) => words + (kind === "right" || kind === "wrong" ? SPOKEN_VERDICTS[kind] : ""))
    .join("");
}
