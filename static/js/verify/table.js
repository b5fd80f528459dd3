/**
 * One hand, dealt and bet anew by the rules that the recording announces. Each event that must come is held against the
 * one that is recorded; what a bot decided is taken from there, if it was allowed.
 *
 * @import { Happening } from "./rules/events.js"
 * @typedef {{ stack: number, bet: number, paid: number, cards: readonly string[], dealt: boolean, folded: boolean,
 *   acted: boolean }} Chair `bet` on this street, `paid` in this hand
 * @typedef {{ cards: readonly string[], seal: string, key: string }} Deck
 * @typedef {{ amount: number, seats: number[] }} Pot
 */

import { acted, blindSeats, blindTo, lapOf, levelOf, nextActor, raiseRange } from "./rules/betting.js";
import { expected } from "./rules/events.js";
import { payout, splitPots } from "./rules/prizes.js";
import { must, Refuted, same } from "./rules/refutation.js";
import { difference } from "./rules/words.js";

/** There are not cards for a quarter of them. */
const MOST_SEATS = 100;
/** @type {Record<string, [string, number, number]>} */
const NEXT = { preflop: ["flop", 0, 3], flop: ["turn", 3, 4], turn: ["river", 4, 5] };

export class Table {
  street = "preflop";
  /** @type {string[]} */
  board = [];
  bet = 0;
  lap = 1;
  lastActor = -1;
  aggressor = -1;
  asked = -1;
  /** Chips of the pot that are nobody's bet. */
  dead = 0;
  /** @type {Pot[]} */
  pots = [];
  /** @type {Happening | null} */
  turn = null;
  /** Chips that left the table with who was unseated. */
  gone = 0;
  /** The seat whose fault cost it the game, where faults cost that; -1: nobody's. */
  lost = -1;
  fault = "";
  /** What there was to prove in this hand. */
  count = { acts: 0, hole: 0, board: 0, pots: 0, sides: 0, odd: 0, showdowns: 0 };
  #recorded;
  #at = 0;
  #unknown;

  /**
   * @param {Record<string, any>} rules
   * @param {readonly Happening[]} recorded from the start of the hand to its end
   * @param {Deck} deck
   * @param {ReadonlySet<number>} unknown the seats whose cards the recording does not know
   */
  constructor(rules, recorded, deck, unknown = new Set()) {
    const [started] = recorded;
    /** @type {number[]} */
    const stacks = started.stacks;
    must(stacks.length <= MOST_SEATS, `${stacks.length} sit at one table`);
    must(stacks.filter((stack) => stack > 0).length > 1, "cards are dealt to fewer than two");
    this.rules = rules;
    this.deck = deck;
    this.number = started.hand;
    this.button = started.button;
    this.level = levelOf(rules, started.hand);
    this.#recorded = recorded;
    this.#unknown = unknown;
    /** @type {Chair[]} */
    this.chairs = stacks.map((stack) => ({
      ...{ stack, bet: 0, paid: 0, cards: [], dealt: stack > 0, folded: false, acted: false },
    }));
    this.bigBlind = started.big_blind;
    this.lastRaise = started.big_blind;
    /** The blind that is asked for next, where blinds are asked for. */
    this.due = rules.blinds === "asked" ? "small" : "";
    /** The seat that closes the betting before the flop. */
    this.closing = blindSeats(rules, this.button, stacks)[1];
  }

  /** Plays the hand to its end. Throws Refuted where the recording has it otherwise. */
  play() {
    const { small, big, ante } = this.level;
    const stacks = this.chairs.map((chair) => chair.stack);
    const [hand, button, seal] = [this.number, this.button, this.deck.seal];
    this.#tell("hand_started", {
      ...{ hand, button, small_blind: small, big_blind: big, ante, stacks, deck_commitment: seal },
    });
    this.#forcedBets();
    for (const [place, seat] of this.dealt.entries()) {
      const cards = this.deck.cards.slice(2 * place, 2 * place + 2);
      this.chairs[seat].cards = cards;
      this.count.hole += this.#unknown.has(seat) ? 0 : cards.length;
      this.#tell("hole_dealt", { seat, cards });
    }
    for (let over = this.#onward(); !over; over = this.#onward()) this.#decide();
    same("the number of things that happen in the hand", this.#recorded.length, this.#at);
  }

  /** The seats that got cards, in the order in which they got them. */
  get dealt() {
    const count = this.chairs.length;
    const circle = this.chairs.map((_, step) => (((this.button + 1 + step) % count) + count) % count);
    return circle.filter((seat) => this.chairs[seat].dealt);
  }

  /** The seats that can still win the pot. */
  get live() {
    return [...this.chairs.keys()].filter((seat) => this.chairs[seat].dealt && !this.chairs[seat].folded);
  }

  /**
   * @param {string} type
   * @param {Record<string, any>} fields
   */
  #tell(type, fields) {
    if (this.#unknown.has(fields.seat)) {
      if (type === "hand_shown") return;
      if (type === "hole_dealt") fields.cards = ["", ""];
    }
    const right = expected(type, fields);
    const at = this.#at++;
    const recorded = this.#recorded[at];
    if (JSON.stringify(recorded) !== JSON.stringify(right)) throw new Refuted(difference(recorded, right), at);
  }

  #forcedBets() {
    const { small, big, ante } = this.level;
    const stacks = this.chairs.map((chair) => chair.stack);
    const [first, second] = blindSeats(this.rules, this.button, stacks);
    for (const seat of this.rules.ante_from === "everyone" ? this.dealt : [second]) this.#post(seat, "ante", ante);
    if (this.due) return;
    this.#post(first, "small", small);
    this.#post(second, "big", big);
  }

  /**
   * @param {number} seat
   * @param {string} blind
   * @param {number} due
   */
  #post(seat, blind, due) {
    const chair = this.chairs[seat];
    const amount = Math.min(due, chair.stack);
    if (!amount) return;
    this.#tell("blind_posted", { seat, blind, amount, all_in: amount === chair.stack });
    chair.stack -= amount;
    if (blind === "ante" && this.rules.ante_from === "big_blind") {
      this.dead += amount;
      return;
    }
    chair.paid += amount;
    if (blind === "ante") return;
    chair.bet += amount;
    this.bet = this.bigBlind; // in full, even if posted short
  }

  /** What happens by itself until somebody is asked; whether the hand is over then. */
  #onward() {
    for (;;) {
      const seat = nextActor(this);
      if (seat >= 0) {
        this.#ask(seat);
        return false;
      }
      this.#closeStreet();
      if (this.live.length === 1 || this.street === "river") {
        this.#finish();
        return true;
      }
      this.#dealStreet();
    }
  }

  /** @param {number} seat */
  #ask(seat) {
    const chair = this.chairs[seat];
    const think_ms = this.rules.think_ms;
    if (this.due) {
      const blind = this.due === "small" ? this.level.small : this.bigBlind;
      const to_call = Math.min(blind, chair.stack);
      this.turn = expected("turn_started", {
        ...{ seat, to_call, min_raise_to: 0, max_raise_to: 0, think_ms, blind: this.due },
      });
    } else {
      const [low, high] = raiseRange(this, seat);
      const to_call = Math.min(this.bet - chair.bet, chair.stack);
      this.turn = expected("turn_started", { seat, to_call, min_raise_to: low, max_raise_to: high, think_ms });
    }
    this.#tell("turn_started", this.turn);
    this.lap = lapOf(this, seat);
  }

  /** The decision that is recorded, if the rules allow it. */
  #decide() {
    const turn = this.turn;
    const taken = this.#recorded[this.#at];
    if (!turn) throw new RangeError("a decision follows a turn");
    this.count.acts += 1;
    if (taken?.type === "blind_posted" && taken.blind !== "ante") this.#postAsked(turn, taken);
    else if (taken?.type === "action_taken") this.#act(turn, taken);
    else throw new Refuted("a bot has to decide, but the recording goes on without its decision", this.#at);
    this.turn = null;
  }

  /**
   * @param {Happening} turn
   * @param {Happening} taken
   */
  #postAsked(turn, taken) {
    const { seat } = turn;
    const amount = blindTo(turn, taken.amount);
    const chair = this.chairs[seat];
    this.#tell("blind_posted", { seat, blind: this.due, amount, all_in: amount === chair.stack });
    chair.stack -= amount;
    chair.bet += amount;
    chair.paid += amount;
    if (amount) this.bet = this.bigBlind;
    if (!amount) return;
    this.asked = seat;
    if (this.due === "small") this.due = "big";
    else {
      this.due = "";
      this.closing = seat;
      this.lap = 1;
      this.lastActor = -1;
    }
  }

  /**
   * @param {Happening} turn
   * @param {Happening} taken
   */
  #act(turn, taken) {
    const { seat } = turn;
    const chair = this.chairs[seat];
    const { act, bet } = acted(this, turn, taken);
    const amount = bet - chair.bet;
    const { think_ms, fault } = taken;
    const all_in = amount > 0 && amount === chair.stack;
    this.#tell("action_taken", { seat, act, amount, bet, all_in, think_ms, fault });
    const raisedBy = bet - this.bet;
    chair.stack -= amount;
    chair.bet = bet;
    chair.paid += amount;
    chair.folded = act === "fold";
    chair.acted = true;
    if (fault && this.rules.fault_costs === "game") [this.lost, this.fault] = [seat, fault];
    this.lastActor = seat;
    if (raisedBy > 0) this.#raised(seat, raisedBy);
    if (!this.due) return;
    this.#tell("seat_vacated", { seat, amount: chair.stack });
    this.gone += chair.stack;
    chair.stack = 0;
    this.due = "big";
    this.asked = seat;
  }

  /**
   * A full raise lets everybody act again.
   *
   * @param {number} by
   * @param {number} seat
   */
  #raised(seat, by) {
    if (this.rules.min_raise === "one_chip" || by >= this.lastRaise) {
      for (const [other, chair] of this.chairs.entries()) chair.acted = other === seat;
    }
    this.aggressor = seat;
    this.bet = this.chairs[seat].bet;
    this.lastRaise = Math.max(this.lastRaise, by);
  }

  #closeStreet() {
    const paid = this.chairs.map((chair) => chair.paid);
    const [top, second] = [...paid].sort((one, other) => other - one);
    if (top > second) {
      const seat = paid.indexOf(top);
      const amount = top - second;
      this.#tell("bet_returned", { seat, amount });
      const chair = this.chairs[seat];
      chair.stack += amount;
      chair.bet -= amount;
      chair.paid -= amount;
    }
    const pots = splitPots(
      this.chairs.map((chair) => chair.paid),
      this.live,
      this.dead,
    );
    if (JSON.stringify(pots) === JSON.stringify(this.pots)) return; // nobody bet and nobody folded
    this.#tell("bets_collected", { pots });
    this.pots = pots;
    this.bet = 0;
    for (const chair of this.chairs) chair.bet = 0;
  }

  #dealStreet() {
    const [street, from, to] = NEXT[this.street];
    const used = 2 * this.dealt.length;
    const cards = this.deck.cards.slice(used + from, used + to);
    this.#tell("street_dealt", { street, cards });
    this.count.board += cards.length;
    this.street = street;
    this.board.push(...cards);
    this.due = "";
    this.bet = 0;
    this.lastRaise = this.bigBlind;
    this.lap = 1;
    this.lastActor = -1;
    for (const chair of this.chairs) chair.acted = false;
  }

  #finish() {
    const { shown, awarded } = payout(this);
    for (const each of shown) this.#tell("hand_shown", each);
    for (const pot of awarded) {
      this.#tell("pot_awarded", pot);
      for (const { seat, amount } of pot.awards) this.chairs[seat].stack += amount;
    }
    this.#tell("hand_ended", { stacks: this.chairs.map((chair) => chair.stack), deck_key: this.deck.key });
    this.count.pots = awarded.length;
    this.count.sides = Math.max(awarded.length - 1, 0);
    this.count.odd = awarded.filter((pot) => pot.amount % pot.awards.length).length;
    this.count.showdowns = this.live.length > 1 ? 1 : 0;
  }
}
