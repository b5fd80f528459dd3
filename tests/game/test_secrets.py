"""What a seat may know does not depend on cards that it may not see.

Two decks differ in all cards that are hidden from a seat at some moment: other seats' cards, undealt cards of the
board, and the remaining deck. Until then, the same decisions must give the same views, public events and refusals.
"""

import random

import pytest

from server.game.betting import resolve, start_hand, take_turn
from server.game.cards import Deck
from server.game.decisions import Decision, IllegalAction, RaiseTo
from server.game.events import Event, HoleDealt
from server.game.hand import Hand, next_blind
from server.game.rules import Rules
from server.game.view import view_of
from tests.game.random_hands import RULES, random_decision, random_deck, random_stacks

PAIRS = 3_000
"""The number of pairs of decks. The benchmark of the promises tries ten thousand."""


@pytest.mark.parametrize("contest", RULES)
def test_hidden_cards_change_nothing_that_a_seat_may_know(contest: str) -> None:
    assert count_leaks(RULES[contest], random.Random(contest), PAIRS // len(RULES) + 1) == 0


def count_leaks(rules: Rules, dice: random.Random, pairs: int) -> int:
    """Tries `pairs` pairs of decks; returns how many of them reveal something hidden."""
    leaks = tried = 0
    while tried < pairs:
        stacks = random_stacks(dice, rules.levels[0].big)
        deck = random_deck(dice)
        hand, decisions = play_some_turns(dice, rules, stacks, deck)
        if hand.over:  # right after the blinds
            continue
        tried += 1
        eyes = dice.choice([at for at, seat in enumerate(hand.seats) if seat.dealt_in])
        other = shuffle_hidden_cards(dice, hand, eyes)
        assert other != deck
        leaks += known_to(eyes, rules, stacks, deck, decisions) != known_to(eyes, rules, stacks, other, decisions)
    return leaks


def play_some_turns(dice: random.Random, rules: Rules, stacks: list[int], deck: Deck) -> tuple[Hand, list[Decision]]:
    """Plays up to 20 turns, but not the last one; returns the hand and the decisions so far."""
    hand, _ = start_hand(rules, 1, button_of(rules, stacks), stacks, deck)
    decisions: list[Decision] = []
    for _ in range(dice.randint(0, 20)):
        if hand.over:
            break
        decision = random_decision(dice, hand)
        following, _ = take_turn(hand, decision)
        if following.over:
            break
        hand = following
        decisions.append(decision)
    return hand, decisions


def shuffle_hidden_cards(dice: random.Random, hand: Hand, eyes: int) -> Deck:
    """Shuffles the cards of the deck that seat `eyes` cannot see."""
    seen = {*hand.seats[eyes].cards, *hand.board}
    unseen = [card for card in hand.deck.cards if card not in seen]
    rest = iter(dice.sample(unseen, len(unseen)))
    return Deck(tuple(card if card in seen else next(rest) for card in hand.deck.cards))


def known_to(eyes: int, rules: Rules, stacks: list[int], deck: Deck, decisions: list[Decision]) -> list[object]:
    """Returns everything that seat `eyes` may know while these decisions are made."""
    hand, events = start_hand(rules, 1, button_of(rules, stacks), stacks, deck)
    known: list[object] = [public(eyes, events), view_of(hand, eyes, 1, ())]
    for decision in decisions:
        known.append(refusal(hand))
        hand, events = take_turn(hand, decision)
        known += public(eyes, events), view_of(hand, eyes, 1, ())
    return known


def public(eyes: int, events: list[Event]) -> list[Event]:
    """Returns the events without the hole cards of other seats."""
    return [event for event in events if not isinstance(event, HoleDealt) or event.seat == eyes]


def refusal(hand: Hand) -> str:
    """Returns the message that refuses a raise to -1, which no rules allow."""
    try:
        resolve(hand, RaiseTo(-1))
    except IllegalAction as error:
        return str(error)
    return ""


def button_of(rules: Rules, stacks: list[int]) -> int:
    return next_blind(rules, 0, stacks)[0]
