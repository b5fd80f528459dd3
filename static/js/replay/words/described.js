/**
 * The description of the picture as text for screen readers; not painted.
 *
 * @import { Change } from "../../overlay/store.js"
 */

import { el } from "../../common/dom.js";
import { Description } from "./description.js";

/** So many sentences stay, for readers that are behind. */
const KEPT = 12;

/** A log that screen readers read out as it grows. */
export class Described {
  root = el("spoken");
  #description = new Description();

  constructor() {
    this.root.setAttribute("role", "log");
    this.root.setAttribute("aria-label", "What is seen");
  }

  /** @param {Change} change */
  changed({ entry, after, live }) {
    if (entry && !live) return;
    const sentences = entry ? this.#description.of(entry, after) : this.#description.now(after);
    this.root.append(...sentences.map((sentence) => el("p.", sentence)));
    while (this.root.childElementCount > KEPT) this.root.firstElementChild?.remove();
  }
}
