/**
 * The operator's keys. They do nothing until the operator arms them, because somebody may lean on the keyboard.
 */

import { blurClicked, setData, setText } from "../common/dom.js";

/**
 * @param {HTMLElement} armButton
 * @param {(key: string) => boolean} pressButton returns false if no button has the key
 */
export function listenToKeys(armButton, pressButton) {
  let areKeysArmed = false;

  /** @param {boolean} on */
  function setArmed(on) {
    areKeysArmed = on;
    armButton.setAttribute("aria-pressed", String(on));
    const words = armButton.querySelector("b");
    if (words) setText(words, on ? "Keys armed" : "Keys off");
    setData(document.body, "armed", on);
  }

  /** @param {KeyboardEvent} event */
  function isShortcut(event) {
    const typing = event.target instanceof HTMLInputElement;
    return areKeysArmed && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
  }

  armButton.addEventListener("click", () => setArmed(!areKeysArmed));
  blurClicked();
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") setArmed(false);
    if (!isShortcut(event)) return;
    if (event.repeat ? event.key === " " : pressButton(event.key)) event.preventDefault();
  });
  // Releasing Space would click the button that has the focus.
  addEventListener("keyup", (event) => {
    if (isShortcut(event) && event.key === " ") event.preventDefault();
  });
}
