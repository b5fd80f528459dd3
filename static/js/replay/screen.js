/**
 * The box the picture is in: the stage of the show, made to fit, built anew where sound or shape change, and alone on
 * the whole screen if asked.
 *
 * @import { Settings } from "../common/settings.js"
 */

import { mark } from "../common/dom.js";
import { settingsOf, sizeOf } from "../common/settings.js";
import { Stage } from "../overlay/stage.js";
import { Store } from "../overlay/store.js";

/** With the picture on the whole screen, what moves it goes away when it has not been used for so long. */
const IDLE_MS = 2500;
/** A picture as broad as a phone that is held upright cannot be read. */
const UPRIGHT = matchMedia("(max-aspect-ratio: 3/4) and (max-width: 40rem)");
/** So much of a tall picture's height is used: below that other people's players put their buttons. */
const USED = 0.88;
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

/** The picture on this page. */
export class Screen {
  #player;
  #host;
  /** @type {Settings} */
  #settings;
  /** Nothing yet. */
  #store = new Store(() => undefined);
  /** @type {Stage} */
  stage;
  #idle = 0;

  /**
   * @param {HTMLElement} player what may be on the whole screen: the picture, and what moves it
   * @param {HTMLElement} host the picture's own
   */
  constructor(player, host) {
    this.#player = player;
    this.#host = host;
    this.#settings = this.#asked();
    this.stage = this.#build();
    UPRIGHT.addEventListener("change", () => this.#become({ shape: this.#asked().shape }));
    new ResizeObserver(() => this.#fit()).observe(host);
    for (const sign of ["pointermove", "pointerdown", "keydown", "focusin"]) {
      player.addEventListener(sign, () => this.#stir());
    }
    // Who looks closer with two fingers moves what they see with one.
    visualViewport?.addEventListener("resize", () => mark(host, "closer", (visualViewport?.scale ?? 1) > 1.01));
  }

  get settings() {
    return this.#settings;
  }

  /** @param {Store} store what is to be shown from now on */
  show(store) {
    this.#store = store;
    for (const word of this.#host.querySelectorAll(".screen__word")) word.remove();
  }

  /** A page that is not to be heard fetches no sound; the first time it is, the stage is built anew with its sound. */
  hear() {
    this.#become({ audio: !this.#settings.audio });
  }

  /** Only the picture and what moves it, on the whole screen; or the page again. */
  async full() {
    await (document.fullscreenElement ? document.exitFullscreen() : this.#player.requestFullscreen());
    this.#stir();
  }

  /**
   * Captions are read out as they come, but not while they fly by.
   *
   * @param {boolean} hushed
   */
  hush(hushed) {
    this.#host.querySelector(".spoken")?.setAttribute("aria-live", hushed ? "off" : "polite");
  }

  /** @param {Partial<Settings>} changes */
  #become(changes) {
    this.#settings = { ...this.#settings, ...changes };
    this.#host.replaceChildren();
    this.stage = this.#build();
    const { state } = this.#store;
    if (state.seq) this.stage.changed({ entry: null, before: state, after: state, live: false });
  }

  #asked() {
    return settingsOf(location.search, CALM.matches, UPRIGHT.matches);
  }

  #build() {
    const { theme, deck, motion, shape } = this.#settings;
    Object.assign(document.documentElement.dataset, { theme, deck, motion, shape });
    this.#fit();
    return new Stage(this.#host, this.#settings, () => this.#store);
  }

  #fit() {
    const { width, height } = this.#host.getBoundingClientRect();
    const size = sizeOf(this.#settings);
    const scale = Math.min(width / size.width, height / (size.height * (size.shape === "tall" ? USED : 1)));
    this.#host.style.setProperty("--scale", String(scale));
    this.#host.style.setProperty("--left", `${Math.round((width - size.width * scale) / 2)}px`);
    this.#host.style.setProperty("--top", `${Math.max(0, Math.round((height - size.height * scale) / 2))}px`);
  }

  #stir() {
    clearTimeout(this.#idle);
    mark(this.#player, "idle", false);
    if (document.fullscreenElement) this.#idle = setTimeout(() => mark(this.#player, "idle", true), IDLE_MS);
  }
}
