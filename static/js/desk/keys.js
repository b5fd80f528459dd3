/**
 * The operator's keys. They do nothing until the operator arms them, because somebody may lean on the keyboard.
 */

import { blurClicked, mark, write } from "../common/dom.js";

/** `press` returns whether a button has the key. @type {(arm: HTMLElement, press: (key: string) => boolean) => void} */
export function keysOf(arm, press) {
  let armed = false;

  /** @param {boolean} on */
  function set(on) {
    armed = on;
    arm.setAttribute("aria-pressed", String(on));
    const words = arm.querySelector("b");
    if (words) write(words, on ? "Keys armed" : "Keys off");
    mark(document.body, "armed", on);
  }

  /** @param {KeyboardEvent} event */
  function isShortcut(event) {
    const typing = event.target instanceof HTMLInputElement;
    return armed && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
  }

  arm.addEventListener("click", () => set(!armed));
  blurClicked();
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") set(false);
    if (!isShortcut(event)) return;
    if (event.repeat ? event.key === " " : press(event.key)) event.preventDefault();
  });
  // Releasing Space would click the button that has the focus.
  addEventListener("keyup", (event) => {
    if (isShortcut(event) && event.key === " ") event.preventDefault();
  });
}
