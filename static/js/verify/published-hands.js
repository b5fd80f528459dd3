/**
 * Checks hands that others have published. They have no sealed deck and no seed, but each is played again with its
 * cards and decisions.
 *
 * @import { Happening } from "./rules/events.js"
 * @import { Deck } from "./rules/shuffle.js"
 */

import { Play } from "./counts.js";
import { replay } from "./hands.js";
import { checkNames } from "./names.js";
import { isOfAHand } from "./rules/events.js";
import { circleFrom } from "./rules/hand.js";
import { rankingOf } from "./rules/ranking.js";
import { must, same } from "./rules/refutation.js";
import { CARDS } from "./rules/shuffle.js";

const BETWEEN = ["tournament_opened", "bot_connected", "stage_started", "game_started", "game_ended", "stage_ended"];
/** The weakest two cards are searched for among so many of the lowest. */
const WEAK = 12;

/**
 * Whether this opens a recording of published hands, not of a tournament held here.
 *
 * @param {Happening} opened
 */
export function isPublished(opened) {
  return opened.contest === "published" && !opened.seed_commitment;
}

/**
 * The cards of a published hand; a seat whose cards were not published has none.
 *
 * @typedef {{ hole: Map<number, string[]>, board: string[], folded: Set<number>, unknown: Set<number> }} Known
 *
 * @param {readonly Happening[]} events
 * @returns {Known}
 */
function knownOf(events) {
  const of = (/** @type {string} */ type) => events.filter((event) => event.type === type);
  const hole = new Map(of("hole_dealt").map((dealt) => [dealt.seat, dealt.cards.filter(Boolean)]));
  return {
    hole,
    board: of("street_dealt").flatMap((dealt) => dealt.cards),
    folded: new Set(of("action_taken").flatMap((taken) => (taken.act === "fold" ? [taken.seat] : []))),
    unknown: new Set([...hole.keys()].filter((seat) => !hole.get(seat)?.length)),
  };
}

/** @param {readonly string[]} cards */
function checkCards(cards) {
  const seen = new Set();
  for (const card of cards) {
    const words = `not a card: '${card}' (expected a rank of 23456789TJQKA and a suit of cdhs)`;
    must(CARDS.includes(card), words);
    must(!seen.has(card), `the card ${card} comes twice`);
    seen.add(card);
  }
}

/**
 * A deck that deals the known cards, and the weakest ones to seats that do not show theirs at the end.
 *
 * @param {Happening} started
 * @param {Known} known
 * @returns {Deck}
 */
function deckFor(started, known) {
  const left = [...known.hole.keys()].filter((seat) => !known.folded.has(seat));
  const shown = left.length < 2 || left.some((seat) => !known.unknown.has(seat));
  must(shown, "nobody's cards at the showdown are known, so nobody can be said to have won");
  const dealtKnown = new Set([...known.board, ...[...known.hole.values()].flat()]);
  const rest = CARDS.filter((card) => !dealtKnown.has(card));
  const hole = new Map(
    [...known.hole].map(([seat, cards]) => [seat, cards.length ? cards : filled(seat, known, rest)]),
  );
  /** @type {number[]} */
  const stacks = started.stacks;
  const circle = circleFrom(started.button + 1, stacks.length);
  const dealt = circle.flatMap((seat) => (stacks[seat] ? (hole.get(seat) ?? []) : []));
  return { cards: [...dealt, ...known.board, ...rest], commitment: "", key: "" };
}

/**
 * Two cards for a seat whose own are not known, taken out of `rest`: the weakest where it did not fold.
 *
 * @param {number} seat
 * @param {Known} known
 * @param {string[]} rest
 */
function filled(seat, known, rest) {
  const { board, folded } = known;
  let least = rest.slice(0, 2);
  if (!folded.has(seat) && board.length === 5) {
    const score = (/** @type {string[]} */ two) => rankingOf([...two, ...board]).score;
    for (const two of pairsOf(rest.slice(0, WEAK))) if (score(two) < score(least)) least = two;
  }
  for (const card of least) rest.splice(rest.indexOf(card), 1);
  return least;
}

/** @param {readonly string[]} cards */
function pairsOf(cards) {
  return cards.flatMap((one, at) => cards.slice(at + 1).map((other) => [one, other]));
}

/** A recording of published hands, followed event by event. */
export class Published {
  kind = /** @type {const} */ ("published");
  finished = true;
  /** @type {string[]} */
  notes = [];
  #opened;
  /** @type {Happening | null} */
  #game = null;
  /** The events of the hand that is played. @type {Happening[]} */
  #hand = [];
  #hands = 0;
  #concealed = 0;
  #play = new Play();
  /** @type {readonly number[]} */
  #stacks = [];

  /**
   * Throws Refuted where a name was never admitted.
   *
   * @param {Happening} opened
   */
  constructor(opened) {
    this.#opened = opened;
    checkNames(opened.entrants);
  }

  get count() {
    return { hands: this.#hands, concealed: this.#concealed, ...this.#play };
  }

  /** Whether the last hand breaks off. */
  get open() {
    return this.#hand.length > 0;
  }

  get where() {
    const game = this.#game ? `game ${this.#game.game}` : "";
    return [game, this.open ? `hand ${this.#hands + 1} of the file` : ""].filter(Boolean).join(", ");
  }

  /**
   * Checks the next event. Throws Refuted where it cannot be right.
   *
   * @param {Happening} event
   */
  take(event) {
    const mayCome = this.open || event.type === "hand_started" || BETWEEN.includes(event.type);
    must(mayCome, "something of a hand happens outside one");
    if (isOfAHand(event)) this.#takeOfAHand(event);
    else this.#takeBetween(event);
  }

  /** @param {Happening} event */
  #takeBetween(event) {
    if (event.type === "tournament_opened") {
      checkNames(event.entrants);
      this.#opened = event;
    }
    if (event.type === "game_ended") same("the stacks at the end of the game", event.stacks, this.#stacks);
    if (event.type !== "game_started") return;
    same("the number of stacks", event.stacks.length, event.seats.length);
    this.#game = event;
  }

  /** @param {Happening} event */
  #takeOfAHand(event) {
    if (event.type === "hand_started") this.#hand = [];
    this.#hand.push(event);
    if (event.type !== "hand_ended") return;
    this.#checkHand(this.#hand, event);
    [this.#hand, this.#stacks] = [[], event.stacks];
  }

  /**
   * @param {readonly Happening[]} events
   * @param {Happening} ended
   */
  #checkHand(events, ended) {
    const [started] = events;
    /** @type {number[]} */
    const stacks = started.stacks;
    same("the number of stacks", stacks.length, this.#game?.seats.length ?? 0);
    same("the seal and the key of the deck", [started.deck_commitment, ended.deck_key], ["", ""]);
    const known = knownOf(events);
    const seats = [...known.hole.keys()].sort((one, other) => one - other);
    const withChips = [...stacks.keys()].filter((seat) => stacks[seat]);
    same("the seats that get cards", seats.map(counted), withChips.map(counted));
    checkCards([...known.board, ...[...known.hole.values()].flat()]);
    const { small_blind: small, big_blind: big, ante } = started;
    const rules = { ...this.#opened.rules, levels: [{ small, big, ante }] };
    const [, right] = replay(rules, events, deckFor(started, known), known.unknown);
    this.#hands += 1;
    this.#concealed += known.unknown.size > 0 ? 1 : 0;
    this.#play.add(rules, right);
  }
}

/**
 * A seat's number as people count.
 *
 * @param {number} seat
 */
function counted(seat) {
  return seat + 1;
}
