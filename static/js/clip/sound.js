/**
 * The sound of a clip (a short video): an audio context that follows the clip's time. The sound is rendered after the
 * last frame. The show's code uses this context like any other.
 *
 * @import { Clock } from "./clock.js"
 */

const RATE = 48_000;
/** The page's limiter delays sounds by this many samples. In every browser, the limiter looks ahead by 6 ms. */
const LIMITER_DELAY = Math.round(0.006 * RATE);

/**
 * Replaces `AudioContext`, so that the page's sounds are rendered for the clip.
 *
 * @param {Clock} clock
 * @param {number} seconds the length of the clip
 * @param {{ at: number, seconds: number }[]} fades the end and the length of each fade-out, in seconds of the clip
 * @returns {() => Promise<AudioBuffer>} renders all sounds; throws if the page has opened no audio context
 */
export function replaceAudioContext(clock, seconds, fades) {
  /** @type {OfflineAudioContext | undefined} */
  let context;
  const length = Math.ceil(seconds * RATE) + LIMITER_DELAY;

  class ClipAudioContext extends OfflineAudioContext {
    #gain;

    constructor() {
      super(2, length, RATE);
      this.#gain = new GainNode(this);
      this.#gain.connect(super.destination);
      for (const { at: moment, seconds: long } of fades) {
        const fadeEnd = moment + LIMITER_DELAY / RATE;
        this.#gain.gain.setValueAtTime(1, Math.max(0, fadeEnd - long));
        this.#gain.gain.linearRampToValueAtTime(0, fadeEnd);
        this.#gain.gain.setValueAtTime(1, fadeEnd);
      }
      Object.defineProperties(this, {
        currentTime: { get: () => clock.now / 1000 },
        destination: { get: () => this.#gain },
        state: { get: () => "running" },
      });
      context = this;
    }
  }

  Object.assign(window, { AudioContext: ClipAudioContext });
  return async () => {
    if (!context) throw new Error("this page has opened no audio context");
    return context.startRendering();
  };
}

/**
 * Returns a part of a sound as interleaved 16-bit samples, little-endian, in base64.
 *
 * @param {AudioBuffer} buffer
 * @param {number} from in samples of the clip
 * @param {number} count
 */
export function samplesOf(buffer, from, count) {
  const [left, right] = [buffer.getChannelData(0), buffer.getChannelData(1)];
  const first = from + LIMITER_DELAY;
  const length = Math.max(0, Math.min(count, buffer.length - first));
  const view = new DataView(new ArrayBuffer(length * 4));
  for (let index = 0; index < length; index += 1) {
    view.setInt16(index * 4, toInt16(left[first + index] ?? 0), true);
    view.setInt16(index * 4 + 2, toInt16(right[first + index] ?? 0), true);
  }
  const bytes = new Uint8Array(view.buffer);
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += 32_768)
    text += String.fromCharCode(...bytes.subarray(offset, offset + 32_768));
  return btoa(text);
}

/** @param {number} level -1 to 1 */
function toInt16(level) {
  return Math.round(Math.max(-1, Math.min(1, level)) * 32_767);
}
