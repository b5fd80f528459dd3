/**
 * Finds the same moment of a deal's hand at two of its tables, where the same seats have the same cards. Pure.
 *
 * @import { Entry } from "../../common/types.js"
 * @typedef {{ street: string, seat: number, nth: number, asked: number, made: number }} Decision a decision of a seat:
 *   `nth`: its number among the seat's decisions on the street, from 0; `asked`, `made`: the entries with which the
 *   seat was asked and had decided
 * @typedef {{ streets: { name: string, seq: number }[], decisions: Decision[], ended: number }} Course the streets, each
 *   with the entry that completes its cards, and the entry that ends the hand
 */

import { stepOf } from "./steps.js";

const NEVER = Number.POSITIVE_INFINITY;

/** @type {(entries: Entry[]) => Course} */
function courseOf(entries) {
  const preflop = { name: "preflop", seq: NEVER };
  const streets = [preflop];
  /** @type {Decision[]} */
  const decisions = [];
  let ended = NEVER;
  for (const entry of entries) {
    const { seq } = entry;
    const street = streets.at(-1)?.name ?? "";
    if (entry.type === "hole_dealt") preflop.seq = seq;
    else if (entry.type === "street_dealt") streets.push({ name: entry.street, seq });
    else if (entry.type === "hand_ended") ended = seq;
    else if (entry.type === "turn_started" && !entry.blind) {
      const { seat } = entry;
      const nth = decisions.filter((each) => each.street === street && each.seat === seat).length;
      decisions.push({ street, seat, nth, asked: seq, made: NEVER });
    } else if (entry.type === "action_taken") {
      const last = decisions.at(-1);
      if (last?.seat === entry.seat) last.made = seq;
    }
  }
  return { streets, decisions, ended };
}

/** @type {(course: Course, seq: number) => Decision[]} the decisions on the current street so far */
function soFar({ streets, decisions }, seq) {
  const street = streets.findLast((each) => each.seq <= seq)?.name;
  return decisions.filter((each) => each.street === street && each.asked <= seq);
}

/**
 * The seat whose turn it is at a moment, or whose turn was last on this street; null if there is none, or if the hand
 * is over.
 *
 * @type {(entries: Entry[], seq: number) => number | null}
 */
export function decidingSeat(entries, seq) {
  const course = courseOf(entries);
  return course.ended <= seq ? null : (soFar(course, seq).at(-1)?.seat ?? null);
}

/**
 * Finds the step of a hand that corresponds to a moment of the hand at another table: the same seat's decision with the
 * same number on the same street. If the seat has no such decision, returns its nearest earlier decision on that
 * street, or the start of the street. If the hand does not get to that street, returns the end of the hand.
 *
 * @param {Entry[]} entries of the hand at the one table
 * @param {number} seq the moment in it
 * @param {Entry[]} others the entries of the hand at the other table
 * @returns {number} a step of the other hand
 */
export function sameStep(entries, seq, others) {
  const [here, there] = [courseOf(entries), courseOf(others)];
  const to = (/** @type {number} */ wanted) => stepOf(others, wanted);
  const street = here.streets.findLast((each) => each.seq <= seq);
  if (!street) return 0;
  const begins = there.streets.find((each) => each.name === street.name);
  if (here.ended <= seq || !begins) return to(there.ended);
  const done = soFar(here, seq);
  const now = done.at(-1);
  if (!now) return to(begins.seq);
  const onStreet = there.decisions.filter((each) => each.street === street.name);
  const same = onStreet.find((each) => each.seat === now.seat && each.nth === now.nth);
  if (same) return to(seq < now.made ? same.asked : same.made);
  const earlier = onStreet.slice(0, done.length - 1).at(-1);
  return to(earlier ? earlier.made : begins.seq);
}
