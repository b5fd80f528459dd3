/**
 * What a clip sounds like: an audio context that hears by the clip's own time and is rendered when all was played. The
 * show's own sound, mix and manners play into it as they do into one that is heard.
 *
 * @import { Clock } from "./clock.js"
 */

const RATE = 48_000;
/** So many samples after its moment the limiter of the mix lets a sound out: it looks 6 ms ahead, in every browser. */
const BEHIND = Math.round(0.006 * RATE);

/**
 * Has every audio context that the page opens from now on be the clip's. A page of the show opens one.
 *
 * @param {Clock} clock
 * @param {number} seconds how long the clip is
 * @param {{ at: number, seconds: number }[]} fades where it falls silent, in seconds from the beginning
 * @returns {() => Promise<AudioBuffer>} renders what was played
 */
export function hearing(clock, seconds, fades) {
  /** @type {OfflineAudioContext | undefined} */
  let opened;
  const length = Math.ceil(seconds * RATE) + BEHIND;

  class Ear extends OfflineAudioContext {
    #door;

    constructor() {
      super(2, length, RATE);
      this.#door = new GainNode(this);
      this.#door.connect(super.destination);
      for (const { at: moment, seconds: long } of fades) {
        const at = moment + BEHIND / RATE;
        this.#door.gain.setValueAtTime(1, Math.max(0, at - long));
        this.#door.gain.linearRampToValueAtTime(0, at);
        this.#door.gain.setValueAtTime(1, at);
      }
      Object.defineProperties(this, {
        currentTime: { get: () => clock.now / 1000 },
        destination: { get: () => this.#door },
        state: { get: () => "running" },
      });
      opened = this;
    }
  }

  Object.assign(window, { AudioContext: Ear });
  return async () => {
    if (!opened) throw new Error("nothing of this page is to be heard");
    return opened.startRendering();
  };
}

/**
 * A stretch of a sound as interleaved samples of 16 bits, little-endian, in base64.
 *
 * @param {AudioBuffer} heard
 * @param {number} from in samples of the clip
 * @param {number} count
 */
export function samplesOf(heard, from, count) {
  const [left, right] = [heard.getChannelData(0), heard.getChannelData(1)];
  const first = from + BEHIND;
  const length = Math.max(0, Math.min(count, heard.length - first));
  const view = new DataView(new ArrayBuffer(length * 4));
  for (let at = 0; at < length; at += 1) {
    view.setInt16(at * 4, pcm(left[first + at] ?? 0), true);
    view.setInt16(at * 4 + 2, pcm(right[first + at] ?? 0), true);
  }
  const bytes = new Uint8Array(view.buffer);
  let text = "";
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}

/** @param {number} level -1 to 1 */
function pcm(level) {
  return Math.round(Math.max(-1, Math.min(1, level)) * 32_767);
}
