"""Kills the program of an evening (a tournament and its show) at a chosen system call, and resumes the evening."""

import random
import signal
from collections.abc import Iterator
from itertools import count, cycle
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.game.events import ANYTIME_EVENTS, ActionTaken, Event
from server.journal.journal import read_journal
from tests.end_to_end.evening import NAMES, EventFolder, RemoteBots, tournament, write_evening

POINTS = ("write", "fdatasync", "torn line", "sendto")
"""System calls before which the program is killed. "torn line" is fdatasync, with the last journal line cut in half."""


class Failpoint(Struct, frozen=True):
    """The program is killed when it reaches `point` (one of POINTS) for the `count`-th time."""

    point: str
    count: int


def play_evening(folder: EventFolder, failpoint: Failpoint | None = None) -> bool:
    """Begins or resumes the evening, whose bots must be running. Returns False if the program was killed."""
    prefix = _strace_prefix(folder.journal, failpoint) if failpoint else ()
    with tournament(folder, prefix=prefix) as terminal:
        status = terminal.wait_for_end()
        assert status in (0, -signal.SIGKILL), terminal.text
    if status and failpoint and failpoint.point == "torn line":
        _tear_last_line(folder.journal)
    return status == 0


def _strace_prefix(journal: Path, failpoint: Failpoint) -> tuple[str, ...]:
    """Returns the start of a command: strace runs the program that follows, and kills it just before a system call."""
    system_call = "fdatasync" if failpoint.point == "torn line" else failpoint.point
    journal_only = () if system_call == "sendto" else ("-P", str(journal))
    injection = f"inject={system_call}:signal=KILL:when={failpoint.count}"
    # With --daemonize, the started process is the program, not strace.
    return ("strace", "--daemonize", "-o", "/dev/null", "-e", injection, *journal_only)


def _tear_last_line(journal: Path) -> None:
    """Cuts off half of the last line. That line was not synced before the kill, so no bot has heard of its event."""
    content = journal.read_bytes()
    last_line = content.rfind(b"\n", 0, -1) + 1
    journal.write_bytes(content[: (last_line + len(content)) // 2])


def deterministic_events(journal: Path) -> list[Event]:
    """Returns the events that all runs must share: all but ANYTIME_EVENTS, such as chats. Sets thinking times to 0."""
    decided = [entry.event for entry in read_journal(journal).entries if not isinstance(entry.event, ANYTIME_EVENTS)]
    return [replace(event, think_ms=0) if isinstance(event, ActionTaken) else event for event in decided]


def killed_evenings(folder: Path, kills: int) -> Iterator[tuple[Path, int]]:
    """Plays evenings to their ends, with at least `kills` kills in all. Resumes an evening after each kill.

    Yields the journal of each evening, and how often the evening was killed.
    """
    dice, points, numbers = random.Random(1871), cycle(POINTS), count()
    while kills > 0:
        evening, killed = write_evening(folder / str(next(numbers)), NAMES), 0
        with RemoteBots(evening.register, NAMES, reconnect=True):
            while not play_evening(evening, Failpoint(next(points), dice.randrange(1, 60))):
                killed += 1
        kills -= killed
        yield evening.journal, killed


def baseline_events(folder: Path) -> list[Event]:
    """Plays an evening that is not killed. Returns its events, which every evening of `killed_evenings` must repeat."""
    evening = write_evening(folder / "baseline", NAMES)
    with RemoteBots(evening.register, NAMES):
        assert play_evening(evening)
    return deterministic_events(evening.journal)
