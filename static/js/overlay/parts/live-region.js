/**
 * The captions as text for screen readers; not painted.
 *
 * @import { State } from "../../common/types.js"
 */

import { el, write } from "../../common/dom.js";

/** A log that screen readers read out; it keeps only the last line. */
export class Spoken {
  root = el("spoken");

  constructor() {
    this.root.setAttribute("role", "log");
    this.root.setAttribute("aria-live", "polite");
  }

  /** @param {State} state */
  update({ caption, desk }) {
    write(this.root, desk.trouble || desk.storyline || caption);
  }
}
