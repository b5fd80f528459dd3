/**
 * When a press counts: a double click is one press, and a button that asks "really?" waits for a second one in time.
 */

/** Milliseconds after the first press between which a second one confirms it. */
export const SURE_MS = /** @type {const} */ ([350, 6000]);
/** Milliseconds for which a switch takes no second press, so that nobody turns it back before seeing it turn. */
export const SETTLING_MS = 350;
