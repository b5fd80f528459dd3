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
from tests.support.games.contests import play_contest

HANDS, DECKS, CONTESTS = 5_000, 10_000, 40
"""The number of hands and of decks in one share of the work, and of contests whose decks are computed again."""
CARDS = 52
MAX_DEVIATIONS = 5.0
"""The largest chi-square allowed for a position or a card, in standard deviations. Fair decks exceed it in one of ten
thousand runs."""


def try_conservation(hands: int) -> Outcome:
    """Counts the chips after every event of random hands under the rules of all contests."""
    shares = -(-hands // HANDS)
    lost = sum(in_all_processors(_violates, shares, "hands", HANDS))
    return Outcome("random hands", shares * HANDS, lost, "no chip made or lost" if not lost else "", "0 violations")


def _violates(number: int) -> int:
    try:
        play_conserving(list(RULES.values())[number % len(RULES)], random.Random(f"1 {number}"), HANDS)
    except AssertionError:
        return 1
    return 0


def try_fairness(decks: int) -> Outcome:
    """Recomputes every deck of whole contests; counts how often each card is in each position of `decks` decks.

    The chi-square of every card and every position must be close to the mean for fair decks.
    """
    lost = sum(in_all_processors(_is_unproved, CONTESTS, "contests proved", 1))
    shares = -(-decks // DECKS)
    seen = np.sum(in_all_processors(_count_positions, shares, "decks", DECKS), axis=0)
    fair, freedom = shares * DECKS / CARDS, CARDS - 1
    sums = [((seen - fair) ** 2 / fair).sum(axis=axis) for axis in (0, 1)]
    worst = max(float(np.abs(each - freedom).max()) for each in sums) / math.sqrt(2 * freedom)
    lost += worst > MAX_DEVIATIONS
    figure = f"{CONTESTS} contests proved, chi-square within {worst:.1f} deviations"
    return Outcome("decks", shares * DECKS, lost, figure, f"all proved, below {MAX_DEVIATIONS:.0f} deviations")


def _count_positions(number: int) -> NDArray[np.int64]:
    """Counts how often card `c` is in position `p` in one share of the decks, at [p, c]."""
    key, cards = (1).to_bytes(32, "big"), range(CARDS)
    decks = np.array([shuffled(key_of(key, f"{number} {deck}"), cards) for deck in range(DECKS)])
    positions = np.arange(CARDS) * CARDS
    return np.bincount((decks + positions).ravel(), minlength=CARDS * CARDS).reshape(CARDS, CARDS)


def _is_unproved(seed: int) -> int:
    return not verify(play_contest(seed, 12)).finished


def try_repetition(rounds: int) -> Outcome:
    """Plays 100 games in several processes with different hash seeds, and compares the SHA-256 of all events."""
    sums = {play_in_new_process(str(number)) for number in range(2 * rounds)}
    return Outcome("games in two processes", rounds * 100, len(sums) - 1, "one SHA-256", "identical")


def try_secrecy(pairs: int) -> Outcome:
    """Takes decks that differ only in cards that a seat may not see. Compares messages, public events and refusals."""
    lost = sum(in_all_processors(partial(_count_leaks, pairs), len(RULES), "pairs of decks", pairs))
    return Outcome("pairs of decks", pairs * len(RULES), lost, "same views, events, refusals", "0 differences")


def _count_leaks(pairs: int, number: int) -> int:
    contest = list(RULES)[number]
    return count_leaks(RULES[contest], random.Random(f"promise {contest}"), pairs)


def try_rules(hands: int) -> Outcome:
    """Judges `hands` hands of each contest, with house bots and with misbehaving bots."""
    with tempfile.TemporaryDirectory() as folder:
        found = [judge_contest(contest, hands, Path(folder)) for contest in BOOKS]
    broken = [deviation for each in found for deviation in each.deviations]
    print("\n".join(broken[:10]))
    figure = f"blinds, turns, raises, pots, odd chips and places of {len(BOOKS)} contests"
    return Outcome("hands", sum(each.hands for each in found), len(broken), figure, "0 deviations")
