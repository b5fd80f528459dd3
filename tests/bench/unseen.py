"""The studio of an evening killed and stalled again and again: is a hand ever dealt that nobody is to see?"""

import os
import signal
import statistics
import sys
import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from broadcast.airfile import read_diary, true_times
from server.game.events import HandEnded, HandStarted
from server.gate import HANDS_AHEAD
from server.journal import read_journal
from tests.bench.common.scales import options, print_machine
from tests.evening.callers import Callers
from tests.evening.killer import Killer
from tests.evening.rig import NAMES, SECONDS, Evening, Terminal, secrets_of, tournament, write_evening
from tests.evening.visitors import Viewer

SPEED = "40"
STALLED = 5
"""One blow in so many stops the studio instead of killing it, until it is found to hang."""
ASKED = 8
"""One blow in so many is followed by others, until the operator is asked."""
LOOK_SECONDS = 0.05
MOST_AHEAD = HANDS_AHEAD + 1
"""The hand that is being played, and the one that is ready."""
CLOCKS_MS = 1000
"""The journal's time begins a little after its file, by which it is compared with the show's."""
ENTRIES_BETWEEN = 40
"""The show puts so many on air between two blows."""


class Ring:
    """Deals the blows, and notes after how many seconds viewers were whole again."""

    def __init__(self, terminal: Terminal, viewer: Viewer) -> None:
        self.back: dict[str, list[float]] = {"killed": [], "stalled": [], "asked": []}
        self._terminal = terminal
        self._viewer = viewer

    def blow(self, number: int) -> None:
        """The next blow, once the show has gone on; returns when viewers are whole again."""
        seen = self._viewer.seq
        self._until(lambda: self._viewer.seq >= seen + ENTRIES_BETWEEN and self._terminal.studio)
        lives, begun = self._viewer.lives, time.monotonic()
        kind = "asked" if number % ASKED == 0 else "stalled" if number % STALLED == 0 else "killed"
        if kind == "asked":
            self._kill_until_asked()
            begun = time.monotonic()
            lives = self._viewer.lives
        else:
            os.kill(self._terminal.studio, signal.SIGSTOP if kind == "stalled" else signal.SIGKILL)
        self.back[kind].append(self._viewer.whole_at(lives + 1) - begun)

    @property
    def asked(self) -> int:
        """How often the operator was asked."""
        return sum("the studio is missed" in line for line in self._terminal.said)

    def _kill_until_asked(self) -> None:
        before = self.asked
        with Killer(self._terminal):
            self._until(lambda: self.asked > before)

    def _until(self, holds: Callable[[], object]) -> None:
        ends = time.monotonic() + SECONDS
        while not holds():
            assert time.monotonic() < ends, self._terminal.text
            time.sleep(LOOK_SECONDS)


def hands_ahead(night: Evening) -> list[int]:
    """For each hand that was dealt, how many were dealt by then and not shown, by the world's clock."""
    recording = read_journal(night.journal)
    began_ms = datetime.fromisoformat(recording.header.begun).timestamp() * 1000
    ended = {entry.seq for entry in recording.entries if isinstance(entry.event, HandEnded)}
    aired, first_ms = true_times(read_diary(night.journal.with_suffix(".air")))
    shown = sorted(first_ms + line.at_ms for line in {line.seq: line for line in aired if line.seq in ended}.values())
    dealt = [began_ms + entry.at_ms for entry in recording.entries if isinstance(entry.event, HandStarted)]
    return [count - bisect_right(shown, at_ms + CLOCKS_MS) for count, at_ms in enumerate(dealt, 1)]


def spoil(night: Evening, blows: int) -> None:
    """Plays an evening under so many blows, and prints what came of it."""
    with (
        Callers(night.register, secrets_of(NAMES), wild=0.0),
        tournament(night, "--speed", SPEED) as terminal,
        Viewer(night.base) as viewer,
    ):
        terminal.hears("projector")
        viewer.whole_at(1)
        ring = Ring(terminal, viewer)
        for number in range(1, blows + 1):
            ring.blow(number)
    ahead = hands_ahead(night)
    aired = {line.seq for line in true_times(read_diary(night.journal.with_suffix(".air")))[0]}
    shown = sum(isinstance(entry.event, HandEnded) and entry.seq in aired for entry in night.entries)
    print(f"{blows} blows, the operator asked {ring.asked} times: {len(ahead)} hands dealt, {shown} shown so far")
    print(
        f"most hands ahead of the show: {max(ahead)} (goal {MOST_AHEAD}); hands played unseen: "
        f"{sum(count > MOST_AHEAD for count in ahead)} (goal 0); gaps for viewers: {len(viewer.gaps)}"
    )
    for kind, seconds in ring.back.items():
        if seconds:
            print(f"  {kind:<8} whole again after {statistics.median(seconds):.2f} s, at most {max(seconds):.2f} s")


if __name__ == "__main__":
    flags = options(__doc__, blows=40)
    print_machine()
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as name:
        spoil(write_evening(Path(name), secrets_of(NAMES)), flags.blows)
