/**
 * Makes sprites. A sprite is one rotation of an image, rendered once and cropped to its painted pixels. So drawing a
 * sprite copies only a small picture. Copying a part of one large sheet takes a software renderer twice as long.
 *
 * @typedef {{ picture: OffscreenCanvas, left: number, top: number }} Sprite a picture and its offset from the
 *   image's middle
 */

import { starPath } from "../parts/shapes.js";

const IMAGE_SIZE = 64;
const ROTATIONS = 24;
/** The side of the square in which a rotation is rendered, in pixels. The image fits into it at any rotation. */
const SQUARE_SIDE = 92;

/** Rotations are rendered BATCH at a time. Each batch waits until the page is idle, but at most MAX_WAIT_MS. */
const BATCH = 3;
const MAX_WAIT_MS = 60;

/**
 * Returns a function that makes the sprites of an image, and keeps them. If an image cannot be loaded, that function
 * makes stars, and tries to load the image again at the next call.
 */
export function spriteMaker() {
  /** @type {Map<string, Promise<Sprite[]>>} */
  const spritesByAddress = new Map();
  return (/** @type {string} */ address) => {
    const fallBackToStar = () => {
      spritesByAddress.delete(address);
      return drawStar();
    };
    const load = async () => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return image;
    };
    const known = spritesByAddress.get(address) ?? load().catch(fallBackToStar).then(renderRotations);
    spritesByAddress.set(address, known);
    return known;
  };
}

/** @param {CanvasImageSource} image */
async function renderRotations(image) {
  const context = makeContext(SQUARE_SIDE, SQUARE_SIDE);
  const sprites = [];
  for (let turn = 0; turn < ROTATIONS; turn += 1) {
    if (turn % BATCH === 0) await new Promise((done) => requestIdleCallback(done, { timeout: MAX_WAIT_MS }));
    context.setTransform(1, 0, 0, 1, SQUARE_SIDE / 2, SQUARE_SIDE / 2);
    context.clearRect(-SQUARE_SIDE / 2, -SQUARE_SIDE / 2, SQUARE_SIDE, SQUARE_SIDE);
    context.rotate((Math.PI * 2 * turn) / ROTATIONS);
    context.drawImage(image, -IMAGE_SIZE / 2, -IMAGE_SIZE / 2, IMAGE_SIZE, IMAGE_SIZE);
    sprites.push(cropSprite(context));
  }
  return sprites;
}

/** @param {OffscreenCanvasRenderingContext2D} pen */
function cropSprite(pen) {
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
  const piece = makeContext(right - left, bottom - top);
  piece.drawImage(pen.canvas, -left, -top);
  return { picture: piece.canvas, left: left - SQUARE_SIDE / 2, top: top - SQUARE_SIDE / 2 };
}

/** @type {(width: number, height: number) => OffscreenCanvasRenderingContext2D} */
function makeContext(width, height) {
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser cannot draw on a canvas");
  return context;
}

function drawStar() {
  const context = makeContext(64, 64);
  context.translate(32, 34);
  context.fillStyle = "#f2b632";
  context.fill(new Path2D(starPath(5, 31, 13)));
  return context.canvas;
}
