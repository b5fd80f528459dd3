"""Are the rules kept? An outside judge works out every hand, pot and place again from the rule books alone.

There is no peer. Run: `make bench BENCH=judge ARGS="--hands 200"`; without ARGS 5,000 hands of each contest.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.common.scales import options, print_machine
from tests.judge.books import BOOKS
from tests.judge.played import judged

if __name__ == "__main__":
    flags = options(__doc__, hands=5_000)
    print_machine()
    broken = 0
    for contest in BOOKS:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            found = judged(contest, flags.hands, Path(folder))
        print(*found.deviations[:10], sep="\n", end="\n" if found.deviations else "")
        seconds = time.monotonic() - begun
        words = f"{len(found.deviations)} deviations (goal: 0), {found.hands / seconds:,.0f} hands/s played and judged"
        print(f"{contest:12} {found.hands:,} hands, {words}", flush=True)
        broken += len(found.deviations)
    sys.exit(1 if broken else 0)
