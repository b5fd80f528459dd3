/**
 * Text that never leaves its box: it breaks into lines, shrinks, and at the very end is squeezed.
 * Measured on a canvas, so nothing forces a layout.
 *
 * @typedef {{ width: number, size: number, least?: number, lines?: number, weight?: number, family?: "text" | "title",
 *   clip?: boolean, pair?: number }} Room `pair`: the largest size on several lines; `clip`: running text, cut off with an ellipsis rather than squeezed
 * @typedef {{ lines: string[], size: number, squeeze: number }} Fitting
 */

/** Letters at this size are measured once; widths grow in step with the size. */
const MEASURED_AT = 100;
const JOINED = /\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Thai}/u;
const UNSPACED = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;

/** By how much a tabular figure is wider than the widest of the others. */
const TABULAR = 0.016;

/** Words longer than this may be broken. */
const LONG = 14;

const pen = document.createElement("canvas").getContext("2d");
/** @type {Map<string, number>} */
const widths = new Map();
/** @type {Map<string, string>} */
const families = new Map();

/** Forgets all measures, when the fonts have come. */
export function remeasure() {
  widths.clear();
  families.clear();
}

/**
 * Writes `text` into `node` so that it keeps within `room`, one span to a line.
 *
 * @param {HTMLElement} node
 * @param {string} text
 * @param {Room} room
 */
export function fit(node, text, room) {
  const fitting = fitted(text, room);
  const key = JSON.stringify(fitting);
  if (node.dataset.fit === key) return;
  node.dataset.fit = key;
  node.style.fontSize = `${fitting.size}px`;
  node.replaceChildren(...fitting.lines.map((line) => lineOf(line, fitting.squeeze)));
}

/**
 * @param {string} line
 * @param {number} squeeze
 */
function lineOf(line, squeeze) {
  const span = document.createElement("span");
  span.className = "line";
  span.dir = "auto";
  span.textContent = line;
  if (squeeze < 1) span.style.transform = `scaleX(${squeeze})`;
  return span;
}

/**
 * @param {string} text
 * @param {Room} room
 * @returns {Fitting}
 */
function fitted(text, room) {
  const least = room.least ?? 28;
  const most = room.lines ?? 1;
  if (room.clip) return flowing(text, room, least, most);
  const fits = (/** @type {string[]} */ lines, /** @type {number} */ size) =>
    lines.every((line) => widthOf(line, room) * size <= room.width);
  const whole = [text];
  for (const size of sizes(room.size, Math.max(least, room.size - 4))) {
    if (fits(whole, size)) return { lines: whole, size, squeeze: 1 };
  }
  const options = [whole];
  for (let count = 2; count <= most; count += 1) options.push(broken(text, count, room));
  for (const size of sizes(room.pair ?? room.size, least)) {
    for (const lines of options) if (fits(lines, size)) return { lines, size, squeeze: 1 };
  }
  const lines = options.at(-1) ?? whole;
  const widest = Math.max(...lines.map((line) => widthOf(line, room)));
  return { lines, size: least, squeeze: Math.floor((room.width / (widest * least)) * 1000) / 1000 };
}

/**
 * Running text: on one line if that can be, else lines as full as they go, smaller if need be, and an ellipsis where it
 * still is too long.
 *
 * @param {string} text
 * @param {Room} room
 * @param {number} least
 * @param {number} most
 * @returns {Fitting}
 */
function flowing(text, room, least, most) {
  const alone = Math.floor(room.width / widthOf(text, room));
  if (alone >= room.size - 4) return { lines: [text], size: Math.min(room.size, alone), squeeze: 1 };
  for (const size of sizes(room.size, least)) {
    const lines = poured(text, room, room.width / size);
    if (lines.length <= most) return { lines, size, squeeze: 1 };
  }
  const lines = poured(text, room, room.width / least).slice(0, most);
  let last = lines.pop() ?? "";
  while (last && widthOf(`${last}…`, room) * least > room.width)
    last = last.replace(/\s*\S+$/u, "") || last.slice(0, -1);
  return { lines: [...lines, `${last}…`], size: least, squeeze: 1 };
}

/**
 * @param {string} text
 * @param {Room} room
 * @param {number} width at a font size of one pixel
 */
function poured(text, room, width) {
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const piece of piecesOf(text.trim())) {
    if (line && widthOf((line + piece).trimEnd(), room) > width) {
      lines.push(line.trim());
      line = piece;
    } else line += piece;
  }
  return [...lines, line.trim()];
}

/**
 * @param {number} from
 * @param {number} to
 */
function sizes(from, to) {
  return Array.from({ length: Math.floor((from - to) / 2) + 1 }, (_, step) => from - 2 * step);
}

/**
 * How wide a line is at a font size of one pixel. Digits count as the widest of them, and a little
 * more: they are set in tabular figures, which a canvas does not know.
 *
 * @param {string} line
 * @param {Room} room
 */
export function widthOf(line, room) {
  const weight = room.weight ?? 600;
  const key = `${weight}${room.family ?? "text"}${line}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (!pen) return line.length * 0.5;
  pen.font = `${weight} ${MEASURED_AT}px ${familyOf(room.family ?? "text")}`;
  const alike = line.replace(/\d/g, "4");
  const digits = alike.split("4").length - 1;
  const width = pen.measureText(alike).width / MEASURED_AT + digits * TABULAR + 0.04;
  if (widths.size > 4000) widths.clear();
  widths.set(key, width);
  return width;
}

/**
 * Asked of the page once: every question has it work out all styles anew.
 *
 * @param {string} name
 */
function familyOf(name) {
  const known = families.get(name);
  if (known !== undefined) return known;
  const told = getComputedStyle(document.documentElement).getPropertyValue(`--font-${name}`);
  if (told) families.set(name, told);
  return told || "sans-serif";
}

/**
 * `text` in `count` lines of about the same width, broken at blanks and hyphens, else between letters that may part.
 *
 * @param {string} text
 * @param {number} count
 * @param {Room} room
 * @returns {string[]}
 */
function broken(text, count, room) {
  const pieces = piecesOf(text);
  const goal = widthOf(text, room) / count;
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const piece of pieces) {
    const longer = line + piece;
    const over = widthOf(longer.trimEnd(), room) - goal;
    const under = goal - widthOf(line.trimEnd(), room);
    if (line && lines.length < count - 1 && over > 0 && over > under) {
      lines.push(line.trim());
      line = piece;
    } else line = longer;
  }
  return [...lines, line.trim()].filter(Boolean);
}

/** @param {string} text */
function piecesOf(text) {
  const words = text.match(/\S+\s*|\s+/gu) ?? [text];
  return words.flatMap((word) => {
    if (JOINED.test(word) || (word.length <= LONG && !UNSPACED.test(word))) return [word];
    const parts = word.match(/[^-]+-?\s*|-\s*/gu) ?? [word];
    return parts.length > 1 && parts.every((part) => part.length <= LONG) ? parts : [...word];
  });
}
