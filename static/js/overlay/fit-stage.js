/**
 * Fits the stage into a box of a page that has more than the picture, by custom properties of that box.
 *
 * @import { Size } from "../common/settings.js"
 */

/**
 * @param {HTMLElement} host the box, of the class `boxed`
 * @param {Size} size of the stage
 * @param {number} used the part of the picture's height that must be seen
 */
export function fitStage(host, size, used = 1) {
  const { width, height } = host.getBoundingClientRect();
  const scale = Math.min(width / size.width, height / (size.height * used));
  host.style.setProperty("--scale", String(scale));
  host.style.setProperty("--left", `${Math.round((width - size.width * scale) / 2)}px`);
  host.style.setProperty("--top", `${Math.max(0, Math.round((height - size.height * scale) / 2))}px`);
}
