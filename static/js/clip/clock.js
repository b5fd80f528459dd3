/**
 * The clock of a page from which a clip is filmed. This clock replaces the browser's clock, timers, animation frames,
 * animations and random numbers. Time stands still until the caller advances it. Before time advances, the clock waits
 * until files, fonts and pictures have been loaded and decoded. So every machine gives the same frames.
 *
 * @typedef {{ due: number, every: number, run: () => void }} Timer
 */

/** The page waits for a file for at most this many real milliseconds. */
const FILE_TIMEOUT_MS = 30_000;
/** The maximum length of a chain of promises that wait for each other. */
const MAX_CHAIN = 50;
/** An animation counts as ended ROUNDING_MS before its end, because the browser rounds times to microseconds. */
const ROUNDING_MS = 0.01;
const SEED = 0x9e3779b9;

/** The time of one page, in milliseconds from 0. */
export class Clock {
  now = 0;
  /** The number of files, decoded pictures and idle callbacks that the page is waiting for. */
  #pending = 0;
  #lastNumber = 0;
  /** @type {Map<number, Timer>} */
  #timers = new Map();
  /** @type {Map<number, FrameRequestCallback>} */
  #frames = new Map();
  /** @type {Map<Animation, { begun: number, at: number }>} */
  #animations = new Map();
  #channel = new MessageChannel();
  #realNow = performance.now.bind(performance);

  /** Replaces the browser's clock for the life of the page. Call this before any code on the page reads the time. */
  install() {
    this.#replaceTimers();
    this.#replaceFrames();
    const { animate } = Element.prototype;
    const begin = (/** @type {Animation} */ motion) => this.#holdAnimation(motion);
    Element.prototype.animate = function (...how) {
      const motion = animate.apply(this, how);
      begin(motion);
      return motion;
    };
    performance.now = () => this.now;
    Date.now = () => this.now;
    Math.random = seededRandom();
    this.#waitFor(window, "fetch");
    this.#waitFor(Response.prototype, "json");
    this.#waitFor(Response.prototype, "arrayBuffer");
    this.#waitFor(BaseAudioContext.prototype, "decodeAudioData");
    this.#waitFor(HTMLImageElement.prototype, "decode");
  }

  /**
   * Advances time to `until`, runs the timers that are due by then, and shows the frame of the moment `until`. If
   * nothing has to be loaded, does all this in a single task, so that the browser paints nothing in between. Throws if
   * a file does not arrive.
   *
   * @param {number} until
   * @returns {Promise<boolean>} whether anything may look different
   */
  async advanceTo(until) {
    let changed = false;
    for (let next = this.#takeDueTimer(until); next; next = this.#takeDueTimer(until)) {
      this.now = Math.max(this.now, next.due);
      next.run();
      await this.waitUntilLoaded();
      changed = true;
    }
    this.now = until;
    const waiting = [...this.#frames.values()];
    this.#frames.clear();
    for (const run of waiting) run(this.now);
    changed ||= waiting.length > 0;
    changed = this.#setAnimations() || changed;
    await this.waitUntilLoaded();
    return changed;
  }

  /**
   * Resolves when all requested files have arrived, and the code that waited for them has run. Throws if a file does
   * not arrive.
   */
  async waitUntilLoaded() {
    const since = this.#realNow();
    await this.#runFollowUps();
    while (
      this.#pending ||
      document.fonts.status === "loading" ||
      [...document.images].some((each) => !each.complete)
    ) {
      await new Promise((done) => {
        this.#channel.port1.onmessage = done;
        this.#channel.port2.postMessage(0);
      });
      if (this.#realNow() - since > FILE_TIMEOUT_MS) throw new Error("the page waits for files that do not arrive");
      await this.#runFollowUps();
    }
  }

  /** Runs the code that waits for fulfilled promises. */
  async #runFollowUps() {
    this.#holdNewAnimations();
    for (let turn = 0; turn < MAX_CHAIN; turn += 1) await undefined;
    this.#holdNewAnimations();
  }

  /** Stops animations that style sheets have started, because these run by the browser's clock. */
  #holdNewAnimations() {
    for (const motion of document.getAnimations()) if (!this.#animations.has(motion)) this.#holdAnimation(motion);
  }

  /** Removes and returns the next due timer. @type {(until: number) => Timer | undefined} */
  #takeDueTimer(until) {
    const [first] = [...this.#timers].sort(([, one], [, other]) => one.due - other.due);
    if (!first || first[1].due > until) return undefined;
    const [number, timer] = first;
    if (timer.every) this.#timers.set(number, { ...timer, due: timer.due + timer.every });
    else this.#timers.delete(number);
    return timer;
  }

  /**
   * Sets every animation to the current moment.
   *
   * @returns {boolean} whether any animation looks different now
   */
  #setAnimations() {
    this.#holdNewAnimations();
    let moved = false;
    for (const [motion, known] of this.#animations) {
      const elapsed = this.now - known.begun;
      if (elapsed > Number(motion.effect?.getComputedTiming().endTime ?? 0) - ROUNDING_MS) motion.finish();
      else motion.currentTime = elapsed;
      const progress = motion.effect?.getComputedTiming().progress ?? -1;
      moved ||= progress !== known.at;
      known.at = progress;
      if (motion.playState !== "paused") this.#animations.delete(motion);
    }
    return moved;
  }

  /** @param {Animation} motion */
  #holdAnimation(motion) {
    motion.pause();
    motion.currentTime = 0;
    this.#animations.set(motion, { begun: this.now, at: -2 });
  }

  #replaceTimers() {
    const start = (/** @type {() => void} */ run, /** @type {number} */ wait, /** @type {number} */ every) => {
      this.#timers.set(++this.#lastNumber, { due: this.now + wait, every, run });
      return this.#lastNumber;
    };
    const drop = (/** @type {number} */ number) => void this.#timers.delete(number);
    Object.assign(window, {
      setTimeout: (/** @type {() => void} */ run, ms = 0) => start(run, Math.max(0, ms), 0),
      setInterval: (/** @type {() => void} */ run, /** @type {number} */ ms) => start(run, ms, ms),
      clearTimeout: drop,
      clearInterval: drop,
    });
  }

  #replaceFrames() {
    const idle = window.requestIdleCallback.bind(window);
    window.requestAnimationFrame = (run) => {
      this.#frames.set(++this.#lastNumber, run);
      return this.#lastNumber;
    };
    window.cancelAnimationFrame = (number) => void this.#frames.delete(number);
    window.requestIdleCallback = (run, how) => {
      this.#pending += 1;
      return idle((deadline) => {
        this.#pending -= 1;
        run(deadline);
      }, how);
    };
  }

  /** Makes the clock wait for the promises that a method returns. @type {(owner: any, name: string) => void} */
  #waitFor(owner, name) {
    const real = owner[name];
    const add = (/** @type {number} */ more) => {
      this.#pending += more;
    };
    owner[name] = function (/** @type {unknown[]} */ ...parameters) {
      add(1);
      return real.apply(this, parameters).finally(() => add(-1));
    };
  }
}

/** @returns {() => number} the same random numbers on every page (mulberry32) */
function seededRandom() {
  let state = SEED;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
