/**
 * The box of the picture: the show's screen, scaled to fit. The box rebuilds the screen when sound or shape changes.
 * It can also show the picture full screen.
 *
 * @import { Settings } from "../common/settings.js"
 * @import { Change } from "../overlay/store.js"
 */

import { setData } from "../common/dom.js";
import { parseSettings, screenSize } from "../common/settings.js";
import { fitScreen, Screen } from "../overlay/screen.js";
import { Store } from "../overlay/store.js";
import { DescriptionLog } from "./words/description.js";

/** In full screen, unused controls are hidden after this time. */
const IDLE_MS = 2500;
/** On an upright and narrow screen, a wide picture would be illegible, so the tall picture is shown. */
const UPRIGHT_QUERY = matchMedia("(max-aspect-ratio: 3/4) and (max-width: 40rem)");
/**
 * The part of a tall picture that is used. Around it, the players of video sites put their buttons. On a phone that is
 * 390 pixels wide, a text of 28 pixels is 14 pixels high. The style sheet of this box has the same proportions.
 */
const VISIBLE_PART = { left: 0, top: 44, width: 780, height: 1252 };
const REDUCED_MOTION_QUERY = matchMedia("(prefers-reduced-motion: reduce)");

export class PictureBox {
  #player;
  #host;
  /** @type {Settings} */
  settings;
  /** The store with the picture. It is empty until there is a film. */
  #store = new Store(() => undefined);
  /** @type {DescriptionLog | null} */
  #descriptionLog = null;
  #isHushed = false;
  #hasVoice = false;
  /** @type {Screen} */
  screen;
  #idleTimer = 0;

  /**
   * @param {HTMLElement} player the picture with its controls, for full screen
   * @param {HTMLElement} host the picture alone, without controls
   */
  constructor(player, host) {
    this.#player = player;
    this.#host = host;
    this.settings = this.#settingsInAddress();
    this.screen = this.#buildScreen();
    UPRIGHT_QUERY.addEventListener("change", () => this.#changeSettings({ shape: this.#settingsInAddress().shape }));
    new ResizeObserver(() => this.#fitPicture()).observe(host);
    for (const eventName of ["pointermove", "pointerdown", "keydown", "focusin"]) {
      player.addEventListener(eventName, () => this.#showControls());
    }
    // Once visitors have zoomed in, they can move the view with one finger.
    visualViewport?.addEventListener("resize", () => setData(host, "closer", (visualViewport?.scale ?? 1) > 1.01));
  }

  /** @param {Store} store with the picture to show from now on */
  show(store) {
    this.#store = store;
    for (const word of this.#host.querySelectorAll(".screen__word")) word.remove();
  }

  /** @param {Change} change */
  applyChange(change) {
    this.screen.applyChange(change);
    this.#descriptionLog?.applyChange(change);
    if (change.entry?.type !== "line_spoken") return;
    this.#hasVoice = true;
    this.setHushed(this.#isHushed);
  }

  /** Switches sound on or off, and rebuilds the screen. */
  toggleSound() {
    this.#changeSettings({ audio: !this.settings.audio });
  }

  /** Switches between the whole page and full screen, which has only the picture and its controls. */
  async toggleFullScreen() {
    await (document.fullscreenElement ? document.exitFullscreen() : this.#player.requestFullscreen());
    this.#showControls();
  }

  /**
   * Mutes or unmutes the show's voice and screen readers. Screen readers read out the captions, or the description if
   * the address asks for it. Screen readers also stay silent while the show's voice describes the picture.
   *
   * @param {boolean} isHushed
   * @param {Screen} screen
   */
  setHushed(isHushed, { sounds } = this.screen) {
    this.#isHushed = isHushed;
    sounds.isVoiceMuted = isHushed;
    const isVoiceDescribing = this.#hasVoice && this.settings.describe && sounds.state === "on";
    const liveness = isHushed || isVoiceDescribing ? "off" : "polite";
    this.#host.querySelector(".spoken")?.setAttribute("aria-live", this.#descriptionLog ? "off" : liveness);
    this.#descriptionLog?.root.setAttribute("aria-live", liveness);
  }

  /** @param {Partial<Settings>} changes */
  #changeSettings(changes) {
    this.settings = { ...this.settings, ...changes };
    this.#host.replaceChildren();
    this.screen = this.#buildScreen();
    const { state } = this.#store;
    if (state.seq) this.screen.applyChange({ entry: null, before: state, after: state, live: false });
  }

  #settingsInAddress() {
    return parseSettings(location.search, REDUCED_MOTION_QUERY.matches, UPRIGHT_QUERY.matches);
  }

  #buildScreen() {
    const { theme, deck, motion, shape } = this.settings;
    Object.assign(document.documentElement.dataset, { theme, deck, motion, shape });
    this.#fitPicture();
    const screen = new Screen(this.#host, this.settings, () => this.#store);
    if (this.settings.describe) {
      this.#descriptionLog ??= new DescriptionLog();
      this.#host.append(this.#descriptionLog.root);
    }
    this.setHushed(this.#isHushed, screen);
    return screen;
  }

  #fitPicture() {
    const size = screenSize(this.settings);
    fitScreen(this.#host, size, size.shape === "tall" ? VISIBLE_PART : undefined);
  }

  #showControls() {
    clearTimeout(this.#idleTimer);
    setData(this.#player, "idle", false);
    if (document.fullscreenElement) this.#idleTimer = setTimeout(() => setData(this.#player, "idle", true), IDLE_MS);
  }
}
