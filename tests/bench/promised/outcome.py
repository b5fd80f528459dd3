"""The outcome of trying a promise, and of trying it with the tests of the suite."""

import re
import subprocess
import sys

from msgspec import Struct

from tests.support.source_files import ROOT


class Outcome(Struct, frozen=True):
    """How often a promise was tried and broken, what was measured, and the goal."""

    tried: str
    """What was tried, such as "kills" or "pairs of decks"."""
    times: int
    lost: int
    figure: str = ""
    goal: str = ""

    @property
    def holds(self) -> bool:
        return self.times > 0 and self.lost == 0


def run_tests(times: int, *files: str, tried: str, figure: str, goal: str) -> Outcome:
    """Runs files of tests again and again, beside other work."""
    passed = lost = 0
    for _ in range(times):
        said = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", *files], cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout
        print(said, flush=True)
        passed += sum(map(int, re.findall(r"(\d+) passed", said)))
        lost += sum(map(int, re.findall(r"(\d+) (?:failed|error)", said)))
    return Outcome(tried, passed + lost, lost, figure, goal)
