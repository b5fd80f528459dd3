/**
 * The notes that commentators write for one another.
 *
 * @import { Booth, Note } from "./booth-state.js"
 */

import { byId, el, write } from "../common/dom.js";
import { timeOfDay } from "../common/time-of-day.js";
import { keyed } from "./keyed.js";

/** The list of notes, the newest on top, and the line to write one. */
export class Notes {
  #erase;

  /**
   * @param {(text: string) => Promise<boolean>} write sends a note; true if it is there
   * @param {(number: number) => void} erase
   */
  constructor(write, erase) {
    this.#erase = erase;
    const field = /** @type {HTMLInputElement} */ (byId("note"));
    byId("write").addEventListener("submit", async (event) => {
      event.preventDefault();
      if (field.value.trim() && (await write(field.value))) field.value = "";
    });
  }

  /** @param {Booth} booth */
  update({ notes }) {
    keyed(
      byId("notes"),
      notes.toReversed(),
      ({ number }) => number,
      (note) => this.#make(note),
      () => {},
    );
  }

  /** @param {Note} note */
  #make({ number, at, by, text }) {
    const erase = el("button.note__erase", "×");
    erase.setAttribute("type", "button");
    erase.setAttribute("aria-label", "Erase this note");
    erase.addEventListener("click", () => this.#erase(number));
    const words = el("p.note__text");
    write(words, text);
    return el("li.note", el("div.note__words", words, el("p.note__by", `${by}, ${timeOfDay(at * 1000)}`)), erase);
  }
}
