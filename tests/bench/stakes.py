"""Is what is at stake told truly, and how long does it take? Every statement over 10,000 hands of all contests, worked
out again by the slow program of the tests; milliseconds a decision.

There is no peer but that program. Run: `make bench BENCH=stakes ARGS="--hands 1000"`; without ARGS all.
"""

import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parents[2]))

from broadcast.commentary.contest_state import ContestState
from broadcast.commentary.stakes import stakes
from broadcast.on_air.events import StakesShown
from server.game.events import HandStarted, TurnStarted
from server.game.ratings import START
from server.journal.journal import Entry
from tests.bench.common.scales import in_all_processors, options, print_machine
from tests.commentary.slow_stakes import SlowStakes
from tests.commentary.test_stakes import KINDS
from tests.support.contests import play_contest

SHARE = 250
GOAL_MS = 5.0


class Counted(Struct):
    """What one share of the hands came to."""

    hands: int = 0
    turns: int = 0
    told: int = 0
    wrong: int = 0
    ms: list[float] = []
    slow_ms: float = 0.0


def counted(number: int) -> Counted:
    """Whole contests of every kind in turn, until a share of the hands is played."""
    count, seed = Counted(ms=[]), 0
    while count.hands < SHARE:
        for kind, (contest, bots) in KINDS.items():
            rating = START if kind == "upac" else 0
            follow(play_contest(1000 * number + seed, bots, contest, rating=rating), count)
        seed += 1
    return count


def follow(entries: Sequence[Entry], count: Counted) -> None:
    """Follows one contest, and has every statement worked out again."""
    contest, slow = ContestState(), SlowStakes()
    for entry in entries:
        contest.take(entry.event)
        slow.take(entry.event)
        count.hands += isinstance(entry.event, HandStarted)
        count.turns += isinstance(entry.event, TurnStarted)
        begun = time.thread_time()
        told = stakes(contest, entry.event)
        count.ms += [1000 * (time.thread_time() - begun)] * bool(told)
        begun = time.thread_time()
        for event in told:
            assert isinstance(event, StakesShown)
            count.told += 1
            count.wrong += bool(slow.wrong(event))
        count.slow_ms += 1000 * (time.thread_time() - begun)


if __name__ == "__main__":
    flags = options(__doc__, hands=10_000)
    print_machine()
    found = in_all_processors(counted, -(-flags.hands // SHARE), "hands", SHARE)
    hands, turns, told, wrong = (sum(getattr(each, name) for each in found) for name in Counted.__struct_fields__[:4])
    ms = sorted(each for share in found for each in share.ms)
    slow = sum(share.slow_ms for share in found) / told
    print(f"{hands:,} hands, {turns:,} decisions, {told:,} with something at stake ({told / turns:.0%}): {wrong} wrong")
    mean, p99 = statistics.fmean(ms), ms[int(0.99 * len(ms))]
    print(f"mean {mean:.2f} ms, 99 of 100 within {p99:.2f} ms, most {ms[-1]:.1f} ms  (goal {GOAL_MS:.0f} ms)")
    print(f"the slow program: {slow:.2f} ms, {slow / mean:.1f} times as long")
    sys.exit(f"{wrong} statements are wrong" if wrong else 0)
