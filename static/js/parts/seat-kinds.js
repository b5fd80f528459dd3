/**
 * Where everything of a seat stands, for the three sizes of seat. Stage pixels, relative to the seat's box.
 *
 * @typedef {"wide" | "compact" | "large"} SeatKind
 * @typedef {{ left: number, top: number, width: number, height: number }} Box
 * @typedef {{
 *   poster: Box, photo: Box, name: Box & { size: number }, reward: Box, wanted: boolean,
 *   cards: Box, badges: Box, plate: Box, won: Box, fuse: Box, bubble: Box & { most: number },
 * }} SeatShape
 */

/** @type {Record<SeatKind, (width: number, height: number) => SeatShape>} */
export const SEAT_KINDS = { wide, compact, large };

/** Six at the table: the poster left; speech, cards and plate right of it. */
function wide() {
  return {
    poster: box(0, 0, 248, 316),
    wanted: true,
    photo: box(58, 52, 132, 132),
    name: { ...box(16, 188, 216, 68), size: 36 },
    reward: box(16, 258, 216, 46),
    cards: box(262, 98, 232, 156),
    badges: box(504, 98, 64, 156),
    plate: box(262, 262, 306, 54),
    won: box(262, 22, 306, 64),
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
    photo: box(12, 16, 92, 92),
    name: { ...box(112, 12, inner - 100, 62), size: 36 },
    reward: box(112, 74, inner - 100, 42),
    cards: box(12, 116, 206, 142),
    badges: box(224, 116, 56, 142),
    plate: box(12, 264, inner, 44),
    won: box(112, 74, inner - 100, 42),
    fuse: box(4, 317, width - 8, 12),
    bubble: { ...box(6, 8, width - 12, 102), most: width - 12 },
  };
}

/** Two at the table: a large poster, everything else towards the middle. */
function large() {
  return {
    poster: box(0, 0, 330, 500),
    wanted: true,
    photo: box(47, 74, 236, 236),
    name: { ...box(20, 322, 290, 84), size: 44 },
    reward: box(20, 414, 290, 62),
    cards: box(352, 168, 274, 190),
    badges: box(352, 438, 274, 64),
    plate: box(352, 370, 274, 60),
    won: box(352, 96, 274, 64),
    fuse: box(4, 504, 620, 12),
    bubble: { ...box(352, 20, 274, 138), most: 274 },
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
