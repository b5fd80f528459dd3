/**
 * The board of big buttons: shows the state of each and sends its request when it is pressed. Two ask for confirmation.
 *
 * @import { Act, Face } from "./buttons.js"
 * @import { Desk } from "./socket.js"
 */

import { el, mark, write } from "../common/dom.js";
import { BUTTONS } from "./buttons.js";
import { SETTLING_MS, SURE_MS } from "./confirm.js";

/** @type {Record<string, string>} */
const KEY_NAMES = { " ": "Space", "-": "−" };

/** The big buttons of the page. */
export class Board {
  /** @type {Desk | null} */
  #desk = null;
  #able = false;
  #act;
  #sure = { id: "", since: 0 };
  #ask;
  /** When each switch was pressed last. @type {Map<string, number>} */
  #pressed = new Map();
  /** @type {Map<string, { button: HTMLButtonElement, title: Element, note: Element }>} */
  #buttons = new Map();

  /**
   * @param {(act: Act) => void} act
   * @param {(words: string) => void} ask called with the question that a pressed button asks before it acts
   */
  constructor(act, ask) {
    this.#act = act;
    this.#ask = ask;
    for (const [id, { key }] of Object.entries(BUTTONS)) {
      const button = /** @type {HTMLButtonElement} */ (document.getElementById(id));
      const [title, note] = [el("b.title"), el("span.note")];
      button.append(title, note);
      if (key) button.append(el("kbd.kbd", KEY_NAMES[key] ?? key.toUpperCase()));
      button.addEventListener("click", () => this.press(id));
      this.#buttons.set(id, { button, title, note });
    }
  }

  /** @param {string} key as the keyboard names it @returns {boolean} whether it is one of ours */
  pressKey(key) {
    const wanted = key === "=" ? "+" : key.toLowerCase();
    const found = Object.entries(BUTTONS).find(([, button]) => button.key === wanted);
    if (found) this.press(found[0]);
    return found !== undefined;
  }

  /** @param {string} id */
  press(id) {
    const button = BUTTONS[id];
    const face = this.#face(id);
    if (!button || !this.#desk || !this.#able || !face || face.off || this.#isSettling(id)) return;
    if (face.sure && !this.#isSure(id)) {
      this.#ask(face.asks ?? "");
      return;
    }
    if (button.turns) {
      this.#pressed.set(id, performance.now());
      this.update(this.#desk, this.#able);
      setTimeout(() => this.update(this.#desk, this.#able), SETTLING_MS + 1);
    }
    const minutes = /** @type {HTMLInputElement} */ (document.getElementById("minutes"));
    this.#act(button.act(this.#desk, minutes.validity.valid ? Number(minutes.value) : 0));
    if (id === "break") minutes.value = "";
  }

  /**
   * @param {Desk | null} desk null while nothing is known
   * @param {boolean} able whether anything may be changed
   */
  update(desk, able) {
    this.#desk = desk;
    this.#able = able;
    for (const [id, { button, title, note }] of this.#buttons) {
      const face = this.#face(id);
      const asking = this.#sure.id === id;
      write(title, face?.title ?? "");
      write(note, asking && face?.sure ? face.sure : (face?.note ?? ""));
      mark(button, "sure", asking && Boolean(face?.sure));
      button.setAttribute("aria-pressed", String(Boolean(face?.on)));
      button.disabled = !able || !face || Boolean(face.off);
      button.setAttribute("aria-disabled", String(button.disabled || this.#isSettling(id)));
    }
    mark(document.body, "started", Boolean(desk?.controls.started));
  }

  /** @param {string} id @returns {Face | null} */
  #face(id) {
    return this.#desk ? (BUTTONS[id]?.face(this.#desk) ?? null) : null;
  }

  /** @param {string} id */
  #isSettling(id) {
    return performance.now() - (this.#pressed.get(id) ?? Number.NEGATIVE_INFINITY) < SETTLING_MS;
  }

  /** @param {string} id */
  #isSure(id) {
    const now = performance.now();
    const waited = this.#sure.id === id ? now - this.#sure.since : Number.POSITIVE_INFINITY;
    if (waited < SURE_MS[0]) return false; // a double click is one press
    const sure = waited < SURE_MS[1];
    this.#sure = sure ? { id: "", since: 0 } : { id, since: now };
    const forget = () => {
      if (this.#sure.since !== now) return;
      this.#sure = { id: "", since: 0 };
      this.update(this.#desk, this.#able);
    };
    if (!sure) setTimeout(forget, SURE_MS[1]);
    this.update(this.#desk, this.#able);
    return sure;
  }
}
