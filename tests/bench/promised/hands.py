"""Promises about cards, chips and rules: chips are conserved, decks are fair, hidden cards stay hidden."""

import math
import random
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from server.shuffle import key_of, shuffled
from server.verify.recording import verify
from tests.bench.common.scales import in_all_processors
from tests.bench.promised.outcome import Outcome
from tests.game.random_hands import RULES
from tests.game.test_engine_promises import count_leaks, play_conserving, play_in_new_process
from tests.judge.books import BOOKS
from tests.judge.played import judge_contest
from tests.support.contests import play_contest

HANDS, DECKS = 5_000, 10_000
"""The number of hands and of decks in one share of the work."""
CARDS = 52
Counts = NDArray[np.int64]
MAX_DEVIATIONS = 5.0
"""The largest chi-square allowed for a position or a card, in standard deviations. Fair decks exceed it in one of ten
thousand runs."""


def try_conservation(hands: int = 1_000_000) -> Outcome:
    """Counts the chips after every event of random hands under the rules of all contests."""
    shares = -(-hands // HANDS)
    lost = sum(in_all_processors(partial(_find_violation, 1), shares, "hands", HANDS))
    return Outcome("random hands", shares * HANDS, lost, "no chip made or lost" if not lost else "", "0 violations")


def _find_violation(seed: int, number: int) -> int:
    rules = list(RULES.values())[number % len(RULES)]
    try:
        play_conserving(rules, random.Random(f"{seed} {number}"), HANDS)
    except AssertionError:
        return 1
    return 0


def try_fairness(decks: int = 1_000_000, contests: int = 40) -> Outcome:
    """Recomputes every deck of whole contests; counts how often each card is in each position of `decks` decks."""
    lost = sum(in_all_processors(_is_unproved, contests, "contests proved", 1))
    shares = -(-decks // DECKS)
    seen = np.sum(in_all_processors(partial(_count_positions, 1), shares, "decks", DECKS), axis=0)
    worst = max(float(np.abs(_deviations(seen, shares * DECKS, axis)).max()) for axis in (0, 1))
    lost += worst > MAX_DEVIATIONS
    figure = f"{contests} contests proved, chi-square within {worst:.1f} deviations"
    return Outcome("decks", shares * DECKS, lost, figure, f"all proved, below {MAX_DEVIATIONS:.0f} deviations")


def _count_positions(seed: int, number: int) -> Counts:
    """Counts how often card `c` is in position `p` in one share of the decks, at [p, c]."""
    key, cards = seed.to_bytes(32, "big"), range(CARDS)
    decks = np.array([shuffled(key_of(key, f"{number} {deck}"), cards) for deck in range(DECKS)])
    positions = np.arange(CARDS) * CARDS
    return np.bincount((decks + positions).ravel(), minlength=CARDS * CARDS).reshape(CARDS, CARDS)


def _deviations(seen: Counts, decks: int, axis: int) -> NDArray[np.float64]:
    """Returns the chi-square of every row or column, in standard deviations from the mean for fair decks."""
    freedom = CARDS - 1
    chi_square = ((seen - decks / CARDS) ** 2 / (decks / CARDS)).sum(axis=axis)
    result: NDArray[np.float64] = (chi_square - freedom) / math.sqrt(2 * freedom)
    return result


def _is_unproved(seed: int) -> int:
    return not verify(play_contest(seed, 12)).finished


def try_repetition(rounds: int = 5) -> Outcome:
    """Plays 100 games in several processes with different hash seeds, and compares the SHA-256 of all events."""
    sums = {play_in_new_process(str(number)) for number in range(2 * rounds)}
    return Outcome("games in two processes", rounds * 100, len(sums) - 1, "one SHA-256", "identical")


def try_secrecy(pairs: int = 10_000) -> Outcome:
    """Takes decks that differ only in cards that a seat may not see. Compares the seat's messages, the public
    events and the refusals.
    """
    lost = sum(in_all_processors(partial(_count_leaks, pairs), len(RULES), "pairs of decks", pairs))
    return Outcome("pairs of decks", pairs * len(RULES), lost, "same views, events, refusals", "0 differences")


def _count_leaks(pairs: int, number: int) -> int:
    contest = list(RULES)[number]
    return count_leaks(RULES[contest], random.Random(f"promise {contest}"), pairs)


def try_rules(hands: int) -> Outcome:
    """Judges `hands` hands of each contest, with house bots and with misbehaving bots."""
    found = []
    for contest in BOOKS:
        with tempfile.TemporaryDirectory() as folder:
            found.append(judge_contest(contest, hands, Path(folder)))
    broken = [deviation for each in found for deviation in each.deviations]
    print(*broken[:10], sep="\n", end="\n" if broken else "")
    figure = f"blinds, turns, raises, pots, odd chips and places of {len(BOOKS)} contests"
    return Outcome("hands", sum(each.hands for each in found), len(broken), figure, "0 deviations")
