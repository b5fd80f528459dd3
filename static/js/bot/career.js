/**
 * Computes a bot's part in a show from the show's outline (the list of its hands): the hands in which the bot won or
 * lost chips, its result in each game, and its chips after each hand. No I/O.
 *
 * @import { State } from "../common/types.js"
 * @import { FilmHand, Outline } from "../replay/film/film.js"
 * @typedef {{ number: number, hand: FilmHand, change: number, ranking: string, isOut: boolean }} HandResult `number`:
 *   the hand's number in the show; `change`: chips won or lost; `ranking`: the name of the hand with which the bot won,
 *   "" without a showdown
 * @typedef {{ game: number, stage: string, change: number, place: number, isDeal: boolean }} GameResult `place`: the
 *   bot's place by chips after the game. For a deal (the same cards at several tables), `game` is the deal's number,
 *   `change` is what the bot won at all tables of the deal, and `place` is 0
 * @typedef {{ title: string, botChips: number[], lineChips: number[], linePlace: number,
 *   ofDeals: boolean }} ChipHistory `botChips`: the bot's chips after each hand of a stage or, if `ofDeals`, its total
 *   winnings after each deal; `lineChips`: the chips of the lowest-ranked bot that still advances; `linePlace`: the
 *   rank of that bot, 0 if nobody advances
 */

/**
 * The hands in which a bot won or lost chips, in order.
 *
 * @type {(outline: Outline, state: State, bot: number) => HandResult[]}
 */
export function handResults({ hands }, state, bot) {
  return hands.flatMap((hand, number) => {
    const stackAfter = hand.stacks[bot];
    const before = stackBefore(hands, number, state, bot);
    if (stackAfter === undefined || before === undefined) return [];
    const won = hand.won.find(([winner]) => winner === bot);
    const isOut = hand.out.some(([loser]) => loser === bot);
    return stackAfter !== before || won || isOut
      ? [{ number, hand, change: stackAfter - before, ranking: won?.[2] ?? "", isOut }]
      : [];
  });
}

/**
 * Returns a bot's chips before a hand, or undefined if the previous hand is no longer available.
 *
 * @type {(hands: FilmHand[], number: number, state: State, bot: number) => number | undefined}
 */
function stackBefore(hands, number, { stage, tournament, history }, bot) {
  const [hand, last] = [hands[number], hands[number - 1]];
  const resetsStacks = stage?.series || stage?.deals;
  const keepsChips = last && last.stage === hand?.stage && (last.game === hand.game || !resetsStacks);
  if (keepsChips) return last.stacks[bot];
  const isLater = stage && stage.stage > 1 && stage.title === hand?.stage;
  return isLater && !resetsStacks ? history[bot]?.[0] : tournament.starting_stack;
}

/**
 * The hands that are most worth seeing again, the latest first.
 *
 * @param {HandResult[]} hands
 * @param {number} minChange an unremarkable hand is listed only if the bot won or lost at least this many chips
 * @param {number} maxHands the maximum number of hands
 * @returns {HandResult[]}
 */
export function notableHands(hands, minChange, maxHands) {
  const byInterest = (/** @type {HandResult} */ one, /** @type {HandResult} */ other) =>
    Number(other.isOut) - Number(one.isOut) ||
    highlightScore(other) - highlightScore(one) ||
    Math.abs(other.change) - Math.abs(one.change);
  return hands
    .filter((hand) => hand.isOut || hand.ranking || highlightScore(hand) || Math.abs(hand.change) >= minChange)
    .sort(byInterest)
    .slice(0, maxHands)
    .sort((one, other) => other.number - one.number);
}

/** @param {HandResult} hand @returns {number} how dramatic the hand was, or 0 if the bot had no part in the drama */
function highlightScore({ hand, change, isOut }) {
  return hand.marks.length && (isOut || Math.abs(change) * 4 >= hand.pot) ? hand.score : 0;
}

/**
 * A bot's result in each game, the latest game first. `hands` are all hands of the show.
 *
 * @type {(botHands: HandResult[], hands: FilmHand[], bot: number) => GameResult[]}
 */
export function gameResults(botHands, hands, bot) {
  const deals = dealResults(hands, bot);
  if (deals.length) return deals.reverse();
  /** @type {Map<string, GameResult>} */
  const games = new Map();
  for (const { hand, change } of botHands) {
    const key = `${hand.stage} ${hand.game}`;
    const game = games.get(key) ?? { game: hand.game, stage: hand.stage, change: 0, place: 0, isDeal: false };
    const last = hands.findLast(
      (each) => each.game === hand.game && each.stage === hand.stage && each.stacks[bot] !== undefined,
    );
    const stacks = last?.stacks ?? {};
    const place = 1 + Object.values(stacks).filter((stack) => stack > (stacks[bot] ?? 0)).length;
    games.set(key, { ...game, change: game.change + change, place });
  }
  return [...games.values()].reverse();
}

/** What a bot won in each deal that it played, in order. @type {(hands: FilmHand[], bot: number) => GameResult[]} */
function dealResults(hands, bot) {
  return hands.flatMap(({ stage, deal = 0, deal_won = {} }) => {
    const change = deal_won[bot];
    return change === undefined ? [] : [{ game: deal, stage, change, place: 0, isDeal: true }];
  });
}

/**
 * Returns a bot's chips after each hand of its last stage, and the chips of the lowest-ranked bot that advances.
 *
 * @type {(outline: Outline, state: State, bot: number) => ChipHistory}
 */
export function chipHistoryOf({ hands }, { stage, tournament, history }, bot) {
  const isInStage = !stage || stage.bots.includes(bot);
  const titles = [...new Set(hands.slice(1).map((hand) => hand.stage))];
  const deals = dealResults(hands, bot);
  const title =
    deals.at(-1)?.stage ?? (isInStage ? stage?.title : titles.filter((each) => each !== stage?.title).at(-1)) ?? "";
  if (stage?.deals) return { title, botChips: runningTotals(deals, title), lineChips: [], linePlace: 0, ofDeals: true };
  const linePlace = isInStage ? (stage?.advance ?? 0) : (stage?.bots.length ?? 0);
  const played = hands.filter((hand) => hand.stage === title && hand.stacks[bot] !== undefined);
  const bots = isInStage ? (stage?.bots ?? []) : Object.keys(played[0]?.stacks ?? {}).map(Number);
  const start = isInStage && stage && stage.stage > 1 ? (history[bot]?.[0] ?? 0) : tournament.starting_stack;
  const hasLine = linePlace > 0 && linePlace < bots.length;
  const chipsAtLine = (/** @type {FilmHand} */ { stacks }) =>
    bots.map((each) => stacks[each] ?? 0).sort((one, other) => other - one)[linePlace - 1] ?? 0;
  return {
    title,
    botChips: [start, ...played.map((hand) => hand.stacks[bot] ?? 0)],
    lineChips: hasLine ? [start, ...played.map(chipsAtLine)] : [],
    linePlace: hasLine ? linePlace : 0,
    ofDeals: false,
  };
}

/**
 * A bot's total winnings in a stage after each of its deals, beginning with 0.
 *
 * @type {(deals: GameResult[], stage: string) => number[]}
 */
function runningTotals(deals, stage) {
  const sums = [0];
  for (const deal of deals) if (deal.stage === stage) sums.push((sums.at(-1) ?? 0) + deal.change);
  return sums;
}
