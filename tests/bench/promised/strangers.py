"""Promises about attackers: at the sockets, and inside a box."""

import re
import subprocess
import sys

from tests.bench.promised.boxes import weighed
from tests.bench.promised.floods import (
    BACK_SECONDS,
    DESK_SECONDS,
    MAX_RATIO,
    MIN_AIRED,
    MIN_ANSWERS,
    Attack,
    Waits,
    measured,
    p99,
    print_table,
    together,
)
from tests.bench.promised.outcome import Outcome
from tests.support.source_files import ROOT

SECRETS = "tests/end_to_end/test_planted_secrets.py"


def held_off(seconds: int = 30) -> Outcome:
    """Four kinds of strangers against an evening, beside a quiet time."""
    attacks = list(measured(seconds))
    print_table(attacks)
    quiet = together(attack.quiet for attack in attacks)
    bots = max(_times(attack, quiet)[0] for attack in attacks)
    viewers = max(_times(attack, quiet)[1] for attack in attacks)
    desk = max(max(attack.found.desk) for attack in attacks)
    aired = min(attack.found.aired / attack.quiet.aired for attack in attacks)
    figure = (
        f"at worst bots {bots:.1f}x, viewers {viewers:.1f}x their quiet p99, "
        f"{aired:.0%} of the pace, the desk {desk:.1f} s"
    )
    goal = f"{MAX_RATIO:.0f}x, {MIN_AIRED:.0%}, {DESK_SECONDS:.0f} s, all given back in {BACK_SECONDS:.0f} s"
    return Outcome("kinds of attack", len(attacks), sum(_missed(attack, quiet) for attack in attacks), figure, goal)


def _times(attack: Attack, quiet: Waits) -> tuple[float, float]:
    """How many times the 99th percentile of a quiet time bots and viewers waited."""
    return p99(attack.found.bots) / p99(quiet.bots), p99(attack.found.viewers) / p99(quiet.viewers)


def _missed(attack: Attack, quiet: Waits) -> int:
    """How many goals were missed under an attack; too few answers prove nothing."""
    found = attack.found
    bots, viewers = _times(attack, quiet)
    return sum(
        (
            len(found.bots) < MIN_ANSWERS,
            bots > MAX_RATIO,
            viewers > MAX_RATIO,
            found.aired < MIN_AIRED * attack.quiet.aired,
            max(found.desk) > DESK_SECONDS,
            attack.back > BACK_SECONDS,
            not attack.stayed,
        )
    )


def boxed_in(questions: int = 300) -> Outcome:
    """Every hostile bot in each kind of box that this machine has, beside three honest ones."""
    boxes, escaped = weighed(3, questions)
    return Outcome("boxes with a hostile program", boxes, escaped, "others answer on", "all contained")


def nothing_leaks(times: int = 3) -> Outcome:
    """Runs the tests of planted secrets `times` times: bots, builds, uploads, workers, voice and media."""
    command = [sys.executable, "-m", "pytest", "-q", SECRETS]
    passed = lost = 0
    for _ in range(times):
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
        print(said, flush=True)
        passed += sum(map(int, re.findall(r"(\d+) passed", said)))
        lost += sum(map(int, re.findall(r"(\d+) (?:failed|error)", said)))
    return Outcome(
        "programs of strangers", passed + lost, lost, "bots, builds, uploads, workers, voice, media", "0 found"
    )
