"""Promises of the engine, under all rules: chips are conserved, hands can be repeated, hidden cards stay hidden.

To test that seats see no hidden cards, each hand is played with two decks. At some moment, one seat cannot see any of
the cards in which they differ. Until then, the same decisions must give it the same views, public events and refusals.
The benchmarks in `tests/bench/promised/hands.py` try far more hands.
"""

import hashlib
import os
import random
import subprocess
import sys

import msgspec
import pytest

from server.game.betting import resolve, start_hand, take_turn
from server.game.cards import Deck
from server.game.decisions import Decision, IllegalAction, RaiseTo
from server.game.events import BetsCollected, BlindPosted, Event, GameEnded, HandEnded, HoleDealt
from server.game.hand import Hand, evolve, next_button_and_blind
from server.game.rules import Level, Rules
from server.game.view import view_of
from tests.game.random_hands import RULES, random_decision, random_deck, random_hand, random_stacks
from tests.game.table import deal, money
from tests.support.games.contests import play_contest
from tests.support.source_files import ROOT

HANDS = 6_000


@pytest.mark.parametrize("contest", RULES)
def test_chips_are_conserved_after_every_event(contest: str) -> None:
    play_conserving(RULES[contest], random.Random(contest), HANDS // len(RULES) + 1)


def play_conserving(rules: Rules, dice: random.Random, hands: int) -> None:
    """Plays `hands` random hands. Raises AssertionError if a chip is made or lost."""
    for _ in range(hands):
        hand, events = random_hand(dice, rules)
        chips = money(hand)
        for event in events:
            hand = evolve(hand, event)
            assert money(hand) == chips, event
            if type(event) is BetsCollected:
                assert sum(pot.amount for pot in hand.pots) == sum(seat.committed for seat in hand.seats)
            elif type(event) is HandEnded:
                assert sum(event.stacks) == chips
        assert hand.over
        assert min(seat.stack for seat in hand.seats) >= 0


def test_two_processes_with_different_hash_seeds_play_the_same_100_games() -> None:
    first, second = (play_in_new_process(hash_seed) for hash_seed in ("1", "2"))
    assert first == second
    assert len(first) == 64


def play_in_new_process(hash_seed: str) -> str:
    script = "from tests.game.test_engine_promises import digest_of_games; print(digest_of_games())"
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def digest_of_games() -> str:
    """Plays contests with a hundred games in all; returns the SHA-256 of their events."""
    played = [entry.event for dice in range(40) for entry in play_contest(dice)]
    assert sum(isinstance(event, GameEnded) for event in played) >= 100
    return hashlib.sha256(msgspec.json.encode(played)).hexdigest()


def play(dice: random.Random, started: tuple[Hand, list[Event]]) -> tuple[Hand, list[Event]]:
    hand, events = started
    while not hand.over:
        hand, following = take_turn(hand, random_decision(dice, hand))
        events += following
    return hand, events


def begin(dice: random.Random, contest: str) -> tuple[Hand, list[Event]]:
    rules = RULES[contest]
    stacks = random_stacks(dice, rules.levels[0].big)
    button, _ = next_button_and_blind(rules, 0, stacks)
    return start_hand(rules, dice.randint(1, 9), button, stacks, random_deck(dice))


PAIRS = 3_000
"""The number of pairs of decks. The benchmark tries ten thousand."""


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
        if hand.over:  # after the blinds, nobody could act
            continue
        tried += 1
        eyes = dice.choice([at for at, seat in enumerate(hand.seats) if seat.dealt_in])
        other = shuffle_hidden_cards(dice, hand, eyes)
        assert other != deck
        leaks += known_to(eyes, rules, stacks, deck, decisions) != known_to(eyes, rules, stacks, other, decisions)
    return leaks


def play_some_turns(dice: random.Random, rules: Rules, stacks: list[int], deck: Deck) -> tuple[Hand, list[Decision]]:
    """Plays up to 20 turns, but not the last one of the hand; returns the hand and the decisions so far."""
    hand, _ = start_hand(rules, 1, next_button_and_blind(rules, 0, stacks)[0], stacks, deck)
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
    """Returns what seat `eyes` gets while `decisions` are made: views, events, and the text that refuses a raise to
    -1.
    """
    hand, events = start_hand(rules, 1, next_button_and_blind(rules, 0, stacks)[0], stacks, deck)
    known: list[object] = []
    for decision in [*decisions, None]:
        known += [event for event in events if not isinstance(event, HoleDealt) or event.seat == eyes]
        known.append(view_of(hand, eyes, 1, ()))
        if decision:
            try:
                resolve(hand, RaiseTo(-1))
            except IllegalAction as error:
                known.append(str(error))
            hand, events = take_turn(hand, decision)
    return known


def test_big_blind_alone_posts_a_big_blind_ante() -> None:
    table = deal("500 500 500", rules=Rules(levels=(Level(50, 100, 10),), ante_from="big_blind"))
    posted = [(each.seat, each.blind, each.amount) for each in table.events if isinstance(each, BlindPosted)]
    assert posted == [(2, "ante", 10), (1, "small", 50), (2, "big", 100)]
    with pytest.raises(msgspec.ValidationError, match="hand_cap"):
        msgspec.json.decode(b'{"hand_cap": 0}', type=Rules)


def test_all_ins_that_add_up_to_a_full_raise_reopen_the_betting() -> None:
    table = deal("5000 400 500 5000 5000", rules=RULES["standard"]).play("raise:300 all-in all-in call fold")
    assert (table.turn.seat, table.raises) == (0, (700, 5000))
    table = deal("50 31 50 50", rules=Rules(levels=(Level(1, 2),), min_raise="one_chip")).play(
        "raise:30 all-in call fold"
    )
    assert table.raises == (32, 50), "if a raise by one chip is a full raise, so is every all-in above the bet"
