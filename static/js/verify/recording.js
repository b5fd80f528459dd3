/**
 * A recorded tournament, followed event by event: hands at the table, and everything between them.
 *
 * @import { Happening } from "./rules/events.js"
 */

import { take } from "./contest.js";
import { Play } from "./counts.js";
import { Course } from "./course.js";
import { beginHand, endHand } from "./games.js";
import { replay } from "./hands.js";
import { isOfAContest, isOfAHand } from "./rules/events.js";
import { nextBlind } from "./rules/hand.js";
import { keyIn, must, same } from "./rules/refutation.js";
import { deckOf } from "./rules/shuffle.js";

export class Tournament {
  kind = /** @type {const} */ ("tournament");
  #course;
  #rules;
  /** The events of the hand that is played. @type {Happening[]} */
  #hand = [];
  #big = 0;
  #decks = 0;
  #play = new Play();

  /**
   * Throws Refuted where no tournament is opened, or its entrants cannot be right.
   *
   * @param {Happening} opened
   */
  constructor(opened) {
    must(opened.type === "tournament_opened", "the recording does not begin with the opening of a tournament");
    this.#course = new Course(opened);
    this.#rules = opened.rules;
  }

  get notes() {
    return this.#course.notes;
  }

  get count() {
    return { decks: this.#decks, ...this.#play, ...this.#course.count };
  }

  /** Whether it came to its end, so that seed, places and prizes could be proved too. */
  get finished() {
    return this.#course.over;
  }

  /** Whether the last hand breaks off. */
  get open() {
    return this.#hand.length > 0;
  }

  get where() {
    const hand = this.open ? `hand ${this.#course.hands + 1}` : "";
    return [this.#course.where, hand].filter(Boolean).join(", ");
  }

  /**
   * Checks the next event. Throws Refuted where it cannot be right.
   *
   * @param {Happening} event
   */
  take(event) {
    if (isOfAHand(event)) {
      this.#takeOfAHand(event);
    } else if (isOfAContest(event)) {
      must(!this.open, "something of the contest happens in the middle of a hand");
      take(this.#course, event);
      if (event.type === "game_started") this.#big = event.seats.length - 2;
    }
  }

  /** @param {Happening} event */
  #takeOfAHand(event) {
    const begins = event.type === "hand_started";
    const words = begins ? "a hand begins within a hand" : "something of a hand happens outside one";
    must(begins !== this.open, words);
    if (begins) beginHand(this.#course, event.hand);
    this.#hand.push(event);
    if (event.type === "hand_ended") {
      this.#checkHand(this.#hand, event);
      this.#hand = [];
    }
  }

  /**
   * @param {Happening[]} events
   * @param {Happening} ended
   */
  #checkHand(events, ended) {
    const [started] = events;
    const key = keyIn(ended.deck_key, "the key of the deck");
    const deck = deckOf(key);
    same("the seal that was put on the deck before the hand", started.deck_commitment, deck.commitment);
    same("the stacks before the hand", started.stacks, this.#course.stacks);
    const [button, big] = nextBlind(this.#rules, this.#big, started.stacks);
    same("the seat with the button", started.button + 1, button + 1);
    const [hand, replayed] = replay(this.#rules, events, deck);
    this.#big = this.#rules.edition > 1 ? hand.closing : big;
    endHand(this.#course, ended.stacks, key, hand);
    this.#play.add(this.#rules, replayed);
    this.#decks += 1;
  }
}
