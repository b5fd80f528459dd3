"""Tries the promise that the rules are kept: an independent judge recomputes every hand from the rule books."""

import tempfile
from pathlib import Path

from tests.bench.promised.outcome import Outcome
from tests.judge.books import BOOKS
from tests.judge.played import judge_contest


def try_rules(hands: int) -> Outcome:
    """Judges `hands` hands of each contest, with house bots and with misbehaving ones."""
    found = []
    for contest in BOOKS:
        with tempfile.TemporaryDirectory() as folder:
            found.append(judge_contest(contest, hands, Path(folder)))
    broken = [deviation for each in found for deviation in each.deviations]
    print(*broken[:10], sep="\n", end="\n" if broken else "")
    figure = f"blinds, turns, raises, pots, odd chips and places of {len(BOOKS)} contests"
    return Outcome("hands", sum(each.hands for each in found), len(broken), figure, "0 deviations")
