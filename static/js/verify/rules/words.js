/**
 * Names events, fields and values of a recording in plain words.
 *
 * @import { Happening } from "./events.js"
 */

/** @type {Record<string, string>} */
const KINDS = {
  hand_started: "the hand begins",
  blind_posted: "a blind or an ante is paid",
  hole_dealt: "cards are dealt to a bot",
  turn_started: "a bot is asked",
  action_taken: "a bot decides",
  seat_vacated: "a bot leaves the table",
  bet_returned: "chips that nobody called go back",
  bets_collected: "the bets go into the pot",
  street_dealt: "cards fall on the board",
  hand_shown: "cards are shown",
  pot_awarded: "a pot is paid",
  hand_ended: "the hand ends",
};

/** @type {Record<string, string>} */
const FIELDS = {
  deck_commitment: "the seal of the deck",
  deck_key: "the key of the deck",
  hand: "the number of the hand",
  button: "the seat with the button",
  small_blind: "the small blind",
  big_blind: "the big blind",
  stacks: "everybody's chips",
  seat: "the seat",
  blind: "the kind of blind",
  amount: "the chips",
  all_in: "whether it is all-in",
  cards: "the cards",
  to_call: "what is to call",
  min_raise_to: "the least raise",
  max_raise_to: "the highest raise",
  think_ms: "the time to think",
  act: "what is done",
  bet: "the bet",
  pots: "the pots",
  street: "the street",
  ranking: "what the cards make",
  best: "the five cards that count",
  pot: "the number of the pot",
  awards: "who gets how much",
};

const FROM_NOUGHT = ["seat", "seats", "button"];
const LONGEST = 20;
const MOST = 12;

/**
 * Says in a sentence how a recorded event differs from the right one.
 *
 * @param {Happening | undefined} recorded
 * @param {Happening} right
 */
export function difference(recorded, right) {
  const should = KINDS[right.type] ?? right.type;
  if (!recorded) return `the recording breaks off where ${should}`;
  if (recorded.type !== right.type) {
    return `here ${should} by the rules, but in the recording ${KINDS[recorded.type] ?? recorded.type}`;
  }
  const names = Object.keys(right);
  const field = names.find((name) => JSON.stringify(recorded[name]) !== JSON.stringify(right[name])) ?? "type";
  const at = "seat" in right && field !== "seat" ? ` of seat ${right.seat + 1}` : "";
  const what = FIELDS[field] ?? field;
  const [ought, is] = [inWords(right[field], field), inWords(recorded[field], field)];
  return `where ${should}, ${what}${at} should be ${ought}, but the recording says ${is}`;
}

/**
 * A value in words. Seats are counted from 1.
 *
 * @param {any} value
 * @param {string} name its field's
 * @returns {string}
 */
export function inWords(value, name = "") {
  if (value === true || value === false) return value ? "yes" : "no";
  if (typeof value === "number") return (value + (FROM_NOUGHT.includes(name) ? 1 : 0)).toLocaleString("en");
  if (typeof value === "string") return cut(value);
  if (value === null || value === undefined) return "nothing";
  if (!Array.isArray(value)) return Object.entries(value).map(named).join(", ");
  const [first] = value;
  const between = typeof first === "string" ? " " : typeof first === "object" ? "; " : ", ";
  const parts = value.slice(0, MOST).map((each) => inWords(each, name));
  return parts.join(between) || "nothing";
}

/** @param {[string, any]} field */
function named([name, value]) {
  return `${name.replaceAll("_", " ")} ${inWords(value, name)}`;
}

/** @param {string} text */
function cut(text) {
  return text.length > LONGEST && !text.includes(" ") ? `${text.slice(0, MOST)}…` : text || "nothing";
}
