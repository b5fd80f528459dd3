/**
 * The entry point of the page from which a clip is filmed. For each frame, the filming program calls `clip.show` to
 * advance the page's time, and then takes a picture of the page. At the end, the program calls `clip.sound`. The page's
 * address lists the parts of the clip in order, each as `cut=FROM_MS:FRAMES`. The address's fragment has
 * `bridge=FRAMES:TEXT` for each part: the sentence TEXT replaces the captions in the part's first FRAMES frames.
 *
 * @typedef {{ fromMs: number, first: number, frames: number, bridge: string, until: number }} Cut a part of the
 *   clip. `first`: the number of its first frame; `until`: the number of the first frame without the sentence `bridge`
 */

import { el } from "../common/dom.js";
import { parseSettings } from "../common/settings.js";
import { Screen } from "../overlay/screen.js";
import { Film } from "../replay/film/film.js";
import { Playhead } from "../replay/film/playhead.js";
import { Clock } from "./clock.js";
import { replaceAudioContext, samplesOf } from "./sound.js";

/** For this long before and after each join of two parts, the picture is darker. The clip begins and ends bright. */
const DIP_MS = 400;
/** The opacity of the dark layer at a join. A black picture would look like a fault, and might become the thumbnail. */
const DARKEST = 0.6;

const parameters = new URLSearchParams(location.search);
const rate = Number(parameters.get("rate"));
const settings = { ...parseSettings(location.search, false), audio: true };
const { theme, deck, motion, shape } = settings;
Object.assign(document.documentElement.dataset, { theme, deck, motion, shape });

let firstFrame = 0;
const bridges = new URLSearchParams(location.hash.slice(1)).getAll("bridge");
const cuts = parameters.getAll("cut").map((text, index) => {
  const [fromMs = 0, frames = 0] = text.split(":").map(Number);
  const [, shown = "0", bridge = ""] = bridges[index]?.match(/^(\d+):(.*)$/s) ?? [];
  const cut = { fromMs, first: firstFrame, frames, bridge, until: firstFrame + Math.min(frames, Number(shown)) };
  firstFrame += frames;
  return cut;
});

const clock = new Clock();
clock.install();
const clip = Film.open("clip").then(async (film) => {
  await clock.waitUntilLoaded();
  return makeClip(film);
});
Object.assign(window, {
  clip: {
    show: async (/** @type {number} */ number) => (await clip).show(number),
    sound: async (/** @type {number} */ from, /** @type {number} */ count) => (await clip).sound(from, count),
  },
});

/** Shows the frames of a clip in order, and renders its sound. @param {Film} film */
function makeClip(film) {
  const ends = cuts.map((cut) => ({ at: (cut.first + cut.frames) / rate, seconds: DIP_MS / 1000 }));
  const render = replaceAudioContext(clock, ends.at(-1)?.at ?? 0, ends);
  const playhead = new Playhead(
    film,
    (change) => screen.applyChange(change),
    () => undefined,
  );
  const screen = new Screen(document.body, settings, () => ({
    state: bridgedState(),
    now: playhead.now,
    speed: playhead.speed,
  }));
  const veil = el("veil");
  document.body.append(veil);
  let frame = -1;
  let darkness = -1;
  /** @type {Promise<AudioBuffer> | undefined} */
  let rendered;

  /** The time of a frame, in milliseconds. @param {number} ofFrame the frame's number */
  const frameMs = (ofFrame) => (ofFrame * 1000) / rate;

  /** The picture, with the sentence of the current part, if any, in place of the caption. */
  function bridgedState() {
    const { state } = playhead;
    const cut = cuts.find((each) => each.first <= frame && frame < each.until);
    return cut ? { ...state, desk: { ...state.desk, storyline: cut.bridge } } : state;
  }

  /** @param {Cut} cut */
  async function openCut({ fromMs, first: begins, frames }) {
    const last = film.handAt(fromMs + frameMs(frames));
    for (let hand = film.handAt(fromMs); hand <= last; hand += 1) await film.segment(hand);
    await clock.advanceTo(frameMs(begins));
    playhead.pause();
    await playhead.seekTime(fromMs);
    await clock.waitUntilLoaded();
    // At the film's last entry, `play` would begin again from the start.
    if (playhead.state.seq < film.outline.entries) playhead.play();
  }

  /** @returns {boolean} whether the veil has changed the picture */
  function updateVeil() {
    const msFromJoin = (/** @type {Cut} */ { first: join }) => frameMs(frame < join ? join - 1 - frame : frame - join);
    const nearest = Math.min(...cuts.slice(1).map(msFromJoin));
    const previous = darkness;
    darkness = DARKEST * Math.max(0, 1 - nearest / DIP_MS);
    veil.style.opacity = String(darkness);
    veil.hidden = darkness === 0;
    return darkness !== previous;
  }

  async function step() {
    frame += 1;
    const cut = cuts.find((each) => each.first === frame);
    if (cut) await openCut(cut);
    if (cuts.some((each) => each.until === frame)) screen.schedule();
    const changed = await clock.advanceTo(frameMs(frame));
    return updateVeil() || changed || cut !== undefined;
  }

  return {
    /**
     * Advances to a frame. Resolves to true if the frame may look different from the one before.
     *
     * @type {(number: number) => Promise<boolean>}
     */
    async show(number) {
      let changed = false;
      while (frame < number) changed = (await step()) || changed;
      return changed;
    },

    /**
     * Returns a part of the sound as interleaved 16-bit stereo samples, in base64. Call this after the last frame.
     *
     * @param {number} from in samples
     * @param {number} count of samples
     */
    async sound(from, count) {
      rendered ??= render();
      return samplesOf(await rendered, from, count);
    },
  };
}
