/**
 * Finds a bot's latest thoughts (its own words on its acts) in a film (a show, recorded or live). Once a hand is over,
 * the film has all thoughts of the hand in full, with their claims checked. No I/O.
 *
 * @import { Checked, State } from "../common/types.js"
 * @import { Film, Segment } from "../replay/film/film.js"
 * @typedef {{ number: number, did: string, street: string, text: string, checked: Checked[] }} Thought `number`: the
 *   hand's number in the film; `did`: what the bot did, such as "raises to 400"
 */

import { areThoughtsHidden } from "../common/checked-thought.js";
import { actWords } from "../common/format.js";

/** The maximum number of thoughts that are shown, and of hands that are searched for thoughts. */
const MAX_THOUGHTS = 6;
const MAX_HANDS = 6;

/**
 * Returns the latest thoughts, the newest first, or none while the operator hides them.
 *
 * @type {(film: Film, state: State, bot: number) => Promise<Thought[]>}
 */
export async function latestThoughts(film, state, bot) {
  if (areThoughtsHidden(state, bot)) return [];
  const last = film.handOf(state.seq);
  /** @type {Thought[]} */
  const found = [];
  for (let hand = last; hand >= Math.max(film.first, last - MAX_HANDS + 1); hand -= 1) {
    const segment = await film.segment(hand).catch(() => null);
    if (segment) found.push(...thoughtsIn(segment, state.seq, bot).reverse());
    if (found.length >= MAX_THOUGHTS) break;
  }
  return found.slice(0, MAX_THOUGHTS);
}

/** @type {(segment: Segment, lastSeq: number, bot: number) => Thought[]} */
function thoughtsIn({ n: number, entries }, lastSeq, bot) {
  /** @type {Pick<Thought, "did" | "street">[]} */
  const acts = [];
  /** The thoughts of all bots, keyed by the action's number. @type {Map<number, Thought & { bot: number }>} */
  const notes = new Map();
  let street = "before the flop";
  for (const entry of entries) {
    if (entry.seq > lastSeq) break;
    if (entry.type === "street_dealt") street = `on the ${entry.street}`;
    if (entry.type === "action_taken") acts.push({ did: actWords(entry), street });
    if (entry.type === "note_given") {
      const { action, text, thought = text } = entry;
      const about = acts[action - 1] ?? { did: "", street };
      notes.set(action, { ...about, number, bot: entry.bot, text: thought, checked: [] });
    }
    const note = entry.type === "thought_checked" && notes.get(entry.action);
    if (note) note.checked = entry.checked;
  }
  return [...notes.values()].filter((note) => note.bot === bot);
}
