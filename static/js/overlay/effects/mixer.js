/**
 * Mixes all sounds. Applies the volume, a limiter and a soft clipper. Works in any audio context, live or offline.
 */

import { FADE_SECONDS } from "./sound-rules.js";

/**
 * The limiter lowers sounds above this level. Every sound file peaks at -1.5 dB, so a single sound passes unchanged.
 */
const THRESHOLD_DB = -1.4;
const RATIO = 20;
/** The soft clipper: linear up to `CLIPPER_START`, then increasingly flat, never above `CLIPPER_CEILING`. */
const CLIPPER_START = 0.855;
const CLIPPER_CEILING = 0.96;
/** The clipper's curve has `POINTS` points and ends at `CURVE_RANGE` times full scale. */
const CURVE_RANGE = 8;
const POINTS = 32769;
/** The gain of a sound while a more important sound plays: 6 dB less. */
const DUCKED_GAIN = 0.5;

/**
 * @param {BaseAudioContext} context
 * @param {number} volume 0 to 1
 * @returns {{ master: GainNode, exit: AudioNode }} sounds go into `master`; the caller connects `exit`
 */
export function makeMixer(context, volume) {
  const master = new GainNode(context, { gain: volume });
  const options = { threshold: THRESHOLD_DB, knee: 0, ratio: RATIO, attack: 0.001, release: 0.12 };
  const limiter = new DynamicsCompressorNode(context, options);
  // Undoes the gain that a compressor adds automatically ("makeup gain" in the Web Audio API).
  const full = THRESHOLD_DB - THRESHOLD_DB / RATIO;
  const makeUp = 10 ** ((-full / 20) * 0.6);
  const level = new GainNode(context, { gain: 1 / (makeUp * CURVE_RANGE) });
  const clipper = new WaveShaperNode(context, { curve: clipperCurve(), oversample: "none" });
  master.connect(limiter).connect(level).connect(clipper);
  return { master, exit: clipper };
}

/**
 * Plays one sound, with a fade at its end.
 *
 * @param {BaseAudioContext} context
 * @param {AudioBuffer} buffer
 * @param {{ begins: number, seconds: number, gain: number, rate: number }} playback times in seconds
 * @param {AudioNode} output
 */
export function startPlayback(context, buffer, playback, output) {
  const { begins, seconds, gain: loud, rate } = playback;
  const gain = new GainNode(context, { gain: loud });
  gain.gain.setValueAtTime(loud, begins + Math.max(0, seconds - FADE_SECONDS));
  gain.gain.linearRampToValueAtTime(0, begins + seconds);
  const source = new AudioBufferSourceNode(context, { buffer, playbackRate: rate });
  source.connect(gain).connect(output);
  source.start(begins);
  source.stop(begins + seconds);
  return { source, gain };
}

/**
 * Makes all sounds that go through `under` quieter during another sound.
 *
 * @param {GainNode} under
 * @param {{ begins: number, seconds: number }} part times in seconds
 */
export function duck({ gain }, { begins, seconds }) {
  gain
    .cancelScheduledValues(begins)
    .setTargetAtTime(DUCKED_GAIN, begins, FADE_SECONDS)
    .setTargetAtTime(1, begins + seconds, FADE_SECONDS);
}

function clipperCurve() {
  const middle = (POINTS - 1) / 2;
  return Float32Array.from({ length: POINTS }, (_, index) => {
    const level = ((index - middle) / middle) * CURVE_RANGE;
    const excess = Math.abs(level) - CLIPPER_START;
    if (excess <= 0) return level;
    return (
      Math.sign(level) *
      (CLIPPER_START + (CLIPPER_CEILING - CLIPPER_START) * Math.tanh(excess / (CLIPPER_CEILING - CLIPPER_START)))
    );
  });
}
