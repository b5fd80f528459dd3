/**
 * Plays a recorded hand again, with its deck and its decisions, and compares what follows with what is recorded.
 *
 * @import { Happening } from "./rules/events.js"
 * @import { Hand } from "./rules/hand.js"
 * @import { Deck } from "./rules/shuffle.js"
 */

import { decides, IllegalAction, retake, startHand } from "./rules/decide.js";
import { must, Refuted, sameEvents } from "./rules/refutation.js";

/** At one table: there are not cards for a quarter of them. */
const MOST_SEATS = 100;

/**
 * The hand played again, and its events: same deck, same decisions. Throws Refuted at the first event that is not what
 * the rules lead to.
 *
 * @param {Record<string, any>} rules
 * @param {readonly Happening[]} recorded from its start to its end
 * @param {Deck} deck
 * @param {ReadonlySet<number>} unknown the seats whose cards the recording does not know
 * @returns {[Hand, Happening[]]}
 */
export function replay(rules, recorded, deck, unknown = new Set()) {
  const started = recorded[0];
  if (!started) throw new RangeError("hands are collected from their start");
  checkSeats(started);
  const [hand, events] = startHand(rules, started, deck);
  const right = concealed(events, unknown);
  sameEvents(recorded, right);
  while (!hand.over) {
    const shown = concealed(retaken(hand, recorded[right.length], right.length), unknown);
    sameEvents(recorded, shown, right.length);
    right.push(...shown);
  }
  return [hand, right];
}

/** @param {Happening} started */
function checkSeats({ stacks }) {
  must(stacks.length <= MOST_SEATS, `${stacks.length} sit at one table`);
  const dealt = stacks.filter((/** @type {number} */ stack) => stack > 0);
  must(dealt.length > 1, "cards are dealt to fewer than two");
}

/**
 * What follows from the decision that is recorded as the hand's event number `at`.
 *
 * @param {Hand} hand
 * @param {Happening | undefined} taken
 * @param {number} at
 */
function retaken(hand, taken, at) {
  if (!taken || !decides(hand.rules, taken)) {
    throw new Refuted("a bot has to decide, but the recording goes on without its decision", at);
  }
  try {
    return retake(hand, taken);
  } catch (error) {
    throw error instanceof IllegalAction ? new Refuted(error.message, at) : error;
  }
}

/**
 * The events without the cards of the seats in `unknown`, which nobody has seen.
 *
 * @param {readonly Happening[]} events
 * @param {ReadonlySet<number>} unknown
 */
function concealed(events, unknown) {
  const visible = events.filter(({ type, seat }) => type !== "hand_shown" || !unknown.has(seat));
  return visible.map((event) =>
    event.type === "hole_dealt" && unknown.has(event.seat) ? { ...event, cards: ["", ""] } : event,
  );
}
