/**
 * An image turned once into a sheet of its rotations, so that drawing one is a plain copy of pixels.
 *
 * @typedef {{ sheet: HTMLCanvasElement, size: number, turns: number }} Sprites
 */

import { starPath } from "../parts/shapes.js";

const SIZE = 72;
const PICTURE = 56;
const TURNS = 24;

/** Makes the sheets of one stage, each once. */
export function spriteMaker() {
  /** @type {Map<string, Promise<Sprites>>} */
  const made = new Map();
  return (/** @type {string} */ address) => {
    const known = made.get(address) ?? load(address).then(rotated);
    made.set(address, known);
    return known;
  };
}

/**
 * @param {string} address
 * @returns {Promise<CanvasImageSource>} a drawn star where there is no image
 */
async function load(address) {
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
    return image;
  } catch {
    return drawnStar();
  }
}

/** @param {CanvasImageSource} picture */
function rotated(picture) {
  const sheet = document.createElement("canvas");
  sheet.width = SIZE * TURNS;
  sheet.height = SIZE;
  const pen = sheet.getContext("2d");
  for (let turn = 0; pen && turn < TURNS; turn += 1) {
    pen.setTransform(1, 0, 0, 1, SIZE * turn + SIZE / 2, SIZE / 2);
    pen.rotate((Math.PI * 2 * turn) / TURNS);
    pen.drawImage(picture, -PICTURE / 2, -PICTURE / 2, PICTURE, PICTURE);
  }
  return { sheet, size: SIZE, turns: TURNS };
}

function drawnStar() {
  const canvas = document.createElement("canvas");
  canvas.width = 64;
  canvas.height = 64;
  const pen = canvas.getContext("2d");
  if (pen) {
    pen.translate(32, 34);
    pen.fillStyle = "#f2b632";
    pen.fill(new Path2D(starPath(5, 31, 13)));
  }
  return canvas;
}
