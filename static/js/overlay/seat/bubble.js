/**
 * A speech bubble where the cards are, for its time: never over a face or a name. It grows upwards with its lines; long
 * text gets a smaller font, then is cut.
 *
 * @import { Box } from "./seat-kinds.js"
 */

import { el, place } from "../../common/dom.js";
import { fit } from "../../common/fit-text.js";

const PADDING = 14;
const SIZE = 32;

/** A bubble. `update` changes only those of its elements that show something else now. */
export class Bubble {
  #text = el("bubble__text");
  #box;
  #said = "";
  root = el("bubble", this.#text);

  /** @param {Box} box the most it takes; it stands on the lower edge */
  constructor(box) {
    this.#box = box;
    this.root.hidden = true;
  }

  /** @param {string} said "" for silence */
  update(said) {
    if (said === this.#said) return;
    this.#said = said;
    this.root.hidden = !said;
    if (said) this.#write(said);
  }

  /** @param {string} said */
  #write(said) {
    const { left, top, width, height } = this.#box;
    const lines = Math.floor((height - 6) / SIZE);
    fit(this.#text, said, { width: width - 2 * PADDING, size: SIZE, lines, clip: true });
    const size = Number.parseFloat(this.#text.style.fontSize);
    const grown = Math.min(height, this.#text.children.length * size + 22);
    place(this.root, { left, top: top + height - grown, width, height: grown });
  }
}
