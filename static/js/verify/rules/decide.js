/**
 * What follows from a decision: a hand's start, turns, streets and end. Each is a rule that the recording announces.
 *
 * @import { Happening } from "./events.js"
 * @import { Rules } from "./hand.js"
 * @import { Deck } from "./shuffle.js"
 */

import { expected } from "./events.js";
import { evolveHand } from "./evolve.js";
import { blindSeats, dealtOrder, firstToAct, Hand, lapOf, levelOf, nextPoster } from "./hand.js";
import { splitPots } from "./pots.js";
import { ending } from "./showdown.js";

/** @type {Record<string, [string, number, number]>} the street that follows, and which cards of the board it shows */
const NEXT = { preflop: ["flop", 0, 3], flop: ["turn", 3, 4], turn: ["river", 4, 5] };

/** The rules forbid the decision; the text says what was wrong and what is allowed. */
export class IllegalAction extends Error {}

/**
 * The hand after the deal and its blinds, where they are not asked for, and the events that led there.
 *
 * @param {Rules} rules
 * @param {Happening} recorded the start: number, button and stacks count
 * @param {Deck} deck
 * @returns {[Hand, Happening[]]}
 */
export function startHand(rules, recorded, deck) {
  const { hand: number, button, stacks } = recorded;
  const { small, big, ante } = levelOf(rules, number);
  const started = expected("hand_started", {
    ...{ hand: number, button, small_blind: small, big_blind: big, ante, stacks, deck_commitment: deck.commitment },
  });
  const hand = new Hand(rules, started, deck);
  const events = [started];
  forcedBets(hand, events);
  for (const [place, seat] of dealtOrder(hand).entries()) {
    add(hand, events, "hole_dealt", { seat, cards: deck.cards.slice(2 * place, 2 * place + 2) });
  }
  onward(hand, events);
  return [hand, events];
}

/**
 * Whether an event is what a bot decided.
 *
 * @param {Rules} rules
 * @param {Happening} event
 */
export function decides(rules, { type, blind }) {
  return type === "action_taken" || (type === "blind_posted" && rules.blinds === "asked" && blind !== "ante");
}

/**
 * What follows from the decision that led to `taken`, an event for which `decides` is true, up to the next turn or the
 * end. Throws IllegalAction where the rules refuse it.
 *
 * @param {Hand} hand
 * @param {Happening} taken
 */
export function retake(hand, taken) {
  const { turn } = hand;
  if (!turn) throw new IllegalAction("it is nobody's turn");
  const { seat } = turn;
  const mine = hand.seats[seat];
  const action = resolve(hand, turn, taken);
  const amount = action.bet - mine.bet;
  const all_in = amount > 0 && amount === mine.stack;
  /** @type {Happening[]} */
  const events = [];
  if (action.postsBlind) {
    add(hand, events, "blind_posted", { seat, blind: hand.due, amount, all_in });
  } else {
    const { think_ms, fault, declared } = taken;
    const done = { seat, act: action.act, amount, bet: action.bet, all_in, think_ms, fault };
    add(hand, events, "action_taken", declared ? { ...done, declared } : done);
    if (hand.due) add(hand, events, "seat_vacated", { seat, amount: mine.stack });
  }
  onward(hand, events);
  return events;
}

/**
 * @param {Hand} hand
 * @param {Happening[]} events
 * @param {string} type
 * @param {Record<string, any>} fields
 */
function add(hand, events, type, fields) {
  const event = expected(type, fields);
  evolveHand(hand, event);
  events.push(event);
}

/**
 * @param {Hand} hand
 * @param {Happening[]} events
 */
function forcedBets(hand, events) {
  const { rules, seats } = hand;
  const [small, big] = blindSeats(
    rules,
    hand.button,
    seats.map((seat) => seat.stack),
  );
  const post = (/** @type {number} */ seat, /** @type {string} */ blind, /** @type {number} */ due) => {
    const { stack } = seats[seat];
    const amount = Math.min(due, stack);
    if (amount) add(hand, events, "blind_posted", { seat, blind, amount, all_in: amount === stack });
  };
  for (const seat of rules.ante_from === "everyone" ? dealtOrder(hand) : [big]) post(seat, "ante", hand.ante);
  if (hand.due) return;
  post(small, "small", hand.smallBlind);
  post(big, "big", hand.bigBlind);
}

/**
 * What the decision behind a recorded act comes to. Throws IllegalAction where the rules forbid it.
 *
 * @param {Hand} hand
 * @param {Happening} turn
 * @param {Happening} taken
 * @returns {{ act: string, bet: number, postsBlind?: boolean }} `bet` in all on this street
 */
function resolve(hand, turn, taken) {
  const { bet, stack } = hand.seats[turn.seat];
  const postsBlind = taken.type === "blind_posted";
  if (taken.act === "fold" && !taken.declared) return { act: "fold", bet };
  if (turn.blind || postsBlind) return { act: "call", bet: blindTo(turn, taken), postsBlind: true };
  const to = taken.declared ? bet + stack : taken.bet;
  const calls = taken.declared ? !turn.max_raise_to : taken.act === "check" || taken.act === "call";
  const wanted = calls ? hand.currentBet : raisedTo(hand, turn, to);
  const reached = Math.min(wanted, bet + stack);
  if (reached <= hand.currentBet) return { act: reached > bet ? "call" : "check", bet: Math.max(reached, bet) };
  return { act: hand.currentBet ? "raise" : "bet", bet: reached };
}

/**
 * What a blind that was asked for comes to: exactly what was asked.
 *
 * @param {Happening} turn
 * @param {Happening} taken
 */
function blindTo(turn, taken) {
  if (!turn.blind) throw new IllegalAction("no blind is asked for");
  if (taken.type !== "blind_posted" || taken.amount !== turn.to_call) {
    throw new IllegalAction(`the ${turn.blind} blind of ${turn.to_call} is asked for, exactly, and nothing else`);
  }
  return turn.to_call;
}

/**
 * The total that a raise comes to, by the rules for raises outside the range.
 *
 * @param {Hand} hand
 * @param {Happening} turn
 * @param {number} to
 */
function raisedTo({ rules, currentBet }, turn, to) {
  const { min_raise_to: low, max_raise_to: high } = turn;
  switch (rules.raise_out_of_range) {
    case "clamp":
      return high ? Math.min(Math.max(to, currentBet), high) : currentBet;
    case "refuse_low":
      if (to < currentBet) throw new IllegalAction(`a raise to ${to} is below the highest bet, ${currentBet}`);
      return to > currentBet && high ? Math.max(low, Math.min(to, high)) : currentBet;
    default:
      if (!high) throw new IllegalAction("no raise is possible now");
      if (to < low || to > high) throw new IllegalAction(`a raise must be to ${low}..${high}, not ${to}`);
      return to;
  }
}

/**
 * Adds what happens by itself until somebody is asked or the hand is over.
 *
 * @param {Hand} hand
 * @param {Happening[]} events
 */
function onward(hand, events) {
  for (;;) {
    const seat = nextActor(hand);
    if (seat >= 0) {
      add(hand, events, "turn_started", turnOf(hand, seat));
      return;
    }
    closeStreet(hand, events);
    if (hand.live.length === 1 || hand.street === "river") {
      for (const { type, ...fields } of ending(hand)) add(hand, events, type, fields);
      return;
    }
    nextStreet(hand, events);
  }
}

/**
 * Who is asked next; -1: nobody, the street is over.
 *
 * @param {Hand} hand
 */
function nextActor(hand) {
  const { seats, live, lastActor, currentBet } = hand;
  if (live.length === 1) return -1;
  const poster = hand.due ? nextPoster(hand) : -1;
  if (poster >= 0) return poster;
  const askAnyway = hand.rules.ask_when_all_in;
  const withChips = live.filter((at) => seats[at].stack);
  if (withChips.length < 2 && !askAnyway) {
    // The last one with chips is asked before an all-in is settled, but only while there is something to match.
    const most = Math.max(...live.map((at) => seats[at].bet));
    return withChips.find((at) => seats[at].bet < most) ?? -1;
  }
  const mayAct = askAnyway ? live : withChips;
  const from = lastActor < 0 ? firstToAct(hand, hand.street) : lastActor + 1;
  const circle = seats.map((_, step) => (from + step) % seats.length);
  const waits = (/** @type {number} */ at) => !seats[at].acted || (seats[at].stack && seats[at].bet < currentBet);
  return circle.find((at) => mayAct.includes(at) && waits(at)) ?? -1;
}

/**
 * @param {Hand} hand
 * @param {number} seat
 */
function turnOf(hand, seat) {
  const { bet, stack } = hand.seats[seat];
  const { think_ms } = hand.rules;
  if (hand.due) {
    const blind = hand.due === "small" ? hand.smallBlind : hand.bigBlind;
    return { seat, to_call: Math.min(blind, stack), min_raise_to: 0, max_raise_to: 0, think_ms, blind: hand.due };
  }
  const [min_raise_to, max_raise_to] = raiseRange(hand, seat);
  return { seat, to_call: Math.min(hand.currentBet - bet, stack), min_raise_to, max_raise_to, think_ms };
}

/**
 * The least and the highest total a raise of this seat may reach; 0, 0 where it cannot raise.
 *
 * @param {Hand} hand
 * @param {number} at
 * @returns {[number, number]}
 */
function raiseRange(hand, at) {
  const { rules, seats, currentBet } = hand;
  const { bet, stack, acted } = seats[at];
  const oneChip = rules.min_raise === "one_chip";
  // An all-in below a full raise does not let those who have acted raise again, unless one chip is a full raise.
  const isOpen = oneChip || !acted || currentBet - bet >= hand.lastRaise;
  if (!isOpen || (rules.raise_laps && lapOf(hand, at) > rules.raise_laps)) return [0, 0];
  const others = hand.live.filter((other) => other !== at).map((other) => seats[other].bet + seats[other].stack);
  const own = bet + stack;
  const high = rules.bet_cap === "shortest_stack" ? Math.min(own, Math.max(Math.min(...others), currentBet)) : own;
  if (high <= currentBet || Math.max(...others) <= currentBet) return [0, 0];
  return [Math.min(currentBet + (oneChip ? 1 : hand.lastRaise), high), high];
}

/**
 * @param {Hand} hand
 * @param {Happening[]} events
 */
function closeStreet(hand, events) {
  const committed = hand.seats.map((seat) => seat.committed);
  const [top, second] = [...committed].sort((one, other) => other - one);
  if (top > second) add(hand, events, "bet_returned", { seat: committed.indexOf(top), amount: top - second });
  const pots = splitPots(
    hand.seats.map((seat) => seat.committed),
    hand.live,
    hand.dead,
  );
  if (JSON.stringify(pots) !== JSON.stringify(hand.pots)) add(hand, events, "bets_collected", { pots });
}

/**
 * @param {Hand} hand
 * @param {Happening[]} events
 */
function nextStreet(hand, events) {
  const [street, from, to] = NEXT[hand.street];
  const used = 2 * dealtOrder(hand).length;
  add(hand, events, "street_dealt", { street, cards: hand.deck.cards.slice(used + from, used + to) });
}
