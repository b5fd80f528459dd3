/**
 * Plays the sounds of the cards and chips, short announcing sounds ("stings"), winners' sounds and spoken lines. Every
 * file is fetched and decoded once. SoundRules decides whether and how each sound is played.
 *
 * @import { Bot, SoundCue } from "../../common/types.js"
 * @import { Settings } from "../../common/settings.js"
 */

import { assetAddress, mediaAddress, winSoundOf } from "../../common/addresses.js";
import { button } from "../../common/dom.js";
import { duck, makeMixer, startPlayback } from "./mixer.js";
import { FADE_SECONDS, SoundRules, STINGS, TICKS } from "./sound-rules.js";

/** A sound must be fetched within this time. Otherwise it is not played. */
const MAX_FETCH_MS = 1500;

/**
 * Plays sounds. Without `?audio=1`, plays and fetches nothing. A cue with a `file` is a spoken line. If it also has a
 * `bot`, the line is that bot's thought. A winner's sound makes the voice quieter. A voice that describes the picture
 * makes all other sounds quieter.
 */
export class Sounds {
  #context;
  #analyser;
  #master;
  /** @type {GainNode | undefined} for all sounds that get quieter while another sound plays */
  #duckedBus;
  #describesPicture;
  /** @type {Map<string, Promise<AudioBuffer | null>>} */
  #buffers = new Map();
  /** @type {Set<AudioBufferSourceNode>} */
  #sources = new Set();
  #rules = new SoundRules();
  /** The bot whose thought is being spoken, 0 for none. */
  thinker = 0;
  /**
   * The gains of the latest sting, the commentator's latest line and the latest thought. Each of these sounds ends when
   * the next of its kind starts.
   *
   * @type {Map<string, GainNode>}
   */
  #latestGains = new Map();
  /** The commentator's latest line, even while it is still being fetched. @type {Promise<AudioBuffer | null> | null} */
  #commentaryLine = null;
  #muted = false;
  /**
   * How many times the page has been muted. A sound that was loading when the page was muted is not played later.
   */
  #muteCount = 0;
  /** Whether spoken lines are left out. At high speeds, each line would be cut off by the next line. */
  isVoiceMuted = false;
  #volume = 1;

  /** @param {HTMLElement} host @param {Settings} settings */
  constructor(host, settings) {
    this.#describesPicture = settings.describe;
    if (!settings.audio) return;
    const context = new AudioContext();
    this.#context = context;
    const { master, exit } = makeMixer(context, settings.volume);
    this.#master = master;
    this.#duckedBus = new GainNode(context);
    this.#duckedBus.connect(master);
    this.#volume = settings.volume;
    this.#analyser = context.createAnalyser();
    exit.connect(this.#analyser).connect(context.destination);
    for (const name of [...TICKS, ...STINGS]) this.#loadBuffer(soundAddress(name));
    // Unlike OBS, a browser may block sound until somebody clicks.
    const unblockButton = button("sound-chip", () => context.resume(), "Click for sound");
    const updateChip = () => {
      unblockButton.hidden = context.state === "running";
    };
    context.addEventListener("statechange", updateChip);
    updateChip();
    host.append(unblockButton);
  }

  /** Fetches winners' sounds in advance. @param {Bot[]} bots */
  prepare(bots) {
    if (this.#context) for (const bot of bots) this.#loadBuffer(winSoundOf(bot));
  }

  /** @type {(cue: SoundCue, bot?: Bot) => Promise<void>} */
  async play(cue, bot) {
    const context = this.#context;
    if (context?.state !== "running" || this.#muted) return;
    if ((cue.file && this.isVoiceMuted) || (cue.describe && !this.#describesPicture)) return;
    if (cue.file) {
      this.endThought();
      this.thinker = cue.bot;
    }
    const requestedAt = performance.now();
    const muteCount = this.#muteCount;
    const isWin = cue.name === "win";
    // A spoken line is played only once, so it is not stored.
    const loading = cue.file
      ? this.#fetchBuffer(mediaAddress(cue.file))
      : this.#loadBuffer(isWin ? winSoundOf(bot) : soundAddress(cue.name));
    if (cue.file && !cue.bot) this.#commentaryLine = loading;
    if (cue.bot && cue.file) await this.#commentaryLine; // the commentator's line starts first
    const buffer = (await loading) ?? (isWin && (await this.#loadBuffer(soundAddress("win"))));
    if (cue.bot && cue.file && cue.bot !== this.thinker) return;
    const isInTime = performance.now() - requestedAt < MAX_FETCH_MS;
    if (buffer && isInTime && muteCount === this.#muteCount) this.#startSound(context, cue, buffer);
  }

  /** Silences the page at once. Sounds that were cut off do not continue later. @param {boolean} muted */
  setMuted(muted) {
    if (!this.#context || !this.#master || muted === this.#muted) return;
    this.#muted = muted;
    this.#master.gain.setTargetAtTime(muted ? 0 : this.#volume, this.#context.currentTime, 0.005);
    if (!muted) {
      // On a busy machine, the muted sounds may still be fading out. They must not be heard again.
      for (const source of this.#sources) source.disconnect();
      return;
    }
    this.#muteCount += 1;
    for (const source of this.#sources) source.stop(this.#context.currentTime + FADE_SECONDS);
    this.#rules.clear();
  }

  /** "off" if this page plays no sound, "blocked" if the browser does not allow sound yet, else "on". */
  get state() {
    if (!this.#context) return "off";
    return this.#context.state === "running" ? "on" : "blocked";
  }

  /** The current loudness: the root mean square of the last samples, 0 to 1. */
  level() {
    if (!this.#analyser) return 0;
    const samples = new Float32Array(this.#analyser.fftSize);
    this.#analyser.getFloatTimeDomainData(samples);
    return Math.hypot(...samples) / Math.sqrt(samples.length);
  }

  /** @type {(context: AudioContext, cue: SoundCue, buffer: AudioBuffer) => void} */
  #startSound(context, cue, buffer) {
    const playback = this.#rules.planPlayback(cue, buffer.duration, context.currentTime);
    if (!playback || !this.#master || !this.#duckedBus) return;
    const isVoice = playback.kind === "voice";
    const { source, gain } = startPlayback(
      context,
      buffer,
      playback,
      isVoice === this.#describesPicture ? this.#master : this.#duckedBus,
    );
    if (this.#describesPicture ? isVoice : playback.kind === "win") duck(this.#duckedBus, playback);
    if (isVoice || playback.kind === "sting") {
      const latest = isVoice && cue.bot ? "thought" : playback.kind;
      this.#fadeOut(latest);
      this.#latestGains.set(latest, gain);
    }
    this.#sources.add(source);
    source.addEventListener("ended", () => this.#sources.delete(source));
  }

  /** Ends the thought that is being spoken or that waits for the commentator. */
  endThought() {
    this.#fadeOut("thought");
    this.thinker = 0;
  }

  /** Fades out the latest sound of a kind. @param {string} kind */
  #fadeOut(kind) {
    const now = this.#context?.currentTime ?? 0;
    this.#latestGains
      .get(kind)
      ?.gain.cancelScheduledValues(now)
      .setTargetAtTime(0, now, FADE_SECONDS / 3);
    this.#latestGains.delete(kind);
  }

  /**
   * @param {string} address
   * @returns {Promise<AudioBuffer | null>} null if there is no such sound; a failed download is retried the next time
   */
  #loadBuffer(address) {
    const known = this.#buffers.get(address) ?? this.#fetchBuffer(address);
    this.#buffers.set(address, known);
    return known;
  }

  /** @param {string} address */
  async #fetchBuffer(address) {
    try {
      const answer = await fetch(address);
      if (!answer.ok || !this.#context) return null;
      return await this.#context.decodeAudioData(await answer.arrayBuffer());
    } catch {
      this.#buffers.delete(address);
      return null;
    }
  }
}

/** @param {string} name */
function soundAddress(name) {
  return assetAddress(`sounds/${name}.ogg`);
}
