/**
 * A recorded tournament, followed event by event: hands at the table, and everything between them.
 *
 * @import { Happening } from "./rules/events.js"
 */

import { Contest } from "./contest.js";
import { nextButton } from "./rules/betting.js";
import { isOfAContest, isOfAHand } from "./rules/events.js";
import { must, Refuted, same } from "./rules/refutation.js";
import { hexOf } from "./rules/sha256.js";
import { bytesOf, CARDS, sealOf, shuffled } from "./rules/shuffle.js";
import { Table } from "./table.js";

export class Tournament {
  kind = /** @type {const} */ ("tournament");
  #contest;
  #rules;
  /** The events of the hand that is played. @type {Happening[]} */
  #hand = [];
  #big = 0;
  /** Everything there was to prove, by what it is. @type {Record<string, number>} */
  #count = { decks: 0, cards: 0, decisions: 0, pots: 0, sides: 0, odd: 0, showdowns: 0 };

  /** @param {Happening} opened */
  constructor(opened) {
    this.#contest = new Contest(opened);
    this.#rules = opened.rules;
  }

  get notes() {
    return this.#contest.notes;
  }

  get count() {
    return { ...this.#count, ...this.#contest.count, games: this.#contest.games };
  }

  /** Whether it came to its end, so that seed, places and prizes could be proved too. */
  get finished() {
    return this.#contest.over;
  }

  /** Whether the last hand breaks off. */
  get open() {
    return this.#hand.length > 0;
  }

  get where() {
    const hand = this.open ? `hand ${this.#contest.hands + 1}` : "";
    return [this.#contest.where, hand].filter(Boolean).join(", ");
  }

  /** @param {Happening} event */
  take(event) {
    if (isOfAHand(event)) {
      this.#takeOfAHand(event);
    } else if (isOfAContest(event)) {
      must(!this.open, "something of the contest happens in the middle of a hand");
      this.#contest.take(event);
      if (event.type === "game_started") this.#big = event.seats.length - 2;
    }
  }

  /** @param {Happening} event */
  #takeOfAHand(event) {
    const begins = event.type === "hand_started";
    if (begins === this.open) {
      throw new Refuted(begins ? "a hand begins within a hand" : "something of a hand happens outside one");
    }
    if (begins) this.#contest.beginHand(event.hand);
    this.#hand.push(event);
    if (event.type === "hand_ended") {
      this.#prove(this.#hand, event);
      this.#hand = [];
    }
  }

  /**
   * @param {Happening[]} events
   * @param {Happening} ended
   */
  #prove(events, ended) {
    const [started] = events;
    const key = bytesOf(ended.deck_key, "the key of the deck");
    const seal = sealOf(key);
    same("the seal that was put on the deck before the hand", started.deck_commitment, seal);
    same("the chips before the hand", started.stacks, this.#contest.stacks);
    const [button, big] = nextButton(this.#rules, this.#big, this.#contest.stacks);
    this.#big = big;
    same("the seat with the button", started.button + 1, button + 1);
    const table = new Table(this.#rules, events, { cards: shuffled(key, CARDS), seal, key: hexOf(key) });
    table.play();
    this.#contest.endHand(ended.stacks, key, table);
    this.#add(table);
  }

  /** @param {Table} table */
  #add({ count }) {
    const all = this.#count;
    all.decks += 1;
    all.cards += count.hole + count.board;
    all.decisions += count.acts;
    all.pots += count.pots;
    all.sides += count.sides;
    all.odd += count.odd;
    all.showdowns += count.showdowns;
  }
}
