/**
 * The entry point of the page that a clip is filmed from. It offers `clip.show` and `clip.sound` to the program that
 * takes the frames, which moves the page's time. The address says which stretches of the film: `cut=FROM_MS:FRAMES`,
 * several times, in order.
 *
 * @typedef {{ fromMs: number, first: number, frames: number }} Cut `first` is its first frame in the clip
 */

import { el } from "../common/dom.js";
import { settingsOf } from "../common/settings.js";
import { Stage } from "../overlay/stage.js";
import { Film } from "../replay/film/film.js";
import { Playhead } from "../replay/film/playhead.js";
import { Clock } from "./clock.js";
import { renderingOf, samplesOf } from "./sound.js";

/** How long a stretch takes to fade in and to fade out. */
const FADE_MS = 400;

/** Shows the frames of a clip in order, and renders its sound. */
class Clip {
  #clock;
  #rate;
  #cuts;
  #render;
  #film;
  #head;
  #veil = el("veil");
  #frame = -1;
  #dark = -1;
  /** @type {Promise<AudioBuffer> | undefined} */
  #rendered;

  /**
   * @param {Clock} clock already installed
   * @param {Film} film
   * @param {Cut[]} cuts
   * @param {number} rate frames a second
   */
  constructor(clock, film, cuts, rate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#cuts = cuts;
    this.#film = film;
    const ends = cuts.map((cut) => ({ at: (cut.first + cut.frames) / rate, seconds: FADE_MS / 1000 }));
    this.#render = renderingOf(clock, ends.at(-1)?.at ?? 0, ends);
    this.#head = new Playhead(
      film,
      (change) => stage.changed(change),
      () => undefined,
    );
    const stage = new Stage(document.body, settings, () => this.#head);
    document.body.append(this.#veil);
  }

  /**
   * Goes on to a frame; it cannot go back.
   *
   * @param {number} number
   * @returns {Promise<boolean>} whether it may look different from the frame before
   */
  async show(number) {
    let changed = false;
    while (this.#frame < number) changed = (await this.#step()) || changed;
    return changed;
  }

  /**
   * A piece of the sound, once the last frame was shown: interleaved stereo samples of 16 bits, in base64.
   *
   * @param {number} from in samples
   * @param {number} count samples
   */
  async sound(from, count) {
    this.#rendered ??= this.#render();
    return samplesOf(await this.#rendered, from, count);
  }

  async #step() {
    this.#frame += 1;
    const cut = this.#cuts.find((each) => each.first === this.#frame);
    if (cut) await this.#open(cut);
    const changed = await this.#clock.turn((this.#frame * 1000) / this.#rate);
    return this.#shade() || changed || cut !== undefined;
  }

  /** @param {Cut} cut */
  async #open(cut) {
    const [from, until] = [cut.fromMs, cut.fromMs + (cut.frames * 1000) / this.#rate];
    const last = this.#film.handAt(until);
    for (let hand = this.#film.handAt(from); hand <= last; hand += 1) await this.#film.segment(hand);
    await this.#clock.turn((cut.first * 1000) / this.#rate);
    this.#head.pause();
    await this.#head.seekTime(from);
    await this.#clock.settled();
    this.#head.play();
  }

  /** @returns {boolean} whether the fade has changed the picture */
  #shade() {
    const cut = this.#cuts.findLast((each) => each.first <= this.#frame);
    const gone = ((this.#frame - (cut?.first ?? 0)) * 1000) / this.#rate;
    const left = (((cut?.frames ?? 0) - 1) * 1000) / this.#rate - gone;
    const dark = Math.max(0, 1 - Math.min(gone, left) / FADE_MS);
    if (dark === this.#dark) return false;
    this.#dark = dark;
    this.#veil.style.opacity = String(dark);
    this.#veil.hidden = dark === 0;
    return true;
  }
}

const asked = new URLSearchParams(location.search);
const settings = { ...settingsOf(location.search, false), audio: true };
const { theme, deck, motion, shape } = settings;
Object.assign(document.documentElement.dataset, { theme, deck, motion, shape });

let first = 0;
const cuts = asked.getAll("cut").map((text) => {
  const [fromMs = 0, frames = 0] = text.split(":").map(Number);
  const cut = { fromMs, first, frames };
  first += frames;
  return cut;
});

const clock = new Clock();
clock.install();
const clip = Film.open("clip").then(async (film) => {
  await clock.settled();
  return new Clip(clock, film, cuts, Number(asked.get("rate")));
});
Object.assign(window, {
  clip: {
    show: async (/** @type {number} */ number) => (await clip).show(number),
    sound: async (/** @type {number} */ from, /** @type {number} */ count) => (await clip).sound(from, count),
  },
});
