/**
 * The buttons below the picture, and how they show what is on.
 *
 * @import { Deeds } from "./keys.js"
 */

import { el, write } from "../common/dom.js";
import { SPEEDS } from "./keys.js";
import { byId } from "./page.js";

/** All of them. */
export class Buttons {
  #play = labelOf("play");
  #sound = labelOf("sound");
  #speeds;

  /** @param {Deeds} deeds */
  constructor(deeds) {
    /** @type {Record<string, () => void>} */
    const meant = {
      play: deeds.play,
      back: () => deeds.halt(-1),
      on: () => deeds.halt(1),
      "hand-back": () => deeds.hand(-1),
      "hand-on": () => deeds.hand(1),
      "out-back": () => deeds.out(-1),
      "out-on": () => deeds.out(1),
      "mark-on": deeds.highlight,
      sound: deeds.sound,
      link: deeds.link,
      share: deeds.share,
      full: deeds.full,
      help: deeds.help,
    };
    for (const [id, deed] of Object.entries(meant)) byId(id).addEventListener("click", deed);
    this.#speeds = SPEEDS.map((speed) => ({ speed, button: speedButton(speed, () => deeds.speed(speed)) }));
    byId("speeds").append(...this.#speeds.map(({ button }) => button));
    byId("full").hidden = !document.fullscreenEnabled;
    byId("share").hidden = !navigator.share;
  }

  /**
   * @param {boolean} playing
   * @param {number} pace
   * @param {boolean} loud
   */
  update(playing, pace, loud) {
    write(this.#play, playing ? "Pause" : "Play");
    write(this.#sound, loud ? "Sound on" : "Sound off");
    byId("sound").setAttribute("aria-pressed", String(loud));
    for (const { speed, button } of this.#speeds) button.setAttribute("aria-pressed", String(speed === pace));
  }
}

/** @param {string} id of a button */
function labelOf(id) {
  return byId(id).querySelector("span") ?? byId(id);
}

/**
 * @param {number} speed
 * @param {() => void} deed
 */
function speedButton(speed, deed) {
  const button = el("button.speed");
  button.setAttribute("type", "button");
  button.setAttribute("data-speed", String(speed));
  write(button, speed === 0.25 ? "¼" : speed === 0.5 ? "½" : `${speed}×`);
  button.setAttribute("aria-label", `Speed ${speed}`);
  button.addEventListener("click", deed);
  return button;
}
