/**
 * Makes sprites. A sprite is one rotation of an image, rendered once and cropped to its painted pixels, so that drawing
 * it copies only a small picture. Copying a part of one large sheet takes a software renderer twice as long.
 *
 * @typedef {{ picture: OffscreenCanvas, left: number, top: number }} Sprite a picture and its offset from the
 *   image's middle
 */

import { starPath } from "../parts/shapes.js";

const SIZE = 64;
const TURNS = 24;
/** The side of a sprite's square, in pixels. A particle fits into it at any rotation. */
const SQUARE_SIDE = 92;

/** Rotations are rendered in batches of this many. Each batch waits until the page is idle, at most MAX_WAIT_MS. */
const BATCH = 3;
const MAX_WAIT_MS = 60;

/**
 * Returns a function that makes the sprites of an image, and keeps them. For an image that cannot be loaded it makes
 * stars, and tries to load the image again at the next call.
 */
export function spriteMaker() {
  /** @type {Map<string, Promise<Sprite[]>>} */
  const made = new Map();
  return (/** @type {string} */ address) => {
    const star = () => {
      made.delete(address);
      return drawStar();
    };
    const load = async () => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return image;
    };
    const known = made.get(address) ?? load().catch(star).then(renderRotations);
    made.set(address, known);
    return known;
  };
}

/** @param {CanvasImageSource} image */
async function renderRotations(image) {
  const pen = blank(SQUARE_SIDE, SQUARE_SIDE);
  const sprites = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (turn % BATCH === 0) await new Promise((done) => requestIdleCallback(done, { timeout: MAX_WAIT_MS }));
    pen.setTransform(1, 0, 0, 1, SQUARE_SIDE / 2, SQUARE_SIDE / 2);
    pen.clearRect(-SQUARE_SIDE / 2, -SQUARE_SIDE / 2, SQUARE_SIDE, SQUARE_SIDE);
    pen.rotate((Math.PI * 2 * turn) / TURNS);
    pen.drawImage(image, -SIZE / 2, -SIZE / 2, SIZE, SIZE);
    sprites.push(cropped(pen));
  }
  return sprites;
}

/** @param {OffscreenCanvasRenderingContext2D} pen */
function cropped(pen) {
  const pixels = new Uint32Array(pen.getImageData(0, 0, SQUARE_SIDE, SQUARE_SIDE).data.buffer);
  let [left, top, right, bottom] = [SQUARE_SIDE, SQUARE_SIDE, 1, 1];
  for (let y = 0; y < SQUARE_SIDE; y += 1) {
    for (let x = 0; x < SQUARE_SIDE; x += 1) {
      if (!pixels[y * SQUARE_SIDE + x]) continue;
      if (x < left) left = x;
      if (x >= right) right = x + 1;
      if (y < top) top = y;
      bottom = y + 1;
    }
  }
  if (left === SQUARE_SIDE) [left, top] = [0, 0];
  const piece = blank(right - left, bottom - top);
  piece.drawImage(pen.canvas, -left, -top);
  return { picture: piece.canvas, left: left - SQUARE_SIDE / 2, top: top - SQUARE_SIDE / 2 };
}

/** @type {(width: number, height: number) => OffscreenCanvasRenderingContext2D} */
function blank(width, height) {
  const pen = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (!pen) throw new Error("this browser cannot draw on a canvas");
  return pen;
}

function drawStar() {
  const pen = blank(64, 64);
  pen.translate(32, 34);
  pen.fillStyle = "#f2b632";
  pen.fill(new Path2D(starPath(5, 31, 13)));
  return pen.canvas;
}
