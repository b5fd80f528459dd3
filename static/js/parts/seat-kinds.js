/**
 * Where everything of a seat stands, for the three sizes of seat. Stage pixels, relative to the seat's box.
 *
 * @typedef {"wide" | "compact" | "large"} SeatKind
 * @typedef {{ left: number, top: number, width: number, height: number }} Box
 * @typedef {{
 *   poster: Box, photo: Box, name: Box & { size: number, pair?: number }, reward: Box & { size: number }, wanted: boolean,
 *   chance: Box, stamp: { x: number, y: number }, out?: { x: number, y: number },
 *   cards: Box, badges: Box, plate: Box, won: Box, fuse: Box, bubble: Box & { most: number },
 * }} SeatShape
 */

/** @type {Record<SeatKind, (width: number, height: number) => SeatShape>} */
const KINDS = { wide, compact, large };

/**
 * @param {SeatKind} kind
 * @param {{ width: number, height: number }} size
 * @param {boolean} mirrored the poster stands at the right
 * @returns {SeatShape}
 */
export function shapeOf(kind, { width, height }, mirrored) {
  const shape = KINDS[kind](width, height);
  if (!mirrored) return shape;
  const turned = { ...shape };
  for (const part of /** @type {const} */ (["poster", "cards", "badges", "plate", "won", "fuse"])) {
    turned[part] = { ...shape[part], left: width - shape[part].left - shape[part].width };
  }
  turned.bubble = { ...shape.bubble, left: width - shape.bubble.left - shape.bubble.width };
  return turned;
}

/** Six at the table: the poster left; speech, cards and plate right of it. */
function wide() {
  return {
    poster: box(0, 0, 248, 316),
    wanted: true,
    stamp: { x: 124, y: 32 },
    photo: box(49, 45, 150, 150),
    chance: box(49, 149, 150, 49),
    name: { ...box(16, 197, 216, 66), size: 36, pair: 34 },
    reward: { ...box(16, 262, 216, 42), size: 40 },
    cards: box(262, 94, 232, 156),
    badges: box(504, 94, 64, 156),
    plate: box(262, 257, 306, 59),
    won: box(262, 20, 306, 64),
    fuse: box(4, 317, 564, 12),
    bubble: { ...box(262, 0, 306, 90), most: 372 },
  };
}

/**
 * Seven to twelve: everything on one sheet.
 *
 * @param {number} width
 * @param {number} height
 * @returns {SeatShape}
 */
function compact(width, height) {
  const inner = width - 24;
  return {
    poster: box(0, 0, width, height),
    wanted: false,
    stamp: { x: 53, y: 22 },
    // Its cards are gone, and the photo is too small for it.
    out: { x: width / 2, y: 182 },
    photo: box(14, 12, 96, 94),
    chance: box(5, 66, 106, 46),
    name: { ...box(118, 10, inner - 110, 60), size: 36, pair: 31 },
    reward: { ...box(118, 70, inner - 110, 40), size: 40 },
    cards: box(12, 114, 206, 140),
    badges: box(width - 59, 112, 56, 144),
    plate: box(12, 257, width - 24, 54),
    won: box(232, 150, width - 300, 80),
    fuse: box(4, 317, width - 8, 12),
    bubble: { ...box(8, 10, width - 16, 104), most: width - 16 },
  };
}

/** Two at the table: a large poster, everything else towards the middle. */
function large() {
  return {
    poster: box(0, 0, 380, 640),
    wanted: true,
    stamp: { x: 190, y: 46 },
    photo: box(28, 82, 324, 324),
    chance: box(88, 340, 204, 80),
    name: { ...box(24, 426, 332, 104), size: 52 },
    reward: { ...box(24, 540, 332, 70), size: 60 },
    cards: box(402, 120, 272, 182),
    badges: box(402, 388, 272, 64),
    plate: box(402, 314, 272, 60),
    won: box(402, 40, 272, 64),
    fuse: box(6, 644, 366, 12),
    bubble: { ...box(402, 0, 272, 112), most: 272 },
  };
}

/**
 * @param {number} left
 * @param {number} top
 * @param {number} width
 * @param {number} height
 * @returns {Box}
 */
function box(left, top, width, height) {
  return { left, top, width, height };
}
