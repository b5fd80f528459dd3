/**
 * A hand of a deal is played at several tables, with the same cards in the same seats. Finds the moment at one table
 * that corresponds to a moment at another. Pure.
 *
 * @import { Entry } from "../../common/types.js"
 * @typedef {{ street: string, seat: number, nth: number, asked: number, made: number }} Decision a decision of a seat:
 *   `nth`: its number among the seat's decisions on the street, from 0; `asked`, `made`: the numbers of the entries
 *   with which the seat's turn began and its decision was made
 * @typedef {{ streets: { name: string, seq: number }[], decisions: Decision[], ended: number }} Course `streets`: each
 *   street, with the number of the entry that completes its cards; `ended`: the number of the entry that ends the hand
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
 * same number on the same street. If the seat has no such decision, returns the latest earlier decision of any seat on
 * that street, or the start of the street. If the hand does not get to that street, returns the end of the hand.
 *
 * @param {Entry[]} entries of the hand at the first table
 * @param {number} seq the number of the entry shown last at that table
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
