/**
 * The words of the picture that newcomers may not know, each explained in a plain sentence with the numbers of the
 * moment. `term` is the word's row in the glossary of the guide. Pure.
 *
 * @import { Seat, State } from "../../common/types.js"
 * @typedef {{ title: string, text: string }} Explanation
 * @typedef {{ part: string, term: string, explain: (state: State, at: number) => Explanation | null }} Word `part` is
 *   the selector of what is explained; `at` the number of the seat it belongs to, -1 for none
 */

import { chips, counted, isTie, ordinal, percent, signed } from "../../common/format.js";

/** @type {Word[]} */
export const WORDS = [
  { part: ".badge--blind", term: "SB, BB", explain: blind },
  { part: ".badge--button", term: "button", explain: button },
  { part: ".chance", term: "chance, %", explain: chance },
  { part: '.stamp[data-stamp="allin"]', term: "all-in", explain: allIn },
  { part: '.stamp[data-stamp="out"]', term: "stack", explain: out },
  { part: ".poster__reward", term: "stack", explain: stack },
  { part: ".plate__label", term: "to call", explain: plate },
  { part: ".pot", term: "pot", explain: pot },
  { part: ".third__stakes", term: "to advance", explain: rideOn },
  { part: ".standings__cut", term: "to advance", explain: rideOn },
  { part: ".third__where", term: "SB, BB", explain: where },
  { part: ".tally__corner", term: "crosstable", explain: crosstable },
  { part: ".tally__head--net", term: "crosstable", explain: net },
  { part: ".tally__head--earned", term: "earned", explain: earned },
  { part: ".tally__head--luck", term: "luck", explain: luck },
  { part: ".tally__range", term: "95 % interval", explain: range },
];

/**
 * @param {State} state
 * @param {number} at
 */
function seatOf({ seats, bots }, at) {
  const seat = seats[at];
  return seat ? { seat, name: bots[seat.bot]?.name ?? "This bot" } : null;
}

/** @type {Word["explain"]} */
function blind(state, at) {
  const found = seatOf(state, at);
  if (!found || !state.hand) return null;
  const small = found.seat.blind === "small";
  const amount = small ? state.hand.small_blind : state.hand.big_blind;
  const title = small ? "The small blind" : "The big blind";
  return { title, text: `${found.name} had to put in ${chips(amount)} before the cards came.` };
}

/** @type {Word["explain"]} */
function button(state, at) {
  const found = seatOf(state, at);
  if (!found) return null;
  const text = `Blinds and turns are counted from ${found.name}, who speaks last once there are cards on the table.`;
  return { title: "The dealer's star", text };
}

/** @type {Word["explain"]} */
function chance(state, at) {
  const found = seatOf(state, at);
  if (!found || found.seat.win === null) return null;
  const { win, tie } = found.seat;
  const cards = `Of all cards that can still come, so many let ${found.name}`;
  if (isTie(win, tie ?? 0)) return { title: `${percent(tie ?? 0)} to tie`, text: `${cards} share the pot.` };
  const shared = tie ? `, and ${percent(tie)} let it share the pot` : "";
  return { title: `${percent(win)} to win`, text: `${cards} win${shared}.` };
}

/** @type {Word["explain"]} */
function allIn(state, at) {
  const found = seatOf(state, at);
  if (!found) return null;
  const text = `${found.name} has put in all it has, ${chips(found.seat.committed)} in this hand, and can bet no more.`;
  return { title: "All in", text };
}

/** @type {Word["explain"]} */
function out(state, at) {
  const found = seatOf(state, at);
  if (!found?.seat.place) return null;
  return { title: "Out", text: `${found.name} has lost its last chips and takes ${ordinal(found.seat.place)} place.` };
}

/** @type {Word["explain"]} */
function stack(state, at) {
  const found = seatOf(state, at);
  if (!found) return null;
  const { stack: left, committed } = found.seat;
  const has = left ? `${found.name} has ${chips(left)} left to play with` : `${found.name} has nothing left to bet`;
  return {
    title: "Chips",
    text: `${has}; ${committed ? chips(committed) : "nothing"} of its chips went into this hand.`,
  };
}

/** @type {Word["explain"]} */
function plate(state, at) {
  const found = seatOf(state, at);
  if (!found) return null;
  const { seat, name } = found;
  if (seat.folded)
    return {
      title: "Folded",
      text: `${name} gave its cards up; the ${chips(seat.committed)} it put in stay in the pot.`,
    };
  if (state.turn?.seat === at) return turn(name, state.turn.to_call);
  return acted(seat, name);
}

/**
 * @param {string} name
 * @param {number} toCall
 */
function turn(name, toCall) {
  const add = `${name} must add ${chips(toCall)} to stay in the hand, or raise, or fold.`;
  return toCall
    ? { title: "To call", text: add }
    : { title: "To speak", text: `Nobody has bet more than ${name}: it may check, which costs nothing, or bet.` };
}

/**
 * @param {Seat} seat
 * @param {string} name
 */
function acted({ act, bet }, name) {
  switch (act) {
    case "check":
      return { title: "Check", text: `${name} stays in the hand and puts nothing in.` };
    case "call":
      return { title: "Call", text: `${name} has put in as much as the others, ${chips(bet)} on this street.` };
    case "bet":
      return { title: "Bet", text: `${name} put in ${chips(bet)}, which the others must match to stay in the hand.` };
    case "raise":
      return { title: "Raise", text: `${name} put in more than it had to: others must now match ${chips(bet)}.` };
    default:
      return null;
  }
}

/** @type {Word["explain"]} */
function pot({ pots, pot: whole, awards, seats, bots }) {
  const named = (/** @type {number[]} */ at) =>
    at.map((each) => bots[seats[each]?.bot ?? -1]?.name ?? "").join(" and ");
  const last = awards.at(-1);
  if (last)
    return {
      title: "The pot",
      text: `${named(last.awards.map(({ seat }) => seat))} won the pot of ${chips(last.amount)}.`,
    };
  if (!whole) return null;
  const [main, side] = pots;
  const first = `The ${chips(whole)} chips that bots have put into this hand`;
  if (!main || !side)
    return { title: "The pot", text: `${first} go to the best hand, or to the last who does not fold.` };
  const can = `the main pot, ${chips(main.amount)}, can go to ${counted(main.seats.length)} bots`;
  return {
    title: "The pots",
    text: `${first} lie in ${counted(pots.length)} pots: ${can}, the rest only to those who put in more.`,
  };
}

/** @type {Word["explain"]} */
function rideOn({ stage, standings, bots }) {
  if (!stage?.advance) return null;
  const last = standings.rows.find(({ rank }) => rank === stage.advance);
  const to = stage.next_title ? ` to ${stage.next_title}` : "";
  const who = last ? `; ${bots[last.bot]?.name ?? ""} is the last of them now, with ${chips(last.stack)}` : "";
  return {
    title: "To ride on",
    text: `When this stage ends, the best ${counted(stage.advance)} bots go on${to}${who}.`,
  };
}

/** @type {Word["explain"]} */
function where({ hand }) {
  if (!hand) return null;
  const { small_blind: small, big_blind: big } = hand;
  return {
    title: "Blinds",
    text: `In every hand two bots must put in ${chips(small)} and ${chips(big)} before the cards come.`,
  };
}

/** @type {Word["explain"]} */
function crosstable({ statistics, bots }) {
  const [by, of, taken] = mostOf(statistics.crosstable, ([, , chips]) => chips) ?? [];
  if (by === undefined || of === undefined || !taken) return null;
  const who = `${bots[by]?.name ?? ""} took the most, ${chips(taken)} from ${bots[of]?.name ?? ""}`;
  return { title: "Who took from whom", text: `Each row tells what a bot took from the bot of each column; ${who}.` };
}

/** @type {Word["explain"]} */
function net({ statistics, bots }) {
  const best = mostOf(statistics.rows, ({ won = 0 }) => won);
  if (!best) return null;
  const most = `${bots[best.bot]?.name ?? ""} won the most, ${signed(best.won ?? 0)}`;
  return { title: "Net", text: `What a bot took from all others, less what they took from it; ${most}.` };
}

/** @type {Word["explain"]} */
function earned({ statistics, bots }) {
  const best = mostOf(statistics.rows, (row) => row.earned ?? Number.NEGATIVE_INFINITY);
  if (typeof best?.earned !== "number") return null;
  const most = `${bots[best.bot]?.name ?? ""} earned the most, ${signed(best.earned)}`;
  return { title: "Earned", text: `What a bot won without the luck of the cards on the board; ${most}.` };
}

/** @type {Word["explain"]} */
function luck({ statistics, bots }) {
  const best = mostOf(statistics.rows, (row) => row.luck ?? 0);
  if (!best) return null;
  const most = `${bots[best.bot]?.name ?? ""} had the most, ${signed(best.luck ?? 0)}`;
  return {
    title: "Luck",
    text: `What the cards of the board gave a bot beyond its chances, 0 for all together; ${most}.`,
  };
}

/** @type {Word["explain"]} */
function range({ statistics, bots }) {
  const row = statistics.rows.find(({ low, high }) => typeof low === "number" && typeof high === "number");
  if (!row) return null;
  const from = `from ${signed(row.low ?? 0)} to ${signed(row.high ?? 0)}`;
  const who = `for ${bots[row.bot]?.name ?? ""} it goes ${from}`;
  return {
    title: "How sure that is",
    text: `In 95 of 100 cases the line holds what a bot earns in the long run; ${who}.`,
  };
}

/**
 * @template Item
 * @param {Item[]} items
 * @param {(item: Item) => number} worth
 * @returns {Item | undefined}
 */
function mostOf(items, worth) {
  return [...items].sort((one, other) => worth(other) - worth(one))[0];
}
