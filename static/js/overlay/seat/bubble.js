/**
 * A speech bubble beside the poster, never over cards. Long text gets a wider bubble, then a smaller font, then is cut.
 *
 * @import { Box } from "./seat-kinds.js"
 */

import { el, place } from "../../common/dom.js";
import { fit, widthOf } from "../../common/fit-text.js";

const PADDING = 14;
const SIZES = [32, 28];

/** A bubble. `update` changes only those of its elements that show something else now. */
export class Bubble {
  #text = el("bubble__text");
  #box;
  #words = "";
  root = el("bubble", this.#text);

  /** @param {Box & { most: number }} box where it stands, and how wide it may grow to the left */
  constructor(box) {
    this.#box = box;
    this.root.hidden = true;
  }

  /** @param {string} words "" for silence */
  update(words) {
    if (words === this.#words) return;
    this.#words = words;
    this.root.hidden = !words;
    if (words) this.#write(words);
  }

  /** @param {string} words */
  #write(words) {
    const { left, top, width, height, most } = this.#box;
    const lines = Math.floor((height - 3) / SIZES[1]);
    const wide = widthOf(words, { width: 0, size: 0 }) * SIZES[1] > (width - 2 * PADDING) * lines * 0.9;
    const breadth = wide ? most : width;
    const room = { width: breadth - 2 * PADDING, size: SIZES[0], lines, clip: true };
    place(this.root, { left: left + width - breadth, top, width: breadth, height });
    fit(this.#text, words, room);
  }
}
