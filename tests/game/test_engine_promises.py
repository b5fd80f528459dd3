"""Under all rules, chips are conserved and hidden cards stay hidden. Equal seeds give equal games in all processes."""

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
from server.game.events import BetsCollected, BlindPosted, GameEnded, HandEnded, HoleDealt
from server.game.hand import Hand, evolve, next_button_and_blind
from server.game.rules import Level, Rules
from server.game.view import view_of
from tests.game.random_hands import RULES, random_decision, random_deck, random_hand, random_stacks
from tests.game.table import count_chips, deal
from tests.support.games.contests import play_contest
from tests.support.source_files import ROOT


@pytest.mark.parametrize("contest", RULES)
def test_chips_are_conserved_after_every_event(contest: str) -> None:
    play_and_count_chips(RULES[contest], random.Random(contest), 6_000 // len(RULES) + 1)


def play_and_count_chips(rules: Rules, dice: random.Random, hands: int) -> None:
    """Plays `hands` random hands. Fails if a hand gains or loses a chip."""
    for _ in range(hands):
        hand, events = random_hand(dice, rules)
        chips = count_chips(hand)
        for event in events:
            hand = evolve(hand, event)
            assert count_chips(hand) == chips, event
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
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.check_output([sys.executable, "-c", script], cwd=ROOT, env=environment, text=True).strip()


def digest_of_games() -> str:
    """Plays contests with at least a hundred games in all, and returns the SHA-256 of their events."""
    events = [entry.event for seed in range(40) for entry in play_contest(seed)]
    assert sum(isinstance(event, GameEnded) for event in events) >= 100
    return hashlib.sha256(msgspec.json.encode(events)).hexdigest()


@pytest.mark.parametrize("contest", RULES)
def test_seat_learns_nothing_about_hidden_cards(contest: str) -> None:
    assert count_leaks(RULES[contest], random.Random(contest), 3_000 // len(RULES) + 1) == 0


def count_leaks(rules: Rules, dice: random.Random, pairs: int) -> int:
    """Plays pairs of decks that differ only in cards hidden from a seat. Counts the pairs that the seat tells apart."""
    leaks = count = 0
    while count < pairs:
        stacks = random_stacks(dice, rules.levels[0].big)
        deck = random_deck(dice)
        hand, decisions = play_some_turns(dice, rules, stacks, deck)
        if hand.over:  # The blinds put the bots all-in, so nobody could act.
            continue
        count += 1
        viewer = dice.choice([index for index, seat in enumerate(hand.seats) if seat.dealt_in])
        other_deck = shuffle_hidden_cards(dice, hand, viewer)
        assert other_deck != deck
        news, other_news = (news_of(viewer, rules, stacks, cards, decisions) for cards in (deck, other_deck))
        leaks += news != other_news
    return leaks


def play_some_turns(dice: random.Random, rules: Rules, stacks: list[int], deck: Deck) -> tuple[Hand, list[Decision]]:
    """Plays up to 20 actions, but stops before one that ends the hand. Returns the hand and the decisions so far."""
    hand, _ = start_hand(rules, 1, next_button_and_blind(rules, 0, stacks)[0], stacks, deck)
    decisions: list[Decision] = []
    for _ in range(dice.randint(0, 20)):
        if hand.over:
            break
        decision = random_decision(dice, hand)
        hand_after, _ = take_turn(hand, decision)
        if hand_after.over:
            break
        hand = hand_after
        decisions.append(decision)
    return hand, decisions


def shuffle_hidden_cards(dice: random.Random, hand: Hand, viewer: int) -> Deck:
    """Returns the hand's deck after shuffling the cards that seat `viewer` cannot see."""
    visible = {*hand.seats[viewer].cards, *hand.board}
    hidden = [card for card in hand.deck.cards if card not in visible]
    shuffled = iter(dice.sample(hidden, len(hidden)))
    return Deck(tuple(card if card in visible else next(shuffled) for card in hand.deck.cards))


def news_of(viewer: int, rules: Rules, stacks: list[int], deck: Deck, decisions: list[Decision]) -> list[object]:
    """Plays `decisions`. Returns what seat `viewer` may learn: views, events, and the error after an illegal raise."""
    hand, events = start_hand(rules, 1, next_button_and_blind(rules, 0, stacks)[0], stacks, deck)
    news: list[object] = []
    for decision in [*decisions, None]:
        news += [event for event in events if not isinstance(event, HoleDealt) or event.seat == viewer]
        news.append(view_of(hand, viewer, 1, ()))
        if decision:
            try:
                resolve(hand, RaiseTo(-1))
            except IllegalAction as error:
                news.append(str(error))
            hand, events = take_turn(hand, decision)
    return news


def test_big_blind_alone_posts_a_big_blind_ante() -> None:
    table = deal("500 500 500", rules=Rules(levels=(Level(50, 100, 10),), ante_from="big_blind"))
    blinds = [(blind.seat, blind.blind, blind.amount) for blind in table.events if isinstance(blind, BlindPosted)]
    assert blinds == [(2, "ante", 10), (1, "small", 50), (2, "big", 100)]
    with pytest.raises(msgspec.ValidationError, match="hand_cap"):
        msgspec.json.decode(b'{"hand_cap": 0}', type=Rules)


def test_all_ins_that_add_up_to_a_full_raise_reopen_the_betting() -> None:
    table = deal("5000 400 500 5000 5000", rules=RULES["standard"]).play("raise:300 all-in all-in call fold")
    assert (table.turn.seat, table.raises) == (0, (700, 5000))
    one_chip = Rules(levels=(Level(1, 2),), min_raise="one_chip")
    table = deal("50 31 50 50", rules=one_chip).play("raise:30 all-in call fold")
    assert table.raises == (32, 50), "if one chip is a full raise, any all-in above the bet must reopen the betting"
