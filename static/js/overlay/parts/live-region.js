/**
 * The captions once more, for those who listen to the page instead of looking at it. Seen by nobody, painted never.
 *
 * @import { State } from "../../common/types.js"
 */

import { el, write } from "../../common/dom.js";

/** A log that screen readers read out as it grows; it keeps the last line alone. */
export class Spoken {
  root = el("spoken");

  constructor() {
    this.root.setAttribute("role", "log");
    this.root.setAttribute("aria-live", "polite");
  }

  /** @param {State} state */
  update({ caption, desk }) {
    write(this.root, desk.trouble || caption);
  }
}
