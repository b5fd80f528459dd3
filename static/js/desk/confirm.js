/**
 * Decides whether a press has an effect: a double click is one press, and a button that asks "Really?" needs a second
 * press within a few seconds.
 */

export const DOUBLE_CLICK_MS = 350;
export const CONFIRM_MS = 6000;

/** The state of a button that asks for confirmation. */
export class Confirmation {
  #askedAt = Number.NEGATIVE_INFINITY;

  /** Whether the button waits for the second press. */
  get isAsking() {
    return performance.now() - this.#askedAt < CONFIRM_MS;
  }

  /** @returns {boolean} whether this press confirms the previous press */
  press() {
    const now = performance.now();
    if (now - this.#askedAt < DOUBLE_CLICK_MS) return false;
    const isSure = this.isAsking;
    this.#askedAt = isSure ? Number.NEGATIVE_INFINITY : now;
    return isSure;
  }
}
