/**
 * Explains a word of the picture when it is tapped or chosen with the keyboard: on small screens in place of the
 * controls, else beside the word where it covers nothing, or beside the table.
 *
 * @import { State } from "../../common/types.js"
 * @import { Word } from "./sentences.js"
 * @typedef {{ word: Word, part: HTMLElement }} Found
 */

import { byId, write } from "../../common/dom.js";
import { Sheet } from "../controls/sheet.js";
import { WORDS } from "./sentences.js";

/** A finger needs a target of this size, in CSS pixels: a smaller word takes taps beside it, too. */
const THUMB = 44;
/** A press that moves farther than this is no tap. */
const TAP_PX = 10;
const GAP = 8;
/** The parts that must not be covered. */
const KEPT = ".poster__photo, .poster__name, .poster__reward, .card, .plate, .chance, .badge, .pot, .strip, .third";
const WIDE = matchMedia("(width >= 75rem)");

export class Words {
  #host;
  #root = byId("explained");
  #sheet;
  /** @type {State | null} */
  #state = null;
  /** @type {Found | null} */
  #shown = null;
  #pressed = { x: 0, y: 0 };

  /** @param {HTMLElement} host of the picture */
  constructor(host) {
    this.#host = host;
    this.#sheet = new Sheet(this.#root, () => [host]);
    host.addEventListener("pointerdown", ({ clientX, clientY }) => {
      this.#pressed = { x: clientX, y: clientY };
    });
    host.addEventListener("click", (event) => this.#tap(event), { capture: true });
    host.addEventListener("keydown", ({ key, target }) => {
      const found = key === "Enter" && this.#parts().find(({ part }) => part === target);
      if (found) this.#show(found);
    });
    addEventListener("pointerdown", ({ target }) => {
      if (target instanceof Node && !host.contains(target) && !this.#root.contains(target)) this.#sheet.hide();
    });
  }

  /**
   * Follows the picture: the sentence shows the numbers of the moment, and goes away with the word.
   *
   * @param {State} state
   */
  update(state) {
    this.#state = state;
    for (const { part } of this.#parts()) {
      if (part.tabIndex === 0) continue;
      part.tabIndex = 0;
      part.setAttribute("role", "button");
    }
    if (this.#shown && this.#sheet.open && !this.#explain(this.#shown)) this.#sheet.hide();
  }

  #parts() {
    return WORDS.flatMap((word) =>
      [.../** @type {NodeListOf<HTMLElement>} */ (this.#host.querySelectorAll(word.part))].map((part) => ({
        word,
        part,
      })),
    );
  }

  /** @param {MouseEvent} event */
  #tap(event) {
    const { clientX: x, clientY: y } = event;
    if (Math.hypot(x - this.#pressed.x, y - this.#pressed.y) > TAP_PX) return;
    const finger = event instanceof PointerEvent && event.pointerType !== "mouse";
    const found = this.#at(x, y, finger ? THUMB : 0);
    const open = this.#sheet.open;
    if (found) this.#show(found);
    else this.#sheet.hide();
    if (found || open) event.stopImmediatePropagation();
  }

  /** The smallest word there. @type {(x: number, y: number, least: number) => Found | undefined} */
  #at(x, y, least) {
    if (this.#host.querySelector(".stage[data-card]")) return undefined;
    const hit = this.#parts().flatMap((each) => {
      const { left, top, width, height } = each.part.getBoundingClientRect();
      const [wide, high] = [Math.max(least, width), Math.max(least, height)];
      const [dx, dy] = [Math.abs(x - left - width / 2), Math.abs(y - top - height / 2)];
      const away = Math.max(0, dx - width / 2) + Math.max(0, dy - height / 2);
      return width && dx <= wide / 2 && dy <= high / 2 ? [{ each, away, area: width * height }] : [];
    });
    return hit.sort((one, other) => one.away - other.away || one.area - other.area)[0]?.each;
  }

  /** @param {Found} found */
  #show(found) {
    if (!this.#explain(found)) return;
    this.#shown = found;
    this.#sheet.show(found.part);
    this.#place(found.part.getBoundingClientRect());
  }

  /** Writes the explanation; false if there is none. @type {(found: Found) => boolean} */
  #explain({ word, part }) {
    const seat = part.closest(".seat");
    const at = seat ? [...(seat.parentElement?.children ?? [])].indexOf(seat) : -1;
    const explanation = this.#state && part.getClientRects().length > 0 && word.explain(this.#state, at);
    if (!explanation) return false;
    const [title, text] = explanation;
    write(byId("explained-title"), title);
    write(byId("explained-text"), text);
    return true;
  }

  /** @param {DOMRect} word */
  #place(word) {
    const { style } = this.#root;
    style.inset = "";
    if (!WIDE.matches) return;
    const { width, height } = this.#root.getBoundingClientRect();
    const kept = [...this.#host.querySelectorAll(KEPT)].map((part) => part.getBoundingClientRect());
    const places = [
      [word.left, word.top - GAP - height],
      [word.left, word.bottom + GAP],
      [word.right + GAP, word.top],
      [word.left - GAP - width, word.top],
    ];
    const free = places.find(
      ([left = 0, top = 0]) =>
        left >= 0 &&
        top >= 0 &&
        left + width <= innerWidth &&
        top + height <= innerHeight &&
        kept.every(
          (box) => left >= box.right || left + width <= box.left || top >= box.bottom || top + height <= box.top,
        ),
    );
    if (free) style.inset = `${free[1]}px auto auto ${free[0]}px`;
    else if (!document.fullscreenElement) {
      style.inset = `${Math.min(word.top, innerHeight - height - GAP)}px 1rem auto auto`;
    }
  }
}
