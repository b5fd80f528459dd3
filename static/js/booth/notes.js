/**
 * The notes that commentators write for each other.
 *
 * @import { Booth, BoothNote } from "./booth-state.js"
 */

import { button, byId, el } from "../common/dom.js";
import { timeOfDay } from "../common/time-of-day.js";
import { makeRowList } from "../lists/rows.js";

/**
 * Makes the list of notes, the newest first, and the field for a new note.
 *
 * @param {(text: string) => Promise<boolean>} send sends a note; resolves to true if the note was accepted
 * @param {(number: number) => void} erase
 * @returns {(booth: Booth) => void} draws the notes
 */
export function notesPanel(send, erase) {
  const field = /** @type {HTMLInputElement} */ (byId("note"));
  byId("write").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (field.value.trim() && (await send(field.value))) field.value = "";
  });
  const showRows = makeRowList(
    byId("notes"),
    (/** @type {BoothNote} */ note) => note.number,
    ({ number, at, by, text }) => {
      const cross = button("note__erase", () => erase(number), "×");
      cross.setAttribute("aria-label", "Erase this note");
      const words = el("div.note__words", el("p.note__text", text), el("p.note__by", `${by}, ${timeOfDay(at * 1000)}`));
      return { root: el("li.note", words, cross), update: () => undefined };
    },
  );
  return ({ notes }) => showRows(notes.toReversed());
}
