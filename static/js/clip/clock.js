/**
 * Time in our hands. The page's clock, timers, frames, motions and dice follow a time of its own, which stands still
 * until it is turned on; while it stands, what the world still owes (files, letters, decoded pictures) is waited for.
 * So the same film gives the same frames on any machine.
 *
 * @typedef {{ due: number, every: number, run: () => void }} Timer
 */

/** A page that lacks something for so long, in real milliseconds, will not get it any more. */
const PATIENCE_MS = 30_000;
/** So many promises that wait for one another are followed to their end. */
const LONGEST_CHAIN = 50;
/** So near its end a motion is at its end: the browser reckons in whole microseconds. */
const HARDLY_MS = 0.01;
const DICE = 0x9e3779b9;

/** The time of one page, in milliseconds from 0. */
export class Clock {
  now = 0;
  /** How many files and the like are on their way. */
  #owed = 0;
  #numbers = 0;
  /** @type {Map<number, Timer>} */
  #timers = new Map();
  /** @type {Map<number, FrameRequestCallback>} */
  #frames = new Map();
  /** @type {Map<Animation, { begun: number, at: number }>} */
  #motions = new Map();
  #channel = new MessageChannel();
  #world = performance.now.bind(performance);

  /** Takes over from the browser, for good. Nothing of the page may have asked for the time before. */
  install() {
    this.#takeTimers();
    this.#takeFrames();
    this.#takeMotions();
    performance.now = () => this.now;
    Date.now = () => this.now;
    Math.random = dice();
    this.#waitFor(window, "fetch");
    this.#waitFor(Response.prototype, "json");
    this.#waitFor(Response.prototype, "arrayBuffer");
    this.#waitFor(BaseAudioContext.prototype, "decodeAudioData");
    this.#waitFor(HTMLImageElement.prototype, "decode");
  }

  /**
   * Lets time pass up to `until`, and shows the frame of that moment. Where nothing is owed all of it is one task, so
   * that the browser paints no moment in between.
   *
   * @param {number} until
   * @returns {Promise<boolean>} whether anything may look different
   */
  async turn(until) {
    let stirred = false;
    for (let next = this.#next(until); next; next = this.#next(until)) {
      this.now = Math.max(this.now, next.due);
      next.run();
      await this.settled();
      stirred = true;
    }
    this.now = until;
    stirred = this.#frame() || stirred;
    stirred = this.#move() || stirred;
    await this.settled();
    return stirred;
  }

  /** When everything is there that was asked for, and whoever waited for it has gone on. */
  async settled() {
    const since = this.#world();
    await this.#followed();
    while (this.#owed || document.fonts.status === "loading" || [...document.images].some((each) => !each.complete)) {
      await new Promise((done) => {
        this.#channel.port1.onmessage = done;
        this.#channel.port2.postMessage(0);
      });
      if (this.#world() - since > PATIENCE_MS) throw new Error("the page waits for files that do not come");
      await this.#followed();
    }
  }

  /** Lets go on what waited for promises that are kept already. */
  async #followed() {
    this.#stop();
    for (let turn = 0; turn < LONGEST_CHAIN; turn += 1) await undefined;
    this.#stop();
  }

  /** Has no motion go by the browser's own time; those of style sheets begin unasked. */
  #stop() {
    for (const motion of document.getAnimations()) if (!this.#motions.has(motion)) this.#begin(motion);
  }

  /**
   * Takes the timer that is due next off the list.
   *
   * @param {number} until
   * @returns {Timer | undefined} undefined where none is due by then
   */
  #next(until) {
    /** @type {[number, Timer] | undefined} */
    let first;
    for (const each of this.#timers) if (!first || each[1].due < first[1].due) first = each;
    if (!first || first[1].due > until) return undefined;
    const [number, timer] = first;
    if (timer.every) this.#timers.set(number, { ...timer, due: timer.due + timer.every });
    else this.#timers.delete(number);
    return timer;
  }

  /** @returns {boolean} whether anybody was waiting for the frame */
  #frame() {
    const waiting = [...this.#frames.values()];
    this.#frames.clear();
    for (const run of waiting) run(this.now);
    return waiting.length > 0;
  }

  /** Brings every motion to this moment. */
  #move() {
    this.#stop();
    let moved = false;
    for (const [motion, known] of this.#motions) {
      const gone = this.now - known.begun;
      if (gone > Number(motion.effect?.getComputedTiming().endTime ?? 0) - HARDLY_MS) motion.finish();
      else motion.currentTime = gone;
      const at = motion.effect?.getComputedTiming().progress ?? -1;
      moved ||= at !== known.at;
      known.at = at;
      if (motion.playState !== "paused") this.#motions.delete(motion);
    }
    return moved;
  }

  /** @param {Animation} motion */
  #begin(motion) {
    const known = { begun: this.now, at: -2 };
    motion.pause();
    motion.currentTime = 0;
    this.#motions.set(motion, known);
    return known;
  }

  #takeTimers() {
    const ask = (/** @type {TimerHandler} */ run, /** @type {number} */ ms, /** @type {boolean} */ again) => {
      if (typeof run !== "function") throw new TypeError("a timer wants a function");
      const wait = Math.max(again ? 1 : 0, ms || 0);
      this.#timers.set(++this.#numbers, { due: this.now + wait, every: again ? wait : 0, run: () => run() });
      return this.#numbers;
    };
    const drop = (/** @type {number | undefined} */ number) => void this.#timers.delete(number ?? 0);
    Object.assign(window, {
      setTimeout: (/** @type {TimerHandler} */ run, ms = 0) => ask(run, ms, false),
      setInterval: (/** @type {TimerHandler} */ run, ms = 0) => ask(run, ms, true),
      clearTimeout: drop,
      clearInterval: drop,
    });
  }

  #takeFrames() {
    const idle = window.requestIdleCallback.bind(window);
    window.requestAnimationFrame = (run) => {
      this.#frames.set(++this.#numbers, run);
      return this.#numbers;
    };
    window.cancelAnimationFrame = (number) => void this.#frames.delete(number);
    window.requestIdleCallback = (run, how) => {
      this.#owed += 1;
      return idle((deadline) => {
        this.#owed -= 1;
        run(deadline);
      }, how);
    };
  }

  #takeMotions() {
    const { animate } = Element.prototype;
    const begin = (/** @type {Animation} */ motion) => this.#begin(motion);
    Element.prototype.animate = function (...how) {
      const motion = animate.apply(this, how);
      begin(motion);
      return motion;
    };
  }

  /**
   * Has time stand still until what a function promises is there.
   *
   * @param {any} owner
   * @param {string} name
   */
  #waitFor(owner, name) {
    const real = owner[name];
    const owe = (/** @type {number} */ more) => {
      this.#owed += more;
    };
    owner[name] = function (/** @type {unknown[]} */ ...asked) {
      owe(1);
      return real.apply(this, asked).finally(() => owe(-1));
    };
  }
}

/** @returns {() => number} the same throws on every page */
function dice() {
  let state = DICE;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
