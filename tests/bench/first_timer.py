"""How long do the commands of a first-timer take, from `highnoon new` to `highnoon check`? Goal: a minute.

There is no peer. Run: `make bench BENCH=first_timer ARGS="--hands 100"`; without ARGS a thousand hands of sparring.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import sync_playwright

from tests.bench.common.scales import options, print_machine
from tests.support.browsers import FLAGS, find_browser
from tests.support.first_timer import first_evening

GOAL_SECONDS = 60.0


def main() -> int:
    """Walks the path once and prints how long each step took; returns 1 if all took longer than the goal."""
    hands = options(__doc__, hands=1000).hands
    print_machine()
    whole = 0.0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        for name, seconds in first_evening(Path(folder), browser, hands=hands):
            whole += seconds
            print(f"{seconds:6.1f} s  {name}")
        browser.close()
    print(f"{whole:6.1f} s  in all (goal {GOAL_SECONDS:.0f})")
    return int(whole > GOAL_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
