/**
 * A hand of a deal is played at several tables, with the same cards in the same seats. Finds the moment at one table
 * that corresponds to a moment at another table. No I/O.
 *
 * @import { Entry } from "../../common/types.js"
 * @typedef {{ street: string, seat: number, nth: number, asked: number, made: number }} Decision a decision of a seat:
 *   `nth`: its number among the seat's decisions on the street, from 0; `asked`, `made`: the numbers of the entries
 *   with which the seat's turn began and its decision was made
 * @typedef {{ streets: { name: string, seq: number }[], decisions: Decision[], ended: number }} HandDecisions
 *   `streets`: each street, with the number of the entry that completes its cards; `ended`: the number of the entry
 *   that ends the hand
 */

import { stepOf } from "./steps.js";

const NEVER = Number.POSITIVE_INFINITY;

/** @type {(entries: Entry[]) => HandDecisions} */
function readDecisions(entries) {
  const preflop = { name: "preflop", seq: NEVER };
  const streets = [preflop];
  /** @type {Decision[]} */
  const decisions = [];
  let endSeq = NEVER;
  for (const entry of entries) {
    const { seq } = entry;
    const street = streets.at(-1)?.name ?? "";
    if (entry.type === "hole_dealt") preflop.seq = seq;
    else if (entry.type === "street_dealt") streets.push({ name: entry.street, seq });
    else if (entry.type === "hand_ended") endSeq = seq;
    else if (entry.type === "turn_started" && !entry.blind) {
      const { seat } = entry;
      const nth = decisions.filter((each) => each.street === street && each.seat === seat).length;
      decisions.push({ street, seat, nth, asked: seq, made: NEVER });
    } else if (entry.type === "action_taken") {
      const last = decisions.at(-1);
      if (last?.seat === entry.seat) last.made = seq;
    }
  }
  return { streets, decisions, ended: endSeq };
}

/** @type {(course: HandDecisions, seq: number) => Decision[]} the decisions on the current street so far */
function decisionsSoFar({ streets, decisions }, seq) {
  const street = streets.findLast((each) => each.seq <= seq)?.name;
  return decisions.filter((each) => each.street === street && each.asked <= seq);
}

/**
 * The seat that has the turn at a moment, or had the last turn on this street. Null if no seat had a turn, or if the
 * hand is over.
 *
 * @type {(entries: Entry[], seq: number) => number | null}
 */
export function decidingSeat(entries, seq) {
  const course = readDecisions(entries);
  return course.ended <= seq ? null : (decisionsSoFar(course, seq).at(-1)?.seat ?? null);
}

/**
 * Finds the step of a hand that corresponds to a moment of the hand at another table. That step is the same seat's
 * decision with the same number on the same street. If there is no such decision, returns the latest earlier decision
 * of any seat on that street, or the start of the street. If the hand does not get to that street, returns the end of
 * the hand.
 *
 * @param {Entry[]} entries of the hand at the first table
 * @param {number} seq the number of the entry shown last at that table
 * @param {Entry[]} otherEntries the entries of the hand at the other table
 * @returns {number} a step of the other hand
 */
export function matchingStep(entries, seq, otherEntries) {
  const [here, there] = [readDecisions(entries), readDecisions(otherEntries)];
  const to = (/** @type {number} */ wanted) => stepOf(otherEntries, wanted);
  const street = here.streets.findLast((each) => each.seq <= seq);
  if (!street) return 0;
  const streetThere = there.streets.find((each) => each.name === street.name);
  if (here.ended <= seq || !streetThere) return to(there.ended);
  const decisionsHere = decisionsSoFar(here, seq);
  const lastHere = decisionsHere.at(-1);
  if (!lastHere) return to(streetThere.seq);
  const onStreet = there.decisions.filter((each) => each.street === street.name);
  const same = onStreet.find((each) => each.seat === lastHere.seat && each.nth === lastHere.nth);
  if (same) return to(seq < lastHere.made ? same.asked : same.made);
  const earlier = onStreet.slice(0, decisionsHere.length - 1).at(-1);
  return to(earlier ? earlier.made : streetThere.seq);
}
