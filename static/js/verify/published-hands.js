/**
 * Checks hands that others have published. They have no sealed deck and no seed, but each is played again with its
 * cards and decisions.
 *
 * @import { Happening } from "./rules/events.js"
 */

import { checkNames } from "./names.js";
import { isOfAHand } from "./rules/events.js";
import { rankingOf } from "./rules/ranking.js";
import { must, same } from "./rules/refutation.js";
import { CARDS } from "./rules/shuffle.js";
import { Table } from "./table.js";

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

/**
 * Plays a published hand to its end; returns the table, and whether some cards are not known. Throws Refuted.
 *
 * @param {Record<string, any>} rules
 * @param {readonly Happening[]} events from its start to its end
 */
function playPublished(rules, events) {
  const [started] = events;
  const ended = events[events.length - 1];
  same("the seal and the key of the deck", [started.deck_commitment, ended.deck_key], ["", ""]);
  const { small_blind: small, big_blind: big, ante } = started;
  const known = knownOf(events);
  areCards([...known.board, ...[...known.hole.values()].flat()]);
  const deck = { cards: deckFor(started, known), seal: "", key: "" };
  const table = new Table({ ...rules, levels: [{ small, big, ante }] }, events, deck, known.unknown);
  table.play();
  return { table, concealed: known.unknown.size > 0 };
}

/** @param {readonly string[]} cards */
function areCards(cards) {
  for (const card of cards) must(CARDS.includes(card), `there is no card ${card}`);
  must(new Set(cards).size === cards.length, "a card comes twice");
}

/**
 * A deck that deals the known cards, and the weakest ones to seats that do not show theirs at the end.
 *
 * @param {Happening} started
 * @param {Known} known
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
  const count = stacks.length;
  const circle = stacks.map((_, step) => (((started.button + 1 + step) % count) + count) % count);
  const dealt = circle.flatMap((seat) => {
    if (!stacks[seat]) return [];
    const cards = hole.get(seat);
    must(cards, `seat ${seat + 1} has chips, but got no cards`);
    return cards;
  });
  return [...dealt, ...known.board, ...rest];
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

/** Follows a recording of published hands. */
export class Published {
  kind = /** @type {const} */ ("published");
  finished = true;
  /** @type {string[]} */
  notes = [];
  /** @type {Record<string, number>} */
  count = { hands: 0, concealed: 0, cards: 0, decisions: 0, pots: 0, sides: 0, odd: 0, showdowns: 0 };
  open = false;
  #opened;
  /** @type {Happening | null} */
  #game = null;
  /** @type {Happening[]} from the last hand's start on */
  #events = [];
  /** @type {number[]} */
  #stacks = [];

  /** @param {Happening} opened */
  constructor(opened) {
    this.#opened = opened;
    checkNames(opened.entrants);
  }

  get where() {
    const game = this.#game ? `game ${this.#game.game}` : "";
    return [game, this.open ? `hand ${this.count.hands + 1} of the file` : ""].filter(Boolean).join(", ");
  }

  /** @param {Happening} event */
  take(event) {
    this.open ||= event.type === "hand_started";
    must(this.open || BETWEEN.includes(event.type), "something of a hand happens outside one");
    if (isOfAHand(event)) this.#takeOfAHand(event);
    else this.#takeBetween(event);
  }

  /** @param {Happening} event */
  #takeBetween(event) {
    if (event.type === "tournament_opened") {
      this.#opened = event;
      checkNames(event.entrants);
    }
    if (event.type === "game_ended") same("the chips at the end of the game", event.stacks, this.#stacks);
    if (event.type !== "game_started") return;
    same("the number of stacks", event.stacks.length, event.seats.length);
    this.#game = event;
  }

  /** @param {Happening} event */
  #takeOfAHand(event) {
    if (event.type === "hand_started") this.#events = [];
    this.#events.push(event);
    if (event.type !== "hand_ended") return;
    const [started] = this.#events;
    same("how many sit at the table", started.stacks.length, this.#game?.seats.length ?? 0);
    this.#add(playPublished(this.#opened.rules, this.#events));
    this.#stacks = event.stacks;
    this.open = false;
  }

  /** @param {{ table: Table, concealed: boolean }} played */
  #add({ table: { count }, concealed }) {
    const all = this.count;
    all.hands += 1;
    all.concealed += concealed ? 1 : 0;
    all.cards += count.hole + count.board;
    all.decisions += count.acts;
    all.pots += count.pots;
    all.sides += count.sides;
    all.odd += count.odd;
    all.showdowns += count.showdowns;
  }
}
