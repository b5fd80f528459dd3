/**
 * The buttons below the picture, which also show the state of the player.
 *
 * @import { Actions } from "./keys.js"
 */

import { byId, el, write } from "../../common/dom.js";
import { SPEEDS } from "./keys.js";

/** All buttons of the page. */
export class Buttons {
  #play = labelOf("play");
  #sound = labelOf("sound");
  #speeds;

  /** @param {Actions} actions */
  constructor(actions) {
    /** @type {Record<string, () => void>} */
    const meant = {
      play: actions.play,
      back: () => actions.halt(-1),
      on: () => actions.halt(1),
      "hand-back": () => actions.hand(-1),
      "hand-on": () => actions.hand(1),
      "out-back": () => actions.out(-1),
      "out-on": () => actions.out(1),
      "mark-on": actions.highlight,
      live: () => actions.end(1),
      sound: actions.sound,
      link: actions.link,
      share: actions.share,
      full: actions.full,
      help: actions.help,
    };
    for (const [id, deed] of Object.entries(meant)) byId(id).addEventListener("click", deed);
    this.#speeds = SPEEDS.map((speed) => ({ speed, button: speedButton(speed, () => actions.speed(speed)) }));
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
