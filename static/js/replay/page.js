/**
 * What the modules of the replay page share: its elements, numbers in words, and short notices.
 */

import { mark, write } from "../common/dom.js";

const NOTICE_MS = 4000;

/** @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** @param {number} ms a moment of the film: "1:02:33" or "4:07" */
export function timeOf(ms) {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A line over the picture that vanishes by itself. */
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
