"""Are storylines true? A second program reads all storylines of 10,000 hands and proves them from the journal alone.

Run: `make bench BENCH=storylines`; shorter: `ARGS="--hands 500"`. The goal is 0 wrong ones.
"""

import sys
from collections import Counter
from collections.abc import Iterable
from itertools import count

from broadcast.commentary.commentary import Commentary
from broadcast.on_air.table_state import with_tables
from server.game.events import BotEliminated, HandEnded
from server.game.ratings import START
from server.journal.journal import Entry
from tests.bench.common.scales import options, print_machine
from tests.commentary.storyteller.check import is_true
from tests.commentary.storyteller.evening import Evening
from tests.support.house_contests import play_house_contest

BOTS = {"quick-draw": 12, "enova": 12, "upac": 2, "arena": 8, "acpc": 6}


def check_evening(entries: Iterable[Entry], counts: Counter[str]) -> list[str]:
    """Counts hands, lines and kinds of an evening in `counts`; returns the sentences that are wrong."""
    commentary, evening, wrong = Commentary(), Evening(), list[str]()
    for entry in with_tables(entries):
        commentary.after(entry)
        evening.add(entry.event)
        counts["hands"] += isinstance(entry.event, HandEnded)
        for line in commentary.talk.lines if isinstance(entry.event, HandEnded | BotEliminated) else ():
            counts["lines"] += 1
            counts[f"kind {line.kind}"] += 1
            if not is_true(evening, line.text):
                wrong.append(line.text)
    return wrong


def main() -> int:
    """Runs the benchmark; returns the exit status."""
    flags = options(__doc__, hands=10_000)
    print_machine()
    counts, wrong = Counter[str](), list[str]()
    for seed in count(1):
        for contest, bots in BOTS.items():
            rating = START if bots == 2 else 0
            wrong += check_evening(play_house_contest(contest, seed, bots, rating=rating), counts)
        print(f"\r{counts['hands']:,} hands", end="", flush=True)
        if counts["hands"] >= flags.hands:
            break
    kinds = sum(key.startswith("kind ") for key in counts)
    print("\r", *wrong[:10], sep="\n", end="")
    print(f"{len(wrong)} wrong of {counts['lines']:,} storylines of {kinds} kinds in {counts['hands']:,} hands: goal 0")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
