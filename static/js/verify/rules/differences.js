/**
 * How a recording differs from what should stand there, in words for people who have never read one.
 *
 * @import { Happening } from "./events.js"
 */

/** @type {Record<string, string>} */
const HAPPENING = {
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
const CALLED = {
  deck_commitment: "the seal of the deck",
  deck_key: "the key of the deck",
  hand: "the number of the hand",
  button: "the seat with the button",
  stacks: "everybody's chips",
  blind: "the kind of blind",
  amount: "the number of chips",
  all_in: "whether that is all-in",
  to_call: "what is to call",
  min_raise_to: "the least raise",
  max_raise_to: "the highest raise",
  think_ms: "the time to think",
  act: "what is done",
  ranking: "what the cards make",
  best: "the five cards that count",
  pot: "the number of the pot",
  awards: "who gets how much",
};

const FROM_NOUGHT = ["seat", "seats", "button"];
const LONGEST = 20;
const MOST = 12;

/**
 * A sentence that says how the recorded event of a hand differs from the right one; they must differ.
 *
 * @param {Happening} recorded
 * @param {Happening} right
 */
export function difference(recorded, right) {
  const [should, does] = [HAPPENING[right.type], HAPPENING[recorded.type]];
  if (recorded.type !== right.type) return `here ${should} by the rules, but in the recording ${does}`;
  const names = Object.keys(right);
  const name = names.find((each) => JSON.stringify(recorded[each]) !== JSON.stringify(right[each])) ?? "type";
  const of = "seat" in right && name !== "seat" ? ` of seat ${right.seat + 1}` : "";
  const what = CALLED[name] ?? `the ${name.replaceAll("_", " ")}`;
  const [ought, isThere] = [inWords(right[name], name), inWords(recorded[name], name)];
  return `where ${should}, ${what}${of} should be ${ought}, but the recording says ${isThere}`;
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
  const letters = [...text];
  return letters.length > LONGEST && !text.includes(" ") ? `${letters.slice(0, MOST).join("")}…` : text || "nothing";
}
