/**
 * Explains the picture's terms to newcomers. Each explanation is a sentence with the current numbers. No I/O.
 *
 * @import { BotStatistics, Seat, State } from "../../common/types.js"
 * @typedef {[title: string, text: string]} Explanation
 * @typedef {(state: State, seat: Seat, name: string) => Explanation | null} SeatExplainer explains a part of a seat.
 *   `name` is the name of the seat's bot
 * @typedef {{ part: string, term: string, explain: (state: State, at: number) => Explanation | null }} ExplainedWord
 *   `part` is the selector of the explained element. `term` is the word's row in the guide's glossary. `at` is the
 *   element's seat, -1 for none
 */

import { chips, isTieLikelier, numberInWords, ordinal, percent, signed } from "../../common/format.js";

/** @type {ExplainedWord[]} */
export const EXPLAINED_WORDS = [
  { part: ".badge--blind", term: "SB, BB", explain: forSeat(explainBlind) },
  { part: ".badge--button", term: "button", explain: forSeat(explainButton) },
  { part: ".chance", term: "chance, %", explain: forSeat(explainChance) },
  { part: '.stamp[data-stamp="allin"]', term: "all-in", explain: forSeat(explainAllIn) },
  { part: '.stamp[data-stamp="out"]', term: "stack", explain: forSeat(explainElimination) },
  { part: ".poster__reward", term: "stack", explain: forSeat(explainStack) },
  { part: ".plate__label", term: "to call", explain: forSeat(explainPlate) },
  { part: ".pot", term: "pot", explain: explainPot },
  { part: ".third__stakes", term: "to advance", explain: explainAdvancing },
  { part: ".standings__cut", term: "to advance", explain: explainAdvancing },
  { part: ".third__where", term: "SB, BB", explain: explainBlindLevel },
  { part: ".tally__corner", term: "crosstable", explain: explainCrosstable },
  { part: ".tally__head--net", term: "crosstable", explain: explainNet },
  { part: ".tally__head--earned", term: "earned", explain: explainEarned },
  { part: ".tally__head--luck", term: "luck", explain: explainLuck },
  { part: ".tally__range", term: "95 % interval", explain: explainRange },
];

/** @type {(explain: SeatExplainer) => ExplainedWord["explain"]} */
function forSeat(explain) {
  return (state, seatIndex) => {
    const seat = state.seats[seatIndex];
    return seat ? explain(state, seat, state.bots[seat.bot]?.name ?? "This bot") : null;
  };
}

/** @type {SeatExplainer} */
function explainBlind(state, seat, name) {
  if (!state.hand) return null;
  const small = seat.blind === "small";
  const amount = small ? state.hand.small_blind : state.hand.big_blind;
  return [small ? "The small blind" : "The big blind", `${name} had to put in ${chips(amount)} before the cards came.`];
}

/** @type {SeatExplainer} */
function explainButton(_state, _seat, name) {
  return ["The dealer's star", `Blinds and turns are counted from ${name}, who acts last from the flop on.`];
}

/** @type {SeatExplainer} */
function explainChance(_state, seat, name) {
  const { win, tie } = seat;
  if (win === null) return null;
  const cards = `Of all cards that may still come, this share lets ${name}`;
  if (isTieLikelier(win, tie ?? 0)) return [`${percent(tie ?? 0)} to tie`, `${cards} share the pot.`];
  const shared = tie ? ` alone; ${percent(tie)} let it share the pot` : "";
  return [`${percent(win)} to win`, `${cards} win${shared}.`];
}

/** @type {SeatExplainer} */
function explainAllIn(_state, seat, name) {
  return ["All in", `${name} has put in all its chips, ${chips(seat.committed)} in this hand, and cannot bet more.`];
}

/** @type {SeatExplainer} */
function explainElimination(_state, seat, name) {
  if (!seat.place) return null;
  return ["Out", `${name} has lost its last chips and takes ${ordinal(seat.place)} place.`];
}

/** @type {SeatExplainer} */
function explainStack(_state, seat, name) {
  const { stack: left, committed } = seat;
  const rest = left ? `${name} has ${chips(left)} left to play with` : `${name} has nothing left to bet`;
  return ["Chips", `${rest}; ${committed ? chips(committed) : "nothing"} of its chips went into this hand.`];
}

/** @type {SeatExplainer} */
function explainPlate(state, seat, name) {
  if (seat.folded)
    return ["Folded", `${name} gave up its cards; the ${chips(seat.committed)} it put in stay in the pot.`];
  if (!state.turn || state.seats[state.turn.seat] !== seat) return explainLastAct(seat, name);
  return state.turn.to_call
    ? ["To call", `${name} must add ${chips(state.turn.to_call)} to stay in the hand, or raise, or fold.`]
    : ["To act", `Nobody has bet more than ${name}: it may check for free, or bet.`];
}

/** @type {(seat: Seat, name: string) => Explanation | null} */
function explainLastAct({ act, bet }, name) {
  switch (act) {
    case "check":
      return ["Check", `${name} stays in the hand and puts nothing in.`];
    case "call":
      return ["Call", `${name} has put in as much as the others: ${chips(bet)} on this street.`];
    case "bet":
      return ["Bet", `${name} put in ${chips(bet)}. The others must match this to stay in the hand.`];
    case "raise":
      return ["Raise", `${name} put in more than it had to: others must now match ${chips(bet)}.`];
    default:
      return null;
  }
}

/** @type {ExplainedWord["explain"]} */
function explainPot({ pots, pot: total, awards, seats, bots }) {
  const namesOf = (/** @type {number[]} */ seatIndexes) =>
    seatIndexes.map((each) => bots[seats[each]?.bot ?? -1]?.name ?? "").join(" and ");
  const last = awards.at(-1);
  if (last) return ["The pot", `${namesOf(last.awards.map(({ seat }) => seat))} won ${chips(last.amount)}.`];
  if (!total) return null;
  const [main, side] = pots;
  const first = `The ${chips(total)} chips that bots have put into this hand`;
  if (!main || !side) return ["The pot", `${first} go to the best hand, or to the last bot that does not fold.`];
  const can = `the main pot, ${chips(main.amount)}, can go to ${numberInWords(main.seats.length)} bots`;
  return [
    "The pots",
    `${first} are in ${numberInWords(pots.length)} pots: ${can}, the rest only to bots that put in more.`,
  ];
}

/** @type {ExplainedWord["explain"]} */
function explainAdvancing({ stage, standings, bots }) {
  if (!stage?.advance) return null;
  const last = standings.rows.find(({ rank }) => rank === stage.advance);
  const to = stage.next_title ? ` to ${stage.next_title}` : "";
  const who = last ? `; ${bots[last.bot]?.name ?? ""} is the last of them now, with ${chips(last.stack)}` : "";
  return ["To ride on", `When this stage ends, the best ${numberInWords(stage.advance)} bots go on${to}${who}.`];
}

/** @type {ExplainedWord["explain"]} */
function explainBlindLevel({ hand }) {
  if (!hand) return null;
  const { small_blind: small, big_blind: big } = hand;
  return ["Blinds", `In every hand two bots must put in ${chips(small)} and ${chips(big)} before the cards come.`];
}

/** @type {ExplainedWord["explain"]} */
function explainCrosstable({ statistics, bots }) {
  const [winner, loser, taken] = itemWithMost(statistics.crosstable, ([, , chips]) => chips) ?? [];
  if (winner === undefined || loser === undefined || !taken) return null;
  const who = `${bots[winner]?.name ?? ""} took the most, ${chips(taken)} from ${bots[loser]?.name ?? ""}`;
  return ["Who took from whom", `Each row shows what a bot took from the bot in each column; ${who}.`];
}

/** @type {ExplainedWord["explain"]} */
function explainNet(state) {
  const most = mostWords(state, "won", ({ won = 0 }) => won);
  return most ? ["Net", `What a bot took from all others, minus what they took from it; ${most}.`] : null;
}

/** @type {ExplainedWord["explain"]} */
function explainEarned(state) {
  if (!state.statistics.rows.some((row) => typeof row.earned === "number")) return null;
  const most = mostWords(state, "earned", (row) => row.earned ?? Number.NEGATIVE_INFINITY);
  return most ? ["Earned", `What a bot won without the luck of the cards on the board; ${most}.`] : null;
}

/** @type {ExplainedWord["explain"]} */
function explainLuck(state) {
  const most = mostWords(state, "had", (row) => row.luck ?? 0);
  const text = `What the board cards gave a bot beyond its chances; all bots' luck adds up to 0; ${most}.`;
  return most ? ["Luck", text] : null;
}

/** @type {ExplainedWord["explain"]} */
function explainRange({ statistics, bots }) {
  const row = statistics.rows.find(({ low, high }) => typeof low === "number" && typeof high === "number");
  if (!row) return null;
  const from = `from ${signed(row.low ?? 0)} to ${signed(row.high ?? 0)}`;
  const who = `for ${bots[row.bot]?.name ?? ""} it runs ${from}`;
  return ["How sure that is", `In 95 of 100 cases, what a bot earns in the long run lies within this line; ${who}.`];
}

/** @type {(state: State, verb: string, countOf: (row: BotStatistics) => number) => string | null} */
function mostWords({ statistics, bots }, verb, countOf) {
  const best = itemWithMost(statistics.rows, countOf);
  return best ? `${bots[best.bot]?.name ?? ""} ${verb} the most, ${signed(countOf(best))}` : null;
}

/**
 * @template Item
 * @param {Item[]} items
 * @param {(item: Item) => number} countOf
 * @returns {Item | undefined}
 */
function itemWithMost(items, countOf) {
  return [...items].sort((one, other) => countOf(other) - countOf(one))[0];
}
