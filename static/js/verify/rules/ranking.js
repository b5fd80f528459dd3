/**
 * Which hand is the better one, what it is called, and which five cards count. An evaluator of this page's own: it
 * counts ranks and suits, and asks no table.
 *
 * @typedef {{ score: number, name: string, best: string[] }} Ranking the higher score wins; equal ones share
 */

const RANKS = "23456789TJQKA";
const ACE = 12;
const ONE = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];

/**
 * What the best five of five to seven cards make.
 *
 * @param {readonly string[]} cards
 * @returns {Ranking}
 */
export function rankingOf(cards) {
  const suited = flushOf(cards);
  const straightFlush = suited && straightOf(suited);
  if (straightFlush) {
    const name = straightFlush[0] === ACE ? "royal flush" : `straight flush, ${ONE[straightFlush[0]]} high`;
    return ranked(8, straightFlush.slice(0, 1), name, picked(suited, straightFlush));
  }
  // The most frequent rank first, of equally frequent ones the highest: pairs before kickers.
  const groups = countsOf(cards);
  if (groups[0].times === 4) {
    const [four] = groups;
    const kicker = highest(groups.slice(1));
    const name = `four of a kind, ${many(four.rank)}, ${ONE[kicker]} kicker`;
    return ranked(7, [four.rank, kicker], name, picked(cards, [...fill(four.rank, 4), kicker]));
  }
  if (groups[0].times === 3 && groups[1] && groups[1].times >= 2) {
    const [three, two] = groups.map((group) => group.rank);
    const name = `full house, ${many(three)} over ${many(two)}`;
    return ranked(6, [three, two], name, picked(cards, [...fill(three, 3), ...fill(two, 2)]));
  }
  if (suited) {
    const five = suited.map(rankOf).sort(down).slice(0, 5);
    return ranked(5, five, `flush, ${ONE[five[0]]} high`, picked(suited, five));
  }
  const straight = straightOf(cards);
  if (straight) return ranked(4, straight.slice(0, 1), `straight, ${ONE[straight[0]]} high`, picked(cards, straight));
  return ofPairs(cards, groups);
}

/**
 * @param {readonly string[]} cards
 * @param {Group[]} groups
 */
function ofPairs(cards, groups) {
  const [first, second] = groups;
  const alone = (/** @type {number} */ from, /** @type {number} */ count) =>
    groups
      .slice(from)
      .map((group) => group.rank)
      .sort(down)
      .slice(0, count);
  if (first.times === 3) {
    const kickers = alone(1, 2);
    const name = `three of a kind, ${many(first.rank)}, ${ONE[kickers[0]]} kicker`;
    return ranked(3, [first.rank, ...kickers], name, picked(cards, [...fill(first.rank, 3), ...kickers]));
  }
  if (first.times === 2 && second.times === 2) {
    const [kicker] = alone(2, 1);
    const name = `two pair, ${many(first.rank)} and ${many(second.rank)}, ${ONE[kicker]} kicker`;
    const five = [...fill(first.rank, 2), ...fill(second.rank, 2), kicker];
    return ranked(2, [first.rank, second.rank, kicker], name, picked(cards, five));
  }
  if (first.times === 2) {
    const kickers = alone(1, 3);
    const name = `pair of ${many(first.rank)}, ${ONE[kickers[0]]} kicker`;
    return ranked(1, [first.rank, ...kickers], name, picked(cards, [...fill(first.rank, 2), ...kickers]));
  }
  const five = alone(0, 5);
  return ranked(0, five, `high card, ${ONE[five[0]]}`, picked(cards, five));
}

/**
 * @param {number} kind
 * @param {number[]} ranks that decide among hands of this kind, the most important first
 * @param {string} name
 * @param {string[]} best
 * @returns {Ranking}
 */
function ranked(kind, ranks, name, best) {
  const score = [0, 1, 2, 3, 4].reduce((sum, at) => sum * 16 + (ranks[at] ?? 0), kind);
  return { score, name, best };
}

/**
 * @typedef {{ rank: number, times: number }} Group
 *
 * @param {readonly string[]} cards
 * @returns {Group[]}
 */
function countsOf(cards) {
  const times = new Array(RANKS.length).fill(0);
  for (const card of cards) times[rankOf(card)] += 1;
  return times
    .map((count, rank) => ({ rank, times: count }))
    .filter((group) => group.times)
    .sort((one, other) => other.times - one.times || other.rank - one.rank);
}

/**
 * The cards of the suit of which there are five or more.
 *
 * @param {readonly string[]} cards
 */
function flushOf(cards) {
  for (const suit of "cdhs") {
    const suited = cards.filter((card) => card[1] === suit);
    if (suited.length >= 5) return suited;
  }
  return null;
}

/**
 * The ranks of the highest straight in `cards`, from the top; the ace also stands below the two.
 *
 * @param {readonly string[]} cards
 */
function straightOf(cards) {
  const there = new Set(cards.map(rankOf));
  for (let top = ACE; top >= 3; top--) {
    const ranks = [0, 1, 2, 3, 4].map((step) => (top - step + 13) % 13);
    if (ranks.every((rank) => there.has(rank))) return ranks;
  }
  return null;
}

/**
 * One card for each of `ranks`; of equal ones those that come first.
 *
 * @param {readonly string[]} cards
 * @param {readonly number[]} ranks
 */
function picked(cards, ranks) {
  const left = [...cards];
  return ranks.flatMap((rank) => {
    const at = left.findIndex((card) => rankOf(card) === rank);
    return left.splice(at, 1);
  });
}

/** @param {string} card */
function rankOf(card) {
  return RANKS.indexOf(card[0]);
}

/** @param {readonly Group[]} groups */
function highest(groups) {
  return Math.max(...groups.map((group) => group.rank));
}

/** @param {number} rank */
function many(rank) {
  return ONE[rank] + (ONE[rank].endsWith("x") ? "es" : "s");
}

/**
 * @param {number} rank
 * @param {number} times
 */
function fill(rank, times) {
  return new Array(times).fill(rank);
}

/**
 * @param {number} one
 * @param {number} other
 */
function down(one, other) {
  return other - one;
}
