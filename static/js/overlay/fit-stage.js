/**
 * Fits the stage into a box of a page that has more than the picture, by custom properties of that box.
 *
 * @import { Size } from "../common/settings.js"
 */

/**
 * @param {HTMLElement} host the box, of the class `boxed`
 * @param {Size} size of the stage
 * @param {{ left: number, top: number, width: number, height: number }} used the part of it that must be seen
 */
export function fitStage(host, size, used = { left: 0, top: 0, ...size }) {
  const { width, height } = host.getBoundingClientRect();
  const scale = Math.min(width / used.width, height / used.height);
  const beside = (/** @type {number} */ room, /** @type {number} */ whole, /** @type {number} */ begin) =>
    `${Math.max(-begin * scale, Math.round((room - whole * scale) / 2))}px`;
  host.style.setProperty("--scale", String(scale));
  host.style.setProperty("--left", beside(width, size.width, used.left));
  host.style.setProperty("--top", beside(height, size.height, used.top));
}
