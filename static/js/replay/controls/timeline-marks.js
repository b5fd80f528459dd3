/**
 * The parts of the timeline, one per game, and the marks of remarkable hands. No I/O.
 *
 * @import { FilmHand } from "../film/film.js"
 * @typedef {"out" | "upset" | "bluff" | "pot"} MarkKind
 * @typedef {{ hand: number, kind: MarkKind, x: number }} Mark
 * @typedef {{ from: number, to: number, opens: boolean }} TimelinePart `opens` says whether the part is
 *   the first of a stage
 */

/** A hand without an elimination is marked only if its score is at least this. */
const MIN_SCORE = 15;
/** In each stretch of the line that is this wide, only the best mark is shown, or all eliminations if there are any. */
const MARK_SPACING_PX = 18;
/** If games would on average be narrower than this, only stages are separated. */
const MIN_GAME_PX = 5;
/** @type {Record<string, MarkKind>} */
const KIND_OF_MARK = { Upset: "upset", "Bad beat": "upset", Bluff: "bluff", "Hero call": "bluff" };
/** The outline of each kind of mark around 0,0. The shapes differ, for visitors who cannot see the colours. */
const SHAPES = {
  out: "m0-8a8 8 0 1 1-.1 0zm-3 5l6 6m0-6l-6 6",
  upset:
    "m0-9l2.500 5.700 6.200.600-4.700 4.100 1.400 6.100-5.400-3.200-5.400 3.200 1.400-6.100-4.700-4.100 6.200-.600z",
  bluff: "m0-8l7 8-7 8-7-8z",
  pot: "m-3-8h6v16h-6z",
};

/** The kinds and their labels, in the order of the legend. */
export const KIND_WORDS = /** @type {[MarkKind, string][]} */ (
  Object.entries({ pot: "big pot", upset: "upset", bluff: "bluff", out: "out" })
);

/** The path of all marks of a kind. @type {(kind: MarkKind, marks: Mark[], y: number) => string} */
export function pathOf(kind, marks, y) {
  return marks.flatMap((mark) => (mark.kind === kind ? [`M${mark.x} ${y}${SHAPES[kind]}`] : [])).join("");
}

/**
 * Returns the hands to mark: all eliminations and, where there is room, the best other hands.
 *
 * @type {(hands: FilmHand[], xOf: (atMs: number) => number) => Mark[]}
 */
export function marksOf(hands, xOf) {
  const kindOf = (/** @type {FilmHand} */ { out, marks }) =>
    out.length ? "out" : (marks.map((name) => KIND_OF_MARK[name]).find((kind) => kind) ?? "pot");
  const all = hands.map((hand, number) => ({
    hand: number,
    kind: kindOf(hand),
    x: xOf(hand.at_ms),
    score: hand.score,
  }));
  const outs = all.filter(({ kind }) => kind === "out");
  const best = all
    .filter(({ kind, hand, score }) => kind !== "out" && score >= MIN_SCORE && hands[hand]?.marks.length)
    .sort((one, other) => other.score - one.score);
  const used = new Set(outs.map(({ x }) => Math.round(x / MARK_SPACING_PX)));
  const free = best.filter(({ x }) => {
    const spot = Math.round(x / MARK_SPACING_PX);
    return !used.has(spot) && used.add(spot);
  });
  return [...outs, ...free];
}

/**
 * Returns where games begin and end. If there is no room for games, returns where stages begin and end.
 *
 * @param {FilmHand[]} hands
 * @param {(atMs: number) => number} xOf
 * @param {number} from where the first part begins
 * @param {number} to where the last part ends
 * @returns {TimelinePart[]}
 */
export function timelineParts(hands, xOf, from, to) {
  const begins = hands.flatMap((hand, index) => {
    const before = hands[index - 1];
    if (!hand.game || hand.game === before?.game) return [];
    return [{ x: xOf(hand.at_ms), opens: hand.stage !== before?.stage }];
  });
  const crowded = begins.length * MIN_GAME_PX > to - from;
  const cuts = begins.slice(1).filter(({ opens }) => opens || !crowded);
  const edges = [{ x: from, opens: false }, ...cuts];
  return edges.map(({ x, opens }, index) => ({ from: x, to: edges[index + 1]?.x ?? to, opens }));
}
