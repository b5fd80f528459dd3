/**
 * Fits text into a box: breaks it into lines, then makes it smaller, and then narrower. Measures text on a canvas, so
 * that the browser does not have to lay out the page.
 *
 * @import { Piece } from "./checked-thought.js"
 * @typedef {{ weight?: number, family?: "text" | "title" }} FontStyle
 * @typedef {FontStyle & { width: number, size: number, minSize?: number, lines?: number, isRunningText?: boolean,
 *   height?: number, wrappedSize?: number, dir?: "ltr" | "auto" }} TextBox `wrappedSize`: the largest font size if the
 *   text takes several lines; `isRunningText`: the text ends in an ellipsis before it gets too narrow; `height`: the
 *   height that the lines may fill; `dir`: "ltr" for English text that may begin with a name in another alphabet
 * @typedef {{ lines: string[], size: number, squeeze: number }} Fitting
 */

import { pieceElement } from "./checked-thought.js";

/** @type {FontStyle} */
export const TITLE_FONT = { weight: 400, family: "title" };
export const BOLD_FONT = { weight: 700 };

/** Text is measured at this size only, because its width is proportional to the size. */
const MEASURED_SIZE = 100;
const UNSPACED_SCRIPT = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;

/** How much wider a digit is on the page than a "4" on the canvas, at a font size of 1. */
const TABULAR_EXTRA = 0.016;

/** The factors by which running text is narrowed, one after another, before it is cut off. */
const SQUEEZE_STEPS = [0.9, 0.8, 0.7];

/** Words with more characters than this may be broken. */
const MAX_UNBROKEN = 14;
/**
 * Finds words in text that is written without spaces, so that lines can be broken between them. Only Thai needs its own
 * locale, so the locale is "th".
 */
const WORD_SEGMENTER = new Intl.Segmenter("th", { granularity: "word" });
/** Finds units that are never broken: a letter with its accents, or an emoji of several parts. */
const CHARACTER_SEGMENTER = new Intl.Segmenter();

const measuringContext = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
/** @type {Map<string, number>} */
const widthByKey = new Map();
/** @type {Map<string, string>} */
const families = new Map();

/** Forgets all measurements. Call this when fonts have loaded. */
export function remeasure() {
  widthByKey.clear();
  families.clear();
}

/**
 * Writes `text` into `node` so that it fits into `box`, one span per line.
 *
 * @param {HTMLElement} node
 * @param {string} text
 * @param {TextBox} box
 * @param {Piece[]} [pieces] the text in pieces, if some pieces are marked
 */
export function fitText(node, text, box, pieces = [["", text]]) {
  const fitting = findFitting(text, box);
  const key = JSON.stringify([fitting, pieces]);
  if (node.dataset.fit === key) return;
  node.dataset.fit = key;
  node.style.fontSize = `${fitting.size}px`;
  let position = 0;
  const spans = fitting.lines.map((line) => {
    const span = document.createElement("span");
    span.className = "line";
    span.dir = box.dir ?? "auto";
    position = Math.max(position, text.indexOf(line, position));
    span.append(...piecesOnLine(pieces, line, position));
    position += line.length;
    if (fitting.squeeze < 1) span.style.transform = `scaleX(${fitting.squeeze})`;
    return span;
  });
  node.replaceChildren(...spans);
}

/** The part of `pieces` on the line that begins at `from`. @type {(pieces: Piece[], line: string, from: number) => (Node | string)[]} */
function piecesOnLine(pieces, line, from) {
  if (pieces.length === 1) return [line];
  let pieceStart = -from;
  return pieces.flatMap(([kind, text]) => {
    const part = line.slice(Math.max(0, pieceStart), Math.max(0, pieceStart + text.length));
    pieceStart += text.length;
    return part ? [pieceElement([kind, part])] : [];
  });
}

/** @type {(text: string, box: TextBox) => Fitting} */
function findFitting(text, box) {
  const minSize = box.minSize ?? 28;
  const maxLines = box.lines ?? 1;
  if (box.isRunningText) return fitRunningText(text, box, minSize);
  const fits = (/** @type {string[]} */ lines, /** @type {number} */ size) =>
    lines.every((line) => widthOf(line, box) * size <= box.width);
  const oneLine = [text];
  for (const size of descendingSizes(box.size, Math.max(minSize, box.size - 4))) {
    if (fits(oneLine, size)) return { lines: oneLine, size, squeeze: 1 };
  }
  const options = [oneLine];
  for (let count = 2; count <= maxLines; count += 1) options.push(evenLines(text, count, box));
  for (const size of descendingSizes(box.wrappedSize ?? box.size, minSize)) {
    for (const lines of options) if (fits(lines, size)) return { lines, size, squeeze: 1 };
  }
  const lines = options.at(-1) ?? oneLine;
  const widest = Math.max(...lines.map((line) => widthOf(line, box)));
  return { lines, size: minSize, squeeze: Math.floor((box.width / (widest * minSize)) * 1000) / 1000 };
}

/**
 * Fits running text: on one line if possible, otherwise on several lines, each as full as possible. If the text is too
 * long, makes it smaller, then narrower, and at last cuts it off with an ellipsis.
 *
 * @param {string} text
 * @param {TextBox} box
 * @param {number} minSize
 * @returns {Fitting}
 */
function fitRunningText(text, box, minSize) {
  const alone = Math.floor(box.width / widthOf(text, box));
  if (alone >= Math.max(minSize, box.size - 4)) return { lines: [text], size: Math.min(box.size, alone), squeeze: 1 };
  const maxLines = (/** @type {number} */ size) => (box.height ? Math.floor(box.height / size) : (box.lines ?? 1));
  const styles = [
    ...descendingSizes(box.size, minSize).map((size) => ({ size, squeeze: 1 })),
    ...SQUEEZE_STEPS.map((squeeze) => ({ size: minSize, squeeze })),
  ];
  for (const style of styles) {
    const lines = filledLines(text, box, box.width / (style.size * style.squeeze));
    if (lines.length <= maxLines(style.size)) return { lines, ...style };
  }
  const lines = filledLines(text, box, box.width / minSize).slice(0, maxLines(minSize));
  let last = lines.pop() ?? "";
  while (last && widthOf(`${last}…`, box) * minSize > box.width)
    last = last.replace(/\s*\S+$/u, "") || last.replace(/.$/u, "");
  return { lines: [...lines, `${last}…`], size: minSize, squeeze: 1 };
}

/**
 * Breaks text into lines, each as full as possible. `width` is the room for a line, at a font size of one pixel.
 *
 * @type {(text: string, box: TextBox, width: number) => string[]}
 */
function filledLines(text, box, width) {
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const piece of splitAtBreaks(text.trim())) {
    if (line && widthOf((line + piece).trimEnd(), box) > width) {
      lines.push(line.trim());
      line = piece;
    } else line += piece;
  }
  return [...lines, line.trim()];
}

/** @type {(from: number, to: number) => number[]} */
function descendingSizes(from, to) {
  return Array.from({ length: Math.floor((from - to) / 2) + 1 }, (_, step) => from - 2 * step);
}

/**
 * Returns the width of a line at a font size of one pixel. The page shows tabular digits, which all have the same
 * width. The canvas can measure only proportional digits. So each digit is measured as a "4", the widest of them, and
 * TABULAR_EXTRA is added.
 *
 * @type {(line: string, face?: FontStyle) => number}
 */
export function widthOf(line, { weight = 600, family = "text" } = {}) {
  const key = `${weight}${family}${line}`;
  const cached = widthByKey.get(key);
  if (cached !== undefined) return cached;
  measuringContext.font = `${weight} ${MEASURED_SIZE}px ${familyOf(family)}`;
  const normalized = line.replace(/\d/g, "4");
  const digits = normalized.split("4").length - 1;
  const width = measuringContext.measureText(normalized).width / MEASURED_SIZE + digits * TABULAR_EXTRA + 0.04;
  if (widthByKey.size > 4000) widthByKey.clear();
  widthByKey.set(key, width);
  return width;
}

/** The style sheet's fonts, cached, because a lookup makes the browser compute styles. @param {string} name */
function familyOf(name) {
  const cached = families.get(name);
  if (cached !== undefined) return cached;
  const family = getComputedStyle(document.documentElement).getPropertyValue(`--font-${name}`);
  if (family) families.set(name, family);
  return family || "sans-serif";
}

/**
 * Breaks `text` into `count` lines of about the same width: at spaces and hyphens or, in text without spaces, between
 * words or characters.
 *
 * @param {string} text
 * @param {number} count
 * @param {TextBox} box
 * @returns {string[]} the lines
 */
function evenLines(text, count, box) {
  for (let width = widthOf(text, box) / count; ; width *= 1.04) {
    const lines = filledLines(text, box, width);
    if (lines.length <= count) return lines;
  }
}

/** @param {string} text */
function splitAtBreaks(text) {
  const words = text.match(/\S+\s*|\s+/gu) ?? [text];
  return words.flatMap((word) => {
    if (word.length <= MAX_UNBROKEN && !UNSPACED_SCRIPT.test(word)) return [word];
    const parts = word.match(/[^-]+-?\s*|-\s*/gu) ?? [word];
    if (parts.length > 1 && parts.every((part) => part.length <= MAX_UNBROKEN)) return parts;
    const pieces = UNSPACED_SCRIPT.test(word) ? [word] : segments(WORD_SEGMENTER, word);
    return pieces.flatMap((piece) =>
      piece.length <= MAX_UNBROKEN && piece !== word ? [piece] : segments(CHARACTER_SEGMENTER, piece),
    );
  });
}

/** @type {(segmenter: Intl.Segmenter, text: string) => string[]} */
function segments(segmenter, text) {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
