/**
 * The places of all parts of a seat, for each kind of seat. Stage pixels, relative to the seat's box.
 *
 * @typedef {"wide" | "compact" | "large" | "duo" | "narrow" | "tile" | "bench"} SeatKind
 * @typedef {{ left: number, top: number, width: number, height: number }} Box
 * @typedef {{
 *   poster: Box, photo: Box, name: Box & { size: number, pair?: number }, reward: Box & { size: number },
 *   wanted: boolean, chance: Box, stamp: { x: number, y: number }, out?: { x: number, y: number },
 *   cards: Box, badges: Box, plate: Box & { size?: number, stacked?: boolean }, won: Box, fuse: Box,
 *   bubble: Box & { most: number, named?: boolean },
 * }} SeatShape a bubble is `named` where it lies on the name: it says who speaks
 */

/** @type {Record<SeatKind, (width: number, height: number) => SeatShape>} */
const KINDS = { wide, compact, large, duo, narrow, tile, bench };

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
    // The bot has no cards any more, and the photo is too small for the stamp.
    out: { x: width / 2, y: 182 },
    photo: box(14, 12, 96, 94),
    chance: box(5, 66, 106, 46),
    name: { ...box(118, 10, inner - 110, 60), size: 36, pair: 31 },
    reward: { ...box(118, 70, inner - 110, 40), size: 40 },
    cards: box(12, 114, 206, 140),
    badges: box(width - 59, 112, 56, 144),
    plate: box(12, 257, width - 24, 54),
    won: box(232, 150, width - 300, 80),
    fuse: box(4, height + 1, width - 8, 12),
    bubble: { ...box(8, 10, width - 16, 104), most: width - 16, named: true },
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
 * One of the last two on a tall stage: the poster left, its cards large, its chance beside them.
 *
 * @param {number} width
 * @param {number} height
 * @returns {SeatShape}
 */
function duo(width, height) {
  const wanted = height > 260;
  const [side, top, across] = wanted ? [150, 46, 284] : [98, 8, 200];
  const beside = 282 + across;
  return {
    poster: box(0, 0, 256, height),
    wanted,
    stamp: { x: 128, y: 30 },
    photo: box((256 - side) / 2, top, side, side),
    chance: box(beside, wanted ? 110 : 62, width - beside, 78),
    name: { ...box(16, top + side + 2, 224, 58), size: 36, pair: 32 },
    reward: { ...box(16, height - 52, 224, 42), size: 44 },
    cards: box(270, 8, across, wanted ? 204 : 136),
    badges: box(beside, 8, width - beside, 48),
    plate: { ...box(270, height - 68, width - 270, 68), size: 40 },
    won: box(beside, wanted ? 104 : 56, width - beside, 84),
    fuse: box(4, height - 2, width - 8, 12),
    bubble: { ...box(4, Math.max(4, top + side - 116), 250, Math.min(114, top + side - 6)), most: 250 },
  };
}

/**
 * Five or six on a tall stage: one sheet, with the cards under the name.
 *
 * @param {number} width
 * @param {number} height
 * @returns {SeatShape}
 */
function narrow(width, height) {
  return {
    ...compact(width, height),
    stamp: { x: 62, y: 20 },
    photo: box(10, 8, 80, 76),
    chance: box(98, 46, width - 106, 42),
    name: { ...box(10, 88, width - 20, 56), size: 34, pair: 28 },
    reward: { ...box(96, 6, width - 104, 40), size: 38 },
    cards: box(10, 145, 154, 102),
    badges: box(width - 56, 145, 48, 102),
    plate: box(8, height - 60, width - 16, 56),
    bubble: { ...box(6, 0, width - 12, 87), most: width - 12 },
  };
}

/**
 * Seven to twelve on a tall stage, or the last four of them: face and name above, cards and plate below.
 *
 * @param {number} width
 * @param {number} height
 * @returns {SeatShape}
 */
function tile(width, height) {
  const side = Math.round(height * 0.42);
  const cards = { top: side + 12, width: height > 200 ? 162 : 110, height: height - side - 18 };
  const beside = side + 14;
  return {
    ...compact(width, height),
    stamp: { x: width * 0.6, y: side * 0.88 },
    out: { x: width / 2, y: height - 40 },
    photo: box(7, 7, side, side),
    chance: box(3, side - 30, side + 8, 40),
    name: { ...box(beside, 5, width - beside - 8, side / 2), size: 36 },
    reward: { ...box(beside, 5 + side / 2, width - beside - 60, side / 2), size: 36 },
    cards: box(7, cards.top, cards.width, cards.height),
    badges: box(width - 48, side - 31, 40, 40),
    plate: { ...box(cards.width + 12, cards.top, width - cards.width - 18, cards.height), stacked: true },
    bubble: { ...box(4, 4, width - 56, side + 6), most: width - 56 },
  };
}

/**
 * Out of the hand on a tall stage: only face and stack.
 *
 * @param {number} width
 * @param {number} height
 * @returns {SeatShape}
 */
function bench(width, height) {
  return {
    ...tile(width, height),
    photo: box(7, 8, 66, 66),
    reward: { ...box(78, 20, width - 84, 44), size: 34 },
    bubble: { ...box(0, 0, 300, height), most: 300, named: true },
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
