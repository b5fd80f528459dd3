"""Promises about attackers: strangers at the sockets, and bots inside sandboxes."""

import re
import subprocess
import sys
from collections.abc import Sequence

from tests.bench.promised.floods import (
    BACK_SECONDS,
    DESK_SECONDS,
    FULL_HOUSE,
    FULL_HOUSE_SECONDS,
    MAX_RATIO,
    MIN_AIRED,
    MIN_ANSWERS,
    SOON_SECONDS,
    Attack,
    Waits,
    join_waits,
    measure_attacks,
    p99,
    print_table,
)
from tests.bench.promised.outcome import Outcome
from tests.support.source_files import ROOT

SECRETS = "tests/end_to_end/test_planted_secrets.py"
HOSTILE = [
    f"tests/bots/sandbox/test_{name}.py" for name in ("hostile", "docker_boxes", "docker_builds", "piped", "seccomp")
]


def try_floods(seconds: int = 30) -> Outcome:
    """Attacks an evening with floods, crowds, visitors and chatting bots, and compares it with a quiet time."""
    attacks = list(measure_attacks(seconds))
    print_table(attacks)
    quiet = join_waits(attack.quiet for attack in attacks)
    crowded = [attack for attack in attacks if attack.kind != FULL_HOUSE]
    bots = max(_ratios(attack, quiet)[0] for attack in attacks)
    viewers = max(_ratios(attack, quiet)[1] for attack in crowded)
    answer, message = (
        max(p99(attack.found.bots) for attack in attacks),
        max(p99(each.found.viewers) for each in crowded),
    )
    full = max(p99(attack.found.viewers) for attack in attacks if attack.kind == FULL_HOUSE)
    desk = max(max(attack.found.desk) for attack in attacks)
    aired = min(attack.found.aired / attack.quiet.aired for attack in attacks)
    figure = (
        f"at worst bots {bots:.1f}x ({answer * 1000:.0f} ms), viewers {viewers:.1f}x ({message * 1000:.0f} ms) "
        f"their quiet p99, in a full house {full * 1000:.0f} ms; {aired:.0%} of the pace, the desk {desk:.1f} s"
    )
    goal = (
        f"{MAX_RATIO:.0f}x or {SOON_SECONDS * 1000:.0f} ms ({FULL_HOUSE_SECONDS * 1000:.0f} ms), {MIN_AIRED:.0%}, "
        f"{DESK_SECONDS:.0f} s, all given back in {BACK_SECONDS:.0f} s"
    )
    return Outcome(
        "kinds of attack", len(attacks), sum(_count_misses(attack, quiet) for attack in attacks), figure, goal
    )


def _ratios(attack: Attack, quiet: Waits) -> tuple[float, float]:
    """Returns, for bots and for viewers, how many times longer than usual they wait, at the 99th percentile.

    The usual wait is the wait in the quiet time or in the control, whichever is longer.
    """
    found, control = attack.found, attack.control
    return (
        p99(found.bots) / max(p99(quiet.bots), p99(control.bots)),
        p99(found.viewers) / max(p99(quiet.viewers), p99(control.viewers)),
    )


def _count_misses(attack: Attack, quiet: Waits) -> int:
    """Counts the goals that were missed during an attack; too few answers count as a missed goal."""
    found, waited = attack.found, p99(attack.found.viewers)
    bots, viewers = _ratios(attack, quiet)
    full = attack.kind == FULL_HOUSE
    return sum(
        (
            len(found.bots) < MIN_ANSWERS,
            bots > MAX_RATIO and p99(found.bots) > SOON_SECONDS,
            waited > FULL_HOUSE_SECONDS if full else viewers > MAX_RATIO and waited > SOON_SECONDS,
            found.aired < MIN_AIRED * attack.quiet.aired,
            max(found.desk) > DESK_SECONDS,
            attack.back > BACK_SECONDS,
            not attack.stayed,
        )
    )


def try_boxes(times: int = 3) -> Outcome:
    """Runs the tests of hostile programs beside an honest one, in each kind of sandbox that this machine has."""
    return _run_tests("tests of hostile programs", HOSTILE, times, "others answer on", "all contained")


def try_leaks(times: int = 3) -> Outcome:
    """Runs the tests of planted secrets."""
    what = "bots, builds, uploads, workers, voice, media"
    return _run_tests("programs of strangers", [SECRETS], times, what, "0 found")


def _run_tests(tried: str, files: Sequence[str], times: int, figure: str, goal: str) -> Outcome:
    """Runs test files `times` times."""
    command = [sys.executable, "-m", "pytest", "-q", *files]
    passed = lost = 0
    for _ in range(times):
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
        print(said, flush=True)
        passed += sum(map(int, re.findall(r"(\d+) passed", said)))
        lost += sum(map(int, re.findall(r"(\d+) (?:failed|error)", said)))
    return Outcome(tried, passed + lost, lost, figure, goal)
