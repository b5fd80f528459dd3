/**
 * The box of the picture. It contains the show's screen, scaled to fit. Rebuilds the screen when sound or shape
 * changes, and can show the picture full screen.
 *
 * @import { Settings } from "../common/settings.js"
 * @import { Change } from "../overlay/store.js"
 */

import { mark } from "../common/dom.js";
import { settingsOf, sizeOf } from "../common/settings.js";
import { fitScreen, Screen } from "../overlay/screen.js";
import { Store } from "../overlay/store.js";
import { Described } from "./words/description.js";

/** In full screen, unused controls are hidden after this time. */
const IDLE_MS = 2500;
/** On an upright and narrow screen, a wide picture would be illegible, so the tall picture is shown. */
const UPRIGHT = matchMedia("(max-aspect-ratio: 3/4) and (max-width: 40rem)");
/**
 * The used part of a tall picture. The players of video sites put their buttons around it. Text of 28 pixels becomes 14
 * pixels on a phone that is 390 pixels wide. The style sheet of this box has the same proportions.
 */
const VISIBLE_PART = { left: 0, top: 44, width: 780, height: 1252 };
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

export class PictureBox {
  #player;
  #host;
  /** @type {Settings} */
  settings;
  /** The store with the picture; an empty store until there is a film. */
  #store = new Store(() => undefined);
  /** @type {Described | null} */
  #described = null;
  #hushed = false;
  #hasVoice = false;
  /** @type {Screen} */
  screen;
  #idle = 0;

  /**
   * @param {HTMLElement} player the picture with its controls, for full screen
   * @param {HTMLElement} host the picture alone, without controls
   */
  constructor(player, host) {
    this.#player = player;
    this.#host = host;
    this.settings = this.#settingsInAddress();
    this.screen = this.#build();
    UPRIGHT.addEventListener("change", () => this.#change({ shape: this.#settingsInAddress().shape }));
    new ResizeObserver(() => this.#fit()).observe(host);
    for (const sign of ["pointermove", "pointerdown", "keydown", "focusin"]) {
      player.addEventListener(sign, () => this.#showControls());
    }
    // Lets a visitor who has zoomed in move the view with one finger.
    visualViewport?.addEventListener("resize", () => mark(host, "closer", (visualViewport?.scale ?? 1) > 1.01));
  }

  /** @param {Store} store with the picture to show from now on */
  show(store) {
    this.#store = store;
    for (const word of this.#host.querySelectorAll(".screen__word")) word.remove();
  }

  /** @param {Change} change */
  changed(change) {
    this.screen.changed(change);
    this.#described?.changed(change);
    if (change.entry?.type !== "line_spoken") return;
    this.#hasVoice = true;
    this.hush(this.#hushed);
  }

  /** Switches sound on or off. The first time it is switched on, fetches the sounds and rebuilds the screen. */
  toggleSound() {
    this.#change({ audio: !this.settings.audio });
  }

  /** Switches between full screen, with picture and controls only, and the whole page. */
  async toggleFullScreen() {
    await (document.fullscreenElement ? document.exitFullscreen() : this.#player.requestFullscreen());
    this.#showControls();
  }

  /**
   * Screen readers read out the captions, or the description if the address asks for it. Silences them at high speed,
   * when the show's voice is silent, too, and while that voice describes the picture.
   *
   * @param {boolean} hushed
   * @param {Screen} screen
   */
  hush(hushed, { sounds } = this.screen) {
    this.#hushed = hushed;
    sounds.hushed = hushed;
    const voice = this.#hasVoice && this.settings.describe && sounds.state === "on";
    const aloud = hushed || voice ? "off" : "polite";
    this.#host.querySelector(".spoken")?.setAttribute("aria-live", this.#described ? "off" : aloud);
    this.#described?.root.setAttribute("aria-live", aloud);
  }

  /** @param {Partial<Settings>} changes */
  #change(changes) {
    this.settings = { ...this.settings, ...changes };
    this.#host.replaceChildren();
    this.screen = this.#build();
    const { state } = this.#store;
    if (state.seq) this.screen.changed({ entry: null, before: state, after: state, live: false });
  }

  #settingsInAddress() {
    return settingsOf(location.search, CALM.matches, UPRIGHT.matches);
  }

  #build() {
    const { theme, deck, motion, shape } = this.settings;
    Object.assign(document.documentElement.dataset, { theme, deck, motion, shape });
    this.#fit();
    const screen = new Screen(this.#host, this.settings, () => this.#store);
    if (this.settings.describe) {
      this.#described ??= new Described();
      this.#host.append(this.#described.root);
    }
    this.hush(this.#hushed, screen);
    return screen;
  }

  #fit() {
    const size = sizeOf(this.settings);
    fitScreen(this.#host, size, size.shape === "tall" ? VISIBLE_PART : undefined);
  }

  #showControls() {
    clearTimeout(this.#idle);
    mark(this.#player, "idle", false);
    if (document.fullscreenElement) this.#idle = setTimeout(() => mark(this.#player, "idle", true), IDLE_MS);
  }
}
