/**
 * Proves the cards of one hand: they came off the deck in the right order, and only cards that were dealt were shown.
 *
 * @import { RecordedEvent } from "./events.js"
 */

import { expectEqual, expectTrue } from "./refutation.js";

/** The maximum number of seats at a table, far more than a deck has cards for. */
const MAX_SEATS = 100;
/** The streets in their order, and how many board cards each street adds. */
const STREETS = Object.entries({ flop: 3, turn: 1, river: 1 });

/** Collects the cards of a hand from its events. */
export class DealtHand {
  /** The seats that got cards, with these cards, in the order of the deal. @type {[number, string[]][]} */
  #hole = [];
  /** @type {[string, string[]][]} */
  #streets = [];
  /** @type {RecordedEvent[]} */
  #shownHands = [];
  #button;
  #stacks;

  /** Throws Refuted if too many bots are at the table, or too few have chips. @param {RecordedEvent} started */
  constructor({ hand, button, stacks, deck_commitment }) {
    expectTrue(stacks.length <= MAX_SEATS, `${stacks.length} bots sit at one table`);
    this.number = hand;
    this.commitment = deck_commitment;
    this.#button = button;
    this.#stacks = stacks;
    expectTrue(this.#dealOrder().length > 1, "cards are dealt to fewer than two bots");
  }

  /** @param {RecordedEvent} event of the hand */
  apply(event) {
    if (event.type === "hole_dealt") this.#hole.push([event.seat, event.cards]);
    else if (event.type === "street_dealt") this.#streets.push([event.street, event.cards]);
    else if (event.type === "hand_shown") this.#shownHands.push(event);
  }

  /** The number of known cards. */
  get cards() {
    return this.#allCards().filter(Boolean).length;
  }

  /** Whether some cards are unknown, because nobody had to show them. */
  get concealed() {
    return this.#allCards().some((card) => !card);
  }

  /** Throws Refuted unless all cards came off the top of the deck, in order. @param {readonly string[]} deck */
  checkDeal(deck) {
    const seats = this.#hole.map(([seat]) => seat + 1);
    const expected = this.#dealOrder().map((seat) => seat + 1);
    expectEqual("the seats that get cards, in the order of the deal,", seats, expected);
    for (const [index, [seat, cards]] of this.#hole.entries()) {
      expectEqual(`the cards of seat ${seat + 1}`, cards, deck.slice(2 * index, 2 * index + 2));
    }
    let used = 2 * this.#hole.length;
    for (const [index, [street, cards]] of this.#streets.entries()) {
      const [name, count] = STREETS[index] ?? ["nothing", 0];
      expectEqual("the next street", street, name);
      expectEqual(`the ${street}`, cards, deck.slice(used, used + count));
      used += count;
    }
    this.checkShown();
  }

  /** Throws Refuted if a card is dealt twice, or if cards are shown that were not dealt. */
  checkShown() {
    const known = this.#allCards().filter(Boolean);
    expectTrue(new Set(known).size === known.length, "a card is dealt twice");
    const hole = new Map(this.#hole);
    const board = this.#streets.flatMap(([, cards]) => cards);
    for (const { seat, cards, best } of this.#shownHands) {
      const dealt = hole.get(seat) ?? [];
      expectEqual(`the cards that seat ${seat + 1} shows`, cards, dealt);
      const available = [...dealt, ...board];
      expectTrue(
        best.every((/** @type {string} */ card) => available.includes(card)),
        `seat ${seat + 1} shows a best hand with a card that it does not have`,
      );
    }
  }

  /** The seats that get cards, from the button's left. */
  #dealOrder() {
    const seats = [...this.#stacks.keys()];
    const next = this.#button + 1;
    return [...seats.slice(next), ...seats.slice(0, next)].filter((seat) => this.#stacks[seat] > 0);
  }

  #allCards() {
    return [...this.#hole, ...this.#streets].flatMap(([, cards]) => cards);
  }
}
