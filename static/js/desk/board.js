/**
 * The operator's board of big buttons. Shows the state of each button, and sends its request when the button is
 * pressed. Two buttons ask for confirmation.
 *
 * @import { DeskAction, Button } from "./buttons.js"
 * @import { Desk } from "./socket.js"
 * @typedef {{ id: string, spec: Button, root: HTMLButtonElement, title: Element, hint: Element,
 *   confirmation: Confirmation, pressedAt: number }} ButtonState `pressedAt`: the time of a switch's last press
 */

import { byId, el, setData, setText } from "../common/dom.js";
import { BUTTONS } from "./buttons.js";
import { CONFIRM_MS, Confirmation, DOUBLE_CLICK_MS } from "./confirm.js";

/** @type {Record<string, string>} */
const KEY_NAMES = { " ": "Space", "-": "−" };

export class ButtonBoard {
  /** @type {Desk | null} */
  #desk = null;
  #canControl = false;
  #sendAct;
  #showQuestion;
  /** @type {ButtonState[]} */
  #buttons;

  /**
   * @param {(act: DeskAction) => void} sendAct
   * @param {(words: string) => void} showQuestion called with the question of a button that needs confirmation
   */
  constructor(sendAct, showQuestion) {
    this.#sendAct = sendAct;
    this.#showQuestion = showQuestion;
    this.#buttons = Object.entries(BUTTONS).map(([id, spec]) => {
      const root = /** @type {HTMLButtonElement} */ (byId(id));
      const [title, hint] = [el("b.title"), el("span.note")];
      root.append(title, hint);
      if (spec.key) root.append(el("kbd.kbd", KEY_NAMES[spec.key] ?? spec.key.toUpperCase()));
      const confirmation = new Confirmation();
      const button = { id, spec, root, title, hint, confirmation, pressedAt: Number.NEGATIVE_INFINITY };
      root.addEventListener("click", () => this.#press(button));
      return button;
    });
  }

  /** @param {string} key the key's name, as browsers give it @returns {boolean} whether the key belongs to a button */
  pressKey(key) {
    const wanted = key === "=" ? "+" : key.toLowerCase();
    const found = this.#buttons.find(({ spec }) => spec.key === wanted);
    if (found) this.#press(found);
    return found !== undefined;
  }

  /** @param {ButtonState} button */
  #press(button) {
    const { spec, confirmation } = button;
    if (!this.#desk || !this.#canControl || isSettling(button)) return;
    const face = spec.face(this.#desk);
    if (face.off) return;
    // `sure` is the question that the button shows, and `asks` is the same question in full.
    if (face.sure && !confirmation.press()) {
      this.#showQuestion(face.asks ?? "");
      return this.#redrawFor(CONFIRM_MS);
    }
    if (spec.turns) button.pressedAt = performance.now();
    this.#redrawFor(DOUBLE_CLICK_MS);
    const minutes = /** @type {HTMLInputElement} */ (byId("minutes"));
    this.#sendAct(spec.act(this.#desk, minutes.validity.valid ? Number(minutes.value) : 0));
    if (button.id === "break") minutes.value = "";
  }

  /**
   * @param {Desk | null} desk null until the desk's state has arrived
   * @param {boolean} canControl whether the operator may change anything
   */
  update(desk, canControl) {
    this.#desk = desk;
    this.#canControl = canControl;
    for (const button of this.#buttons) {
      const { spec, root, title, hint, confirmation } = button;
      const face = desk && spec.face(desk);
      const question = (confirmation.isAsking && face?.sure) || "";
      setText(title, face?.title ?? "");
      setText(hint, question || (face?.hint ?? ""));
      setData(root, "sure", question !== "");
      root.setAttribute("aria-pressed", String(Boolean(face?.on)));
      root.disabled = !canControl || !face || Boolean(face.off);
      root.setAttribute("aria-disabled", String(root.disabled || isSettling(button)));
    }
    setData(document.body, "started", Boolean(desk?.controls.started));
  }

  /** Redraws now, and again after `ms`. By then, the button accepts presses or no longer asks. @param {number} ms */
  #redrawFor(ms) {
    this.update(this.#desk, this.#canControl);
    setTimeout(() => this.update(this.#desk, this.#canControl), ms + 1);
  }
}

/** Whether a press would be the second half of a double click. @type {(button: ButtonState) => boolean} */
function isSettling({ pressedAt }) {
  return performance.now() - pressedAt < DOUBLE_CLICK_MS;
}
