/**
 * Numbers that count up or down to their new value, which is always the one in the present state.
 *
 * @typedef {{ begun: number, ms: number, gap: number, now: () => number, show: (value: number) => void }} Count
 */

/** The numbers that are counting. */
export class Counting {
  /** @type {Map<string, Count>} */
  #counts = new Map();
  #frame = 0;

  /**
   * @param {string} key a later count of the same key takes over
   * @param {{ from: number, to: number, ms: number, delay?: number }} way
   * @param {() => number} now the value in the state
   * @param {(value: number) => void} show
   */
  roll(key, { from, to, ms, delay = 0 }, now, show) {
    if (from === to || ms < 60) return;
    this.#counts.set(key, { begun: performance.now() + delay, ms, gap: to - from, now, show });
    this.step();
  }

  /** Shows each counting number at its present value. */
  step() {
    const time = performance.now();
    for (const [key, count] of this.#counts) {
      const left = Math.min(1, Math.max(0, 1 - (time - count.begun) / count.ms)) ** 2;
      count.show(Math.round(count.now() - count.gap * left));
      if (left === 0) this.#counts.delete(key);
    }
    cancelAnimationFrame(this.#frame);
    this.#frame = this.#counts.size ? requestAnimationFrame(() => this.step()) : 0;
  }

  drop() {
    for (const count of this.#counts.values()) count.show(count.now());
    this.#counts.clear();
  }
}
