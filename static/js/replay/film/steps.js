/**
 * Divides a hand into steps, and finds the steps at which the arrow keys stop. A step is an event of the game, such as
 * a bet, with its commentary. Step 0 is the start of the hand. No I/O.
 *
 * @import { Entry } from "../../common/types.js"
 */

/** Entries that comment on the event before them, at the same moment. */
const COMMENTARY_EVENTS = new Set([
  "caption_spoken",
  "deal_compared",
  "equities_changed",
  "focus_changed",
  "hand_named",
  "hand_told",
  "highlight_marked",
  "line_spoken",
  "pace_changed",
  "pairs_compared",
  "stakes_shown",
  "standings_changed",
  "statistics_changed",
  "storyline_told",
  "thought_checked",
  "thought_shown",
  "title_odds_changed",
]);
/** Events that only lead to the next event. The arrow keys do not stop at them. */
const PASSING_EVENTS = new Set([
  "turn_started",
  "bets_collected",
  "bet_returned",
  "chat_sent",
  "note_given",
  "fault_noted",
]);
/** Several events of one of these types in a row look like one event. The arrow keys stop only after the last. */
const GROUPED_EVENTS = new Set(["blind_posted", "hole_dealt", "hand_shown", "bot_connected", "bot_rated"]);

/** The number of the last entry of each step of a hand. @type {(entries: Entry[]) => number[]} */
export function stepEndsOf(entries) {
  return entries
    .filter((_, index) => index === entries.length - 1 || !COMMENTARY_EVENTS.has(entries[index + 1]?.type ?? ""))
    .map((entry) => entry.seq);
}

/** The number of the last entry of each step at which the arrow keys stop. @type {(entries: Entry[]) => number[]} */
export function keyStopsOf(entries) {
  const first = entries[0]?.seq ?? 0;
  const events = entries.filter((entry) => !COMMENTARY_EVENTS.has(entry.type));
  const ends = stepEndsOf(entries);
  const halts = ends.filter((_, index) => {
    const [here, next] = [events[index]?.type ?? "", events[index + 1]?.type ?? ""];
    return !PASSING_EVENTS.has(here) && !(GROUPED_EVENTS.has(here) && here === next);
  });
  return halts.length ? halts : [ends.at(-1) ?? first];
}

/** The number of the step to which an entry belongs. @type {(entries: Entry[], seq: number) => number} */
export function stepOf(entries, seq) {
  const step = stepEndsOf(entries).findIndex((end) => end >= seq);
  return Math.max(0, step);
}
