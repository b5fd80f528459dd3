/**
 * When a press counts: a double click is one press, and what asks "really?" is answered in time.
 */

/** A second press counts as "really" between these times. */
export const SURE_MS = /** @type {const} */ ([350, 6000]);
/** For so long a switch that was pressed takes no other press: nobody turns it back before having seen it turn. */
export const SETTLING_MS = 350;
