/**
 * A line over the picture that vanishes by itself.
 */

import { mark, write } from "../common/dom.js";

const NOTICE_MS = 4000;

/** The line. */
export class Notice {
  #host;
  #timer = 0;

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#host = host;
  }

  /** @param {string} words */
  say(words) {
    clearTimeout(this.#timer);
    write(this.#host, words);
    mark(this.#host, "said", true);
    this.#timer = setTimeout(() => mark(this.#host, "said", false), NOTICE_MS);
  }
}
