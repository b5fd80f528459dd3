/**
 * Whether the page has just woken up: frozen by its browser or kept busy for seconds, it now hears the past at once.
 */

const BEAT_MS = 500;
/** A page that is seen and does nothing for so long was not running. */
const ASLEEP_MS = 5000;
/** What comes so soon after waking has waited. */
const WAKING_MS = 400;

/** Watches the page's timer to see when it was frozen. */
export class Pulse {
  #last = performance.now();
  #until = 0;

  constructor() {
    setInterval(() => this.#beat(), BEAT_MS);
    document.addEventListener("resume", () => this.#wake());
  }

  /** Whether what comes now is the past. */
  get waking() {
    this.#beat();
    return performance.now() < this.#until;
  }

  /** Timers of hidden pages are slow by themselves: that is no sleep. */
  #beat() {
    const now = performance.now();
    if (now - this.#last > ASLEEP_MS && !document.hidden) this.#wake();
    this.#last = now;
  }

  #wake() {
    this.#until = performance.now() + WAKING_MS;
  }
}
