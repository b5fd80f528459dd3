"""Are the storylines true? All that could be told over 10,000 hands of all contests, said true or wrong by the slow
program of the tests, and how often each kind comes up.

There is no peer but that program. Run: `make bench BENCH=storylines ARGS="--hands 1000"`; without ARGS all.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.game.events import Event, HandStarted
from tests.bench.common.scales import in_all_processors, options, print_machine
from tests.commentary.test_storylines import KINDS, told_in
from tests.support.contests import play_contest

SHARE = 250
Counted = tuple[int, Counter[str], list[str]]
"""Hands, how often each kind was true, and the sentences that are wrong."""


def counted(number: int) -> Counted:
    """Whole contests of every kind in turn, until a share of the hands is played."""
    hands, seed = 0, 0
    kinds, wrong = Counter[str](), list[str]()
    while hands < SHARE:
        for contest, bots in KINDS.values():
            events: Sequence[Event] = [entry.event for entry in play_contest(1000 * number + seed, bots, contest)]
            found, false = told_in(events)
            hands += sum(isinstance(event, HandStarted) for event in events)
            kinds.update(line.kind for line in found)
            wrong += false
        seed += 1
    return hands, kinds, wrong


if __name__ == "__main__":
    flags = options(__doc__, hands=10_000)
    print_machine()
    shares = in_all_processors(counted, -(-flags.hands // SHARE), "hands", SHARE)
    kinds = sum((each for _, each, _ in shares), Counter[str]())
    wrong = [text for _, _, texts in shares for text in texts]
    print(f"{sum(hands for hands, _, _ in shares):,} hands, {kinds.total():,} storylines: {len(wrong)} wrong")
    for kind, count in kinds.most_common():
        print(f"   {kind:16} {count:7,}")
    sys.exit("\n".join(wrong[:10]) if wrong else 0)
