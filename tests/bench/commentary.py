"""Is anything wrong in captions, marks, storylines and stakes? Contests of house bots, checked by slow programs.

The only peers are these programs of the tests. Run: `make bench BENCH=commentary ARGS="--contests 8"`.
"""

import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.common.scales import in_all_processors, options, print_machine
from tests.commentary import test_stakes, test_storylines
from tests.commentary.checker.check import Checked
from tests.support.house_contests import play_house_contest

BOTS = {"quick-draw": 12, "enova": 6, "upac": 2, "arena": 8}
FLOPS = 5
"""From the flop on, the chances of one in FLOPS hands are counted again; from the turn on, those of all."""
EVENTS = 2_500
"""The events of a contest up to which storylines are checked: the slow program reads them all again at each hand."""


def checked(seed: int, number: int) -> tuple[int, list[str]]:
    """The hands of one contest, and every sentence about them that is wrong."""
    contest = list(BOTS)[number % len(BOTS)]
    entries = play_house_contest(contest, seed + number, BOTS[contest])
    found = Checked(entries, FLOPS)
    _, storylines = test_storylines.told_in([entry.event for entry in entries[:EVENTS]])
    stakes, _ = test_stakes.wrong(entries)
    return found.hands, [f"{contest}, seed {seed + number}: {line}" for line in (*found.wrong, *storylines, *stakes)]


if __name__ == "__main__":
    flags = options(__doc__, contests=24, seed=1)
    print_machine()
    found = in_all_processors(partial(checked, flags.seed), flags.contests, "contests", 1)
    wrong = [line for _, lines in found for line in lines]
    print(f"{sum(hands for hands, _ in found):,} hands of {flags.contests} contests: {len(wrong)} wrong (goal 0)")
    sys.exit("\n".join(wrong[:20]) or 0)
