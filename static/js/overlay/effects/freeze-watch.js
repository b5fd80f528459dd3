/**
 * Detects that the page was frozen by its browser, or busy for seconds: then all that it missed arrives at once.
 */

const BEAT_MS = 500;
/** A visible page whose timer did not run for so long was frozen. */
const ASLEEP_MS = 5000;
/** What arrives so soon after waking is from the time before. */
const WAKING_MS = 400;

/** Watches the page's timer to see when it was frozen. */
export class FreezeWatch {
  #last = performance.now();
  #until = 0;

  constructor() {
    setInterval(() => this.#beat(), BEAT_MS);
    document.addEventListener("resume", () => this.#wake());
  }

  /** Whether what arrives now happened while the page was frozen. */
  get hasJustWoken() {
    this.#beat();
    return performance.now() < this.#until;
  }

  /** Browsers slow down the timers of hidden pages, so those do not count. */
  #beat() {
    const now = performance.now();
    if (now - this.#last > ASLEEP_MS && !document.hidden) this.#wake();
    this.#last = now;
  }

  #wake() {
    this.#until = performance.now() + WAKING_MS;
  }
}
