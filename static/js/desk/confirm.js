/**
 * When a press counts: a double click is one press; a button that asks "really?" needs a second one within some
 * seconds.
 */

/** A second press confirms the first if it comes between so many milliseconds after it. */
export const SURE_MS = /** @type {const} */ ([350, 6000]);
/** Milliseconds for which a switch takes no second press, so that a double click does not turn it back. */
export const SETTLING_MS = 350;
