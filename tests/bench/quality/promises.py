"""Do the guide's promises hold? Tests each promise many times. Prints how often it was broken, and what was measured.

Run: `make bench BENCH=promises`, or with `ARGS="--only P2,P17"` to test only these promises. By default, most promises
are tested a tenth as often as in the guide's table. With `ARGS="--scale 1"`, all are tested as often as in that table.
"""

import inspect
import random
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial

from msgspec import Struct

from tests.bench.common.scales import Outcome, options
from tests.bench.promised import endurance, floods, hands, interruptions, malformed, shows
from tests.support.idle_loop import run_on_idle_loop
from tests.support.source_files import ROOT


class Promise(Struct, frozen=True):
    number: str
    words: str
    attempt: Callable[[int], Outcome]
    times: int
    min_times: int = 1


def try_malformed_input(tries: int) -> Outcome:
    """Sends bad and good inputs to each door (code that reads what strangers send)."""
    doors: tuple[Callable[[int, random.Random], int | Awaitable[int]], ...] = (
        malformed.quick_draw, malformed.upac, malformed.arena_answers, malformed.enova_answers, malformed.registration,
        malformed.enova_registration, malformed.desk, malformed.recordings, malformed.event_files, malformed.archives,
        malformed.pictures, malformed.sound_effects, interruptions.interrupted_pages, interruptions.interrupted_bots,
    )  # fmt: skip
    broken = 0
    for door in doors:
        started_at = time.monotonic()
        result = door(tries, random.Random(door.__name__))
        broken_inputs = run_on_idle_loop(result) if inspect.iscoroutine(result) else result
        assert isinstance(broken_inputs, int)
        seconds = time.monotonic() - started_at
        print(f"   {door.__name__:25} {tries:,} inputs, {broken_inputs} broke it, {seconds:.0f} s", flush=True)
        broken += broken_inputs
    return Outcome("inputs", tries * len(doors), broken, f"{len(doors)} ways in, every good input accepted", "0 errors")


def run_tests(files: list[str], tried: str, figure: str, goal: str, times: int) -> Outcome:
    """Runs tests. A skipped test counts as broken, because it shows nothing. A crashed run counts as broken, too."""
    passed = broken = 0
    command = [sys.executable, "-m", "pytest", "-q", "-rs", *files]
    for _ in range(times):
        run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
        print(f"{run.stdout}(exit status {run.returncode}; skipped tests count as broken)", flush=True)
        passed += sum(map(int, re.findall(r"(\d+) passed", run.stdout)))
        failed = sum(map(int, re.findall(r"(\d+) (?:failed|error|skipped)", run.stdout)))
        broken += max(failed, run.returncode != 0)
    return Outcome(tried, passed + broken, broken, figure, goal)


BOX_TESTS = [f"tests/bots/sandbox/test_{name}.py" for name in ("boxes", "docker_boxes", "docker_builds", "bubblewrap")]
try_boxes = partial(run_tests, BOX_TESTS, "tests of hostile programs", "others answer on", "all contained")
LEAK_TESTS, LEAK_SOURCES = ["tests/end_to_end/test_planted_secrets.py"], "bots, builds, uploads, workers, voice, media"
try_leaks = partial(run_tests, LEAK_TESTS, "programs of strangers", LEAK_SOURCES, "0 found")
PROMISES = (
    Promise("P1", "Chips are conserved", hands.try_conservation, 1_000_000),
    Promise("P2", "`kill -9` at any instant loses nothing", hands.try_kills, 200),
    Promise("P3", "Durable before visible", hands.try_durability, 5_000),
    Promise("P4", "A torn or altered journal is recognised", hands.try_damage, 10_000),
    Promise("P5", "A full disk pauses the game", hands.try_full_disks, 60),
    Promise("P6", "A page comes back without a gap", shows.try_reconnects, 10_000),
    Promise("P7", "A slow viewer costs nobody anything", shows.try_slow_viewers, 2_000),
    Promise("P8", "The studio may crash", shows.try_studio_kills, 50),
    Promise("P9", "Malformed input never kills or stalls", try_malformed_input, 2_000),
    Promise("P10", "3 s means 3 s", endurance.try_time_limit, 400),
    Promise("P11", "Clock steps change nothing", endurance.try_clock_steps, 20),
    Promise("P12", "A bot may die anywhere", endurance.try_bot_deaths, 4),
    Promise("P13", "Cards are fair, and anyone can check", hands.try_fairness, 1_000_000),
    Promise("P14", "Same seed, same answers, same events", hands.try_repetition, 5),
    Promise("P15", "No hidden card shows", hands.try_secrecy, 10_000),
    Promise("P17", "It stays up", endurance.try_uptime, 15, min_times=15),
    Promise("P18", "No stranger's socket or request slows table or show", floods.try_floods, 20, min_times=10),
    Promise("P19", "The table never plays unseen", shows.try_unseen_hands, 24),
    Promise("P20", "A box holds whatever the bot tries (P16 too)", try_boxes, 1),
    Promise("P21", "Nothing of the organiser's reaches a stranger", try_leaks, 1),
    Promise("P22", "No screen freezes", endurance.try_silent_network, 4),
    Promise("P23", "The rules are kept", hands.try_rules, 5_000),
)


def main(only: str, scale: float) -> int:
    known_numbers = [promise.number for promise in PROMISES]
    chosen_numbers = only.split(",") if only else known_numbers
    if unknown := set(chosen_numbers).difference(known_numbers):
        sys.exit(f"There is no promise {', '.join(sorted(unknown))}; there are {', '.join(known_numbers)}")
    rows, all_hold = ["| | promise | tried | broken | measured | goal |", "|---|---|--:|--:|---|---|"], True
    for promise in PROMISES:
        if promise.number in chosen_numbers:
            started_at = time.monotonic()
            found = promise.attempt(max(promise.min_times, round(promise.times * scale)))
            cells = f"{found.tries:,} {found.tried} | {found.broken} | {found.figure} | {found.goal}"
            rows.append(f"| {promise.number} | {promise.words} | {cells} |")
            holds = found.tries > 0 and found.broken == 0
            all_hold = all_hold and holds
            verdict = "holds" if holds else "BROKEN"
            print(f"{promise.number} {verdict}: {cells}, {time.monotonic() - started_at:.0f} s", flush=True)
    print("\n".join(rows))
    return 0 if all_hold else 1


if __name__ == "__main__":
    flags = options(__doc__, only="", scale=0.1)
    sys.exit(main(flags.only, flags.scale))
