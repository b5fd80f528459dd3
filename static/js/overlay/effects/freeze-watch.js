/**
 * Detects that the browser froze the page or was busy for seconds. Afterwards all messages that the page missed arrive
 * at once.
 */

const CHECK_MS = 500;
/** A visible page was frozen if its timer did not run for this long. */
const FREEZE_MS = 5000;
/** Messages that arrive within this time after the page woke up were sent during the freeze. */
const CATCH_UP_MS = 400;

/** Watches the page's timer to detect freezes. */
export class FreezeWatch {
  #lastCheck = performance.now();
  #catchUpEndsAt = 0;

  constructor() {
    setInterval(() => this.#check(), CHECK_MS);
    document.addEventListener("resume", () => this.#recordWakeUp());
  }

  /** Whether messages that arrive now were sent while the page was frozen. */
  get hasJustWoken() {
    this.#check();
    return performance.now() < this.#catchUpEndsAt;
  }

  /** Detects a freeze. Ignores hidden pages, because browsers slow down their timers. */
  #check() {
    const now = performance.now();
    if (now - this.#lastCheck > FREEZE_MS && !document.hidden) this.#recordWakeUp();
    this.#lastCheck = now;
  }

  #recordWakeUp() {
    this.#catchUpEndsAt = performance.now() + CATCH_UP_MS;
  }
}
