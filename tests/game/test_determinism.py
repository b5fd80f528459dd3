"""The same seed and the same answers give the same events; replaying the events gives the same hand."""

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path

import msgspec

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.betting import start_hand, take_turn
from server.game.events import Event
from server.game.hand import Hand, next_blind
from server.shuffle import deck_of, hand_name, key_of
from tests.game.random_hands import RULES, random_decision, random_deck, random_stacks

ROOT = Path(__file__).parents[2]


def test_two_processes_with_different_hash_seeds_play_the_same_100_games() -> None:
    first, second = (play_in_new_process(hash_seed) for hash_seed in ("1", "2"))
    assert first == second
    assert len(first) == 64


def play_in_new_process(hash_seed: str) -> str:
    script = "from tests.game.test_determinism import digest_of_games; print(digest_of_games())"
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
    """Plays 100 games of six hands; returns the SHA-256 of all their events.

    All decks follow from one seed, and all answers from one random generator.
    """
    seed, dice = bytes(32), random.Random(100)
    total = hashlib.sha256()
    for game in range(1, 101):
        stacks, big = [1000] * 6, 4
        for number in range(1, 7):
            if sum(stack > 0 for stack in stacks) < 2:
                break
            button, big = next_blind(QUICK_DRAW, big, stacks)
            deck = deck_of(key_of(seed, hand_name(game, number)))
            hand, events = play(dice, start_hand(QUICK_DRAW, number, button, stacks, deck))
            total.update(msgspec.json.encode(events))
            stacks = [seat.stack for seat in hand.seats]
    return total.hexdigest()


def play(dice: random.Random, started: tuple[Hand, list[Event]]) -> tuple[Hand, list[Event]]:
    hand, events = started
    while not hand.over:
        hand, following = take_turn(hand, random_decision(dice, hand))
        events += following
    return hand, events


def begin(dice: random.Random, contest: str) -> tuple[Hand, list[Event]]:
    rules = RULES[contest]
    stacks = random_stacks(dice, rules.levels[0].big)
    button, _ = next_blind(rules, 0, stacks)
    return start_hand(rules, dice.randint(1, 9), button, stacks, random_deck(dice))
