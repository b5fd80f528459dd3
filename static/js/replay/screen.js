/**
 * The box of the picture: holds the stage of the show, scaled to fit. Builds it anew when sound or shape change, and
 * can show it full screen.
 *
 * @import { Settings } from "../common/settings.js"
 * @import { Change } from "../overlay/store.js"
 */

import { mark } from "../common/dom.js";
import { settingsOf, sizeOf } from "../common/settings.js";
import { fitStage, Stage } from "../overlay/stage.js";
import { Store } from "../overlay/store.js";
import { Described } from "./words/description.js";

/** Full screen, the controls hide when they have not been used for so long. */
const IDLE_MS = 2500;
/** Narrower than this, a wide picture cannot be read, and the tall one is shown. */
const UPRIGHT = matchMedia("(max-aspect-ratio: 3/4) and (max-width: 40rem)");
/**
 * This part of a tall picture is used, as players of other sites put their buttons around it. Letters of 28 pixels are
 * 14 in it on a phone of 390; the sheet of this box has the same proportion.
 */
const USED = { left: 0, top: 44, width: 780, height: 1252 };
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

export class Screen {
  #player;
  #host;
  /** @type {Settings} */
  #settings;
  /** Nothing yet. */
  #store = new Store(() => undefined);
  /** @type {Described | null} */
  #described = null;
  #hushed = false;
  #hasVoice = false;
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
    // A visitor who has zoomed in moves the view with one finger.
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

  /** @param {Change} change */
  changed(change) {
    this.stage.changed(change);
    this.#described?.changed(change);
    if (change.entry?.type !== "line_spoken") return;
    this.#hasVoice = true;
    this.hush(this.#hushed);
  }

  /** Without sound none is fetched; when it is first switched on, the stage is built anew with its sound. */
  hear() {
    this.#become({ audio: !this.#settings.audio });
  }

  /** Switches between full screen, with only picture and controls, and the whole page. */
  async full() {
    await (document.fullscreenElement ? document.exitFullscreen() : this.#player.requestFullscreen());
    this.#stir();
  }

  /**
   * Screen readers read out the captions, or the description where the address asks for it, but not at high speed, nor
   * where the show's own voice is heard describing it. That voice does not speak at high speed either.
   *
   * @param {boolean} hushed
   * @param {Stage} stage
   */
  hush(hushed, { sounds } = this.stage) {
    this.#hushed = hushed;
    sounds.hushed = hushed;
    const voice = this.#hasVoice && this.#settings.describe && sounds.state === "on";
    const aloud = hushed || voice ? "off" : "polite";
    this.#host.querySelector(".spoken")?.setAttribute("aria-live", this.#described ? "off" : aloud);
    this.#described?.root.setAttribute("aria-live", aloud);
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
    const stage = new Stage(this.#host, this.#settings, () => this.#store);
    if (this.#settings.describe) {
      this.#described ??= new Described();
      this.#host.append(this.#described.root);
    }
    this.hush(this.#hushed, stage);
    return stage;
  }

  #fit() {
    const size = sizeOf(this.#settings);
    fitStage(this.#host, size, size.shape === "tall" ? USED : undefined);
  }

  #stir() {
    clearTimeout(this.#idle);
    mark(this.#player, "idle", false);
    if (document.fullscreenElement) this.#idle = setTimeout(() => mark(this.#player, "idle", true), IDLE_MS);
  }
}
