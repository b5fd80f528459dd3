/**
 * A small preview of the picture on air. It uses the processor as much as any page of the show, so it can be switched
 * off.
 */

import { fromRoot } from "../common/addresses.js";
import { setText } from "../common/dom.js";

const ADDRESS = fromRoot("projector?audio=0&motion=reduced");
const STORAGE_KEY = "highnoon:preview";
const WIDE_QUERY = "(min-width: 1000px)";

/** Shows the preview in `host`, or a note that it is off. @type {(host: HTMLElement, button: HTMLElement) => void} */
export function showPreview(host, button) {
  const off = host.firstElementChild;
  const screen = document.createElement("iframe");
  screen.title = "What is on air";
  screen.tabIndex = -1;
  let isOn = (localStorage.getItem(STORAGE_KEY) ?? (matchMedia(WIDE_QUERY).matches ? "on" : "off")) === "on";

  function show() {
    if (isOn) screen.src = ADDRESS;
    host.replaceChildren(...(isOn ? [screen] : off ? [off] : []));
    setText(button, isOn ? "Switch preview off" : "Switch preview on");
    button.setAttribute("aria-pressed", String(isOn));
  }

  button.addEventListener("click", () => {
    isOn = !isOn;
    localStorage.setItem(STORAGE_KEY, isOn ? "on" : "off");
    show();
  });
  show();
}
