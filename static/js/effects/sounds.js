/**
 * Sound: one AudioContext, every file fetched and decoded once, a policy for each cue, and never more than five seconds.
 *
 * @import { Bot, SoundCue } from "../types.js"
 * @import { Settings } from "../settings.js"
 * @typedef {{ gain: number, policy: "skip" | "queue" | "replace" }} Manner `skip`: not twice at once; `queue`: one after
 *   another; `replace`: the newer one silences the older
 */

import { el, write } from "../dom.js";
import { winSoundOf } from "../format.js";

const LONGEST_SECONDS = 5;
const FADE_SECONDS = 0.05;
/** A tick that comes again within this time is one tick. */
const SAME_SECONDS = 0.045;
const TICKS = ["deal", "chip", "check", "fold", "call", "raise", "allin", "flop", "turn", "river"];
const STINGS = ["eliminated", "game_start", "final_start", "champion"];
const DEFAULT_WIN = "/assets/sounds/win.ogg";

/** @param {string} name @returns {Manner} */
function mannerOf(name) {
  if (name === "win") return { gain: 1, policy: "queue" };
  if (STINGS.includes(name)) return { gain: 0.6, policy: "replace" };
  return { gain: name === "allin" ? 0.5 : 0.3, policy: "skip" };
}

/** What is heard. Without `?audio=1` it stays silent and fetches nothing. */
export class Sounds {
  #context;
  #analyser;
  #master;
  /** @type {Map<string, Promise<AudioBuffer | null>>} */
  #buffers = new Map();
  /** @type {Map<string, { until: number, since: number, gain: GainNode }>} */
  #playing = new Map();
  /** @type {Set<AudioBufferSourceNode>} */
  #sources = new Set();
  #winFree = 0;
  #muted = false;
  #volume = 1;

  /**
   * @param {HTMLElement} host
   * @param {Settings} settings
   */
  constructor(host, settings) {
    if (!settings.audio) return;
    const context = new AudioContext();
    this.#context = context;
    this.#master = context.createGain();
    this.#volume = settings.volume;
    this.#master.gain.value = settings.volume;
    this.#analyser = context.createAnalyser();
    const limiter = new DynamicsCompressorNode(context, { threshold: -6, knee: 0, ratio: 20, attack: 0.002 });
    this.#master.connect(limiter).connect(this.#analyser).connect(context.destination);
    for (const name of [...TICKS, ...STINGS]) this.#buffer(addressOf(name));
    this.#askForClick(host, context);
  }

  /**
   * Fetches the winners' sounds before they are needed.
   *
   * @param {Bot[]} bots
   */
  prepare(bots) {
    if (this.#context) for (const bot of bots) this.#buffer(winSoundOf(bot));
  }

  /**
   * @param {SoundCue} cue
   * @param {Bot | undefined} bot
   */
  async play(cue, bot) {
    const context = this.#context;
    if (context?.state !== "running" || this.#muted) return;
    const win = cue.name === "win";
    const buffer =
      (await this.#buffer(win ? winSoundOf(bot) : addressOf(cue.name))) ?? (win && (await this.#buffer(DEFAULT_WIN)));
    if (buffer && !this.#muted) this.#start(context, cue.name, buffer);
  }

  /**
   * Silences the page at once, what plays now included; what was cut off does not come back.
   *
   * @param {boolean} muted
   */
  mute(muted) {
    if (!this.#context || !this.#master || muted === this.#muted) return;
    this.#muted = muted;
    this.#master.gain.setTargetAtTime(muted ? 0 : this.#volume, this.#context.currentTime, 0.005);
    if (!muted) return;
    for (const source of this.#sources) source.stop(this.#context.currentTime + FADE_SECONDS);
    this.#playing.clear();
    this.#winFree = 0;
  }

  /** Whether this page is to be heard at all, and whether its browser lets it. */
  get state() {
    if (!this.#context) return "off";
    return this.#context.state === "running" ? "on" : "blocked";
  }

  /** How loud it is now: root mean square of the last samples, 0 to 1. */
  level() {
    if (!this.#analyser) return 0;
    const samples = new Float32Array(this.#analyser.fftSize);
    this.#analyser.getFloatTimeDomainData(samples);
    return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  }

  /**
   * @param {AudioContext} context
   * @param {string} name
   * @param {AudioBuffer} buffer
   */
  #start(context, name, buffer) {
    const now = context.currentTime;
    const manner = mannerOf(name);
    const before = this.#playing.get(manner.policy === "replace" ? "sting" : name);
    if (manner.policy === "skip" && before && now - before.since < SAME_SECONDS) return;
    if (manner.policy === "replace") before?.gain.gain.setTargetAtTime(0, now, FADE_SECONDS / 3);
    const begins = manner.policy === "queue" ? Math.max(now, this.#winFree) : now;
    const seconds = Math.min(buffer.duration, LONGEST_SECONDS);
    const gain = new GainNode(context, { gain: manner.gain });
    gain.gain.setValueAtTime(manner.gain, begins + Math.max(0, seconds - FADE_SECONDS));
    gain.gain.linearRampToValueAtTime(0, begins + seconds);
    const source = new AudioBufferSourceNode(context, { buffer });
    if (this.#master) source.connect(gain).connect(this.#master);
    this.#sources.add(source);
    source.addEventListener("ended", () => this.#sources.delete(source));
    source.start(begins);
    source.stop(begins + seconds);
    if (manner.policy === "queue") this.#winFree = begins + seconds;
    this.#playing.set(manner.policy === "replace" ? "sting" : name, { since: now, until: begins + seconds, gain });
  }

  /**
   * @param {string} address
   * @returns {Promise<AudioBuffer | null>} null where there is no such sound
   */
  #buffer(address) {
    const known = this.#buffers.get(address) ?? this.#fetch(address);
    this.#buffers.set(address, known);
    return known;
  }

  /** @param {string} address */
  async #fetch(address) {
    try {
      const answer = await fetch(address);
      if (!answer.ok || !this.#context) return null;
      return await this.#context.decodeAudioData(await answer.arrayBuffer());
    } catch {
      return null;
    }
  }

  /**
   * Browsers outside OBS stay silent until somebody clicks: say so.
   *
   * @param {HTMLElement} host
   * @param {AudioContext} context
   */
  #askForClick(host, context) {
    const chip = el("button.sound-chip");
    write(chip, "Click for sound");
    const look = () => {
      chip.hidden = context.state === "running";
    };
    chip.addEventListener("click", () => context.resume());
    context.addEventListener("statechange", look);
    look();
    host.append(chip);
  }
}

/** @param {string} name */
function addressOf(name) {
  return `/assets/sounds/${name}.ogg`;
}
