/**
 * The positions of the parts of each kind of seat, in screen pixels from the seat's upper left corner. Nothing covers
 * the photo or the name.
 *
 * @typedef {"wide" | "broad" | "compact" | "large" | "duo" | "narrow" | "tile" | "bench"} SeatKind
 * @typedef {{ left: number, top: number, width: number, height: number }} Box
 * @typedef {(width: number, height: number) => SeatShape} ShapeMaker
 * @typedef {{
 *   poster: Box, photo: Box, name: Box & { size: number, wrappedSize?: number, badged?: number, short?: boolean },
 *   reward: Box & { size: number }, wanted: boolean, strip?: Box, chance: Box, stamp: { x: number, y: number },
 *   star: Box, cards: Box, badges: Box,
 *   plate: Box & { size?: number, amount?: number, pad?: number, stacked?: boolean },
 *   won: number, fuse: Box,
 * }} SeatShape `poster`: the sheet with the photo; `reward`: the chips; `wanted`: whether the word WANTED is above
 *   the photo; `strip`: a separate sheet behind the name; `chance`: the chance to win; `star`: the winner's sheriff's
 *   star; `badges`: the button and the blind; `plate`: the bot's action; `fuse`: burns during the bot's turn;
 *   `name.badged`: the width that a badge takes from the name; `stamp`: the middle of the stamp of a bot that is out;
 *   `plate.pad`: the plate's right padding; `won`: the font size of the chips won, shown in place of the plate
 * @typedef {Pick<SeatShape, "poster" | "photo" | "name" | "reward" | "wanted" | "stamp" | "star">} PosterShape
 */

/** @type {Record<SeatKind, ShapeMaker>} */
const SHAPE_MAKERS = {
  wide: wideShape,
  broad: broadShape,
  compact: compactShape,
  large: largeShape,
  duo: duoShape,
  narrow: narrowShape,
  tile: tileShape,
  bench: benchShape,
};

/**
 * @param {SeatKind} kind
 * @param {{ width: number, height: number }} size
 * @param {{ mirrored: boolean, flipped: boolean }} turned `mirrored`: the poster is on the right; `flipped`: the parts
 *   beside the poster are in reverse order, so that the plate is nearest to the board
 * @returns {SeatShape}
 */
export function shapeOf(kind, { width, height }, { mirrored, flipped }) {
  const shape = SHAPE_MAKERS[kind](width, height);
  const mirror = (/** @type {Box} */ box) => (mirrored ? { left: width - box.left - box.width } : {});
  const flip = (/** @type {Box} */ box) => (flipped ? { top: height - box.top - box.height } : {});
  const orientedShape = { ...shape };
  for (const part of /** @type {const} */ (["chance", "star", "cards", "badges", "plate"])) {
    orientedShape[part] = { ...shape[part], ...mirror(shape[part]), ...flip(shape[part]) };
  }
  orientedShape.poster = { ...shape.poster, ...mirror(shape.poster) };
  orientedShape.fuse = { ...shape.fuse, ...mirror(shape.fuse) };
  if (shape.strip) orientedShape.strip = { ...shape.strip, ...flip(shape.strip) };
  const { x, y } = shape.stamp;
  orientedShape.stamp = { x: mirrored ? width - x : x, y: flipped ? height - y : y };
  return orientedShape;
}

/** At a table of three to six seats: the poster is on the left, and name, cards and plate are on the right. */
function wideShape() {
  return {
    poster: box(0, 0, 244, 320),
    wanted: true,
    photo: box(16, 50, 212, 212),
    reward: { ...box(26, 266, 192, 46), size: 44 },
    strip: box(238, 2, 346, 72),
    name: { ...box(16, 4, 302, 64), size: 40, wrappedSize: 32 },
    cards: box(250, 82, 228, 156),
    chance: box(481, 82, 80, 76),
    badges: box(481, 172, 80, 64),
    star: box(482, 114, 88, 92),
    plate: { ...box(252, 248, 332, 68), size: 36, amount: 44, pad: 28 },
    won: 60,
    stamp: { x: 411, y: 178 },
    fuse: box(4, 319, 576, 12),
  };
}

/**
 * At a table of seven or eight seats: one sheet, the name above, the photo on the left, cards and plate on the right.
 *
 * @type {ShapeMaker}
 */
function broadShape(width, height) {
  const beside = width - 218;
  return {
    poster: box(0, 0, width, height),
    wanted: false,
    photo: box(9, 66, 200, 200),
    name: { ...box(14, 8, width - 44, 56), size: 40, wrappedSize: 28 },
    reward: { ...box(14, 269, 190, 44), size: 40 },
    cards: box(beside, 66, 208, 146),
    chance: box(beside, 217, 98, 48),
    badges: box(beside + 104, 217, 104, 48),
    star: box(beside + 122, 214, 54, 54),
    plate: { ...box(beside, 269, 208, 46), pad: 10 },
    won: 44,
    stamp: { x: beside + 104, y: 178 },
    fuse: box(4, height, width - 8, 12),
  };
}

/**
 * At a table of nine to twelve, and for three or four seats on a tall screen: one sheet. Name and chips are beside the
 * photo, chance and badge beside the cards, and the plate is at the bottom.
 * @type {ShapeMaker}
 */
function compactShape(width, height) {
  const side = height - 206;
  const cards = Math.min(216, width - 77);
  const column = Math.min(110, width - cards - 14);
  return {
    poster: box(0, 0, width, height),
    wanted: false,
    photo: box(8, 8, side, side),
    name: { ...box(side + 16, 10, width - side - 40, 60), size: 36, wrappedSize: 30 },
    reward: { ...box(side + 16, side - 36, width - side - 40, 42), size: 40 },
    cards: box(8, side + 13, cards, 140),
    chance: box(cards + 11, side + 13, column, 78),
    badges: box(cards + 11, side + 97, column, 56),
    star: box(cards + 11 + (column - 58) / 2, side + 54, 58, 58),
    plate: { ...box(8, height - 50, width - 16, 46), pad: 14 },
    won: 44,
    stamp: { x: width / 2, y: side + 96 },
    fuse: box(4, height, width - 8, 12),
  };
}

/** At a table of two: a large poster. All other parts are towards the middle of the table. */
function largeShape() {
  return {
    poster: box(0, 0, 400, 660),
    wanted: true,
    photo: box(22, 82, 356, 356),
    name: { ...box(24, 446, 352, 104), size: 52 },
    reward: { ...box(24, 562, 352, 76), size: 60 },
    cards: box(420, 40, 272, 190),
    plate: { ...box(420, 246, 272, 68), size: 36, amount: 44, pad: 14 },
    chance: box(420, 332, 136, 76),
    badges: box(568, 332, 140, 76),
    star: box(420, 326, 120, 120),
    won: 60,
    stamp: { x: 556, y: 136 },
    fuse: box(6, 656, 388, 12),
  };
}

/**
 * One of the last two seats on a tall screen: the poster on the left, then large cards, then the chance.
 *
 * @type {ShapeMaker}
 */
function duoShape(width, height) {
  const wanted = height > 260;
  const [side, top, across] = wanted ? [158, 44, 284] : [104, 8, 200];
  const beside = 282 + across;
  return {
    poster: box(0, 0, 256, height),
    wanted,
    photo: box((256 - side) / 2, top, side, side),
    name: { ...box(16, top + side + 2, 224, 56), size: 36, wrappedSize: 30 },
    reward: { ...box(16, height - 50, 224, 42), size: 44 },
    cards: box(270, 8, across, wanted ? 204 : 136),
    badges: box(beside, 8, width - beside, 48),
    chance: box(beside, wanted ? 110 : 62, width - beside, 78),
    star: box(beside + (width - beside - 84) / 2, wanted ? 96 : 60, 84, 84),
    plate: { ...box(270, height - 72, width - 270, 68), size: 40, amount: 46, pad: 14 },
    won: 56,
    stamp: { x: (256 + width) / 2, y: wanted ? 110 : 76 },
    fuse: box(4, height - 2, width - 8, 12),
  };
}

/** One of five or six seats on a tall screen: one sheet, with the cards under the name. @type {ShapeMaker} */
function narrowShape(width, height) {
  return {
    ...compactShape(width, height),
    photo: box(8, 8, 88, 88),
    reward: { ...box(100, 6, width - 108, 42), size: 38 },
    chance: box(102, 50, width - 112, 44),
    name: { ...box(10, 98, width - 20, 54), size: 34, wrappedSize: 28 },
    cards: box(8, 154, 160, 98),
    badges: box(width - 56, 154, 48, 98),
    star: box(width - 62, 176, 52, 52),
    plate: { ...box(8, height - 56, width - 16, 52), pad: 10 },
    stamp: { x: width / 2, y: 204 },
  };
}

/**
 * One of many seats on a tall screen, or one of the last four after others have folded. Face and name are above, cards
 * and plate below.
 *
 * @type {ShapeMaker}
 */
function tileShape(width, height) {
  const side = Math.round(height * 0.44);
  const cards = { top: side + 10, width: height > 200 ? 170 : 116, height: height - side - 16 };
  const beside = side + 12;
  const right = width - 6;
  const chance = height > 200 ? 104 : 58;
  return {
    ...compactShape(width, height),
    photo: box(6, 6, side, side),
    name: { ...box(beside, 4, right - beside, side / 2), size: 36, badged: 44 },
    reward: { ...box(beside + chance + 4, 5 + side / 2, right - beside - chance - 4, side / 2), size: 36 },
    chance: box(beside, 7 + side / 2, chance, side / 2 - 3),
    cards: box(6, cards.top, cards.width, cards.height),
    badges: box(width - 40, 3, 34, 34),
    star: box(beside + 8, 6 + side / 2, side / 2, side / 2),
    plate: {
      ...box(cards.width + 10, cards.top, width - cards.width - 16, cards.height),
      amount: height > 200 ? 40 : 32,
      stacked: true,
    },
    won: 36,
    stamp: { x: width / 2, y: side + 10 + cards.height / 2 },
  };
}

/** A small seat, such as that of a folded bot: only a face, a stack and a short name. @type {ShapeMaker} */
function benchShape(width, height) {
  return {
    ...tileShape(width, height),
    photo: box(6, 5, 42, 42),
    reward: { ...box(54, 7, width - 60, 38), size: 34 },
    name: { ...box(6, 46, width - 12, 32), size: 30, short: true },
  };
}

/** @type {(left: number, top: number, width: number, height: number) => Box} */
function box(left, top, width, height) {
  return { left, top, width, height };
}
