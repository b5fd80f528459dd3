"""Promises about programs of strangers, as the test suite tries them: again and again, beside other work."""

import re
import subprocess
import sys
from collections.abc import Sequence

from tests.bench.promised.outcome import Outcome
from tests.support.source_files import ROOT

SECRETS = "tests/end_to_end/test_planted_secrets.py"
HOSTILE = [
    f"tests/bots/sandbox/test_{name}.py" for name in ("hostile", "docker_boxes", "docker_builds", "piped", "seccomp")
]


def try_boxes(times: int) -> Outcome:
    """Runs the tests of hostile programs beside an honest one, in each kind of sandbox that this machine has."""
    return _run_tests("tests of hostile programs", HOSTILE, times, "others answer on", "all contained")


def try_leaks(times: int) -> Outcome:
    """Runs the tests of planted secrets."""
    what = "bots, builds, uploads, workers, voice, media"
    return _run_tests("programs of strangers", [SECRETS], times, what, "0 found")


def _run_tests(tried: str, files: Sequence[str], times: int, figure: str, goal: str) -> Outcome:
    command = [sys.executable, "-m", "pytest", "-q", *files]
    passed = lost = 0
    for _ in range(times):
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
        print(said, flush=True)
        passed += sum(map(int, re.findall(r"(\d+) passed", said)))
        lost += sum(map(int, re.findall(r"(\d+) (?:failed|error)", said)))
    return Outcome(tried, passed + lost, lost, figure, goal)
