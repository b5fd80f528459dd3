"""An evening whose studio is killed and stalled again and again: do viewers see every hand that is played?"""

import json
import os
import signal
import threading
import time
from contextlib import suppress

from msgspec import Struct

from broadcast.on_air.diary import Aired, read_diary
from server.tournament.pause_gate import HANDS_AHEAD
from tests.end_to_end.evening import NAMES, EventFolder, Terminal, secrets_of, tournament
from tests.end_to_end.killer import Killer
from tests.end_to_end.remote_bots import RemoteBots
from tests.end_to_end.viewers import Viewer
from tests.support.program import wait_until

SPEED = "40"
STALLED = 5
"""Every STALLED-th failure stops the studio instead of killing it, until the supervisor notices that it hangs."""
ASKED = 8
"""Every ASKED-th failure is repeated until the program asks the operator."""
TICK_SECONDS = 0.02
MAX_AHEAD = HANDS_AHEAD + 1
"""The largest number of hands dealt but not yet shown: the hand on air, and the next one."""
ENTRIES_BETWEEN = 40
"""How many entries the show puts on air between two failures."""


class StudioAttacker:
    """Kills and stalls the studio; records after how many seconds viewers had the whole picture again."""

    def __init__(self, terminal: Terminal, viewer: Viewer) -> None:
        self.back: dict[str, list[float]] = {"killed": [], "stalled": [], "asked": []}
        self._terminal = terminal
        self._viewer = viewer

    def attack(self, kind: str) -> None:
        """Kills or stalls the studio once the show has continued; waits until viewers have the whole picture again."""
        seen = self._viewer.seq
        wait_until(
            lambda: self._viewer.seq >= seen + ENTRIES_BETWEEN and self._terminal.studio, lambda: self._terminal.text
        )
        lives, begun = self._viewer.lives, time.monotonic()
        if kind == "asked":
            self._kill_until_asked()
            begun = time.monotonic()
            lives = self._viewer.lives
        else:
            os.kill(self._terminal.studio, signal.SIGSTOP if kind == "stalled" else signal.SIGKILL)
        self.back[kind].append(self._viewer.whole_at(lives + 1) - begun)

    @property
    def asked(self) -> int:
        return sum("the studio is gone" in line for line in self._terminal.lines)

    def _kill_until_asked(self) -> None:
        before = self.asked
        with Killer(self._terminal):
            wait_until(lambda: self.asked > before, lambda: self._terminal.text)


class Lookout(threading.Thread):
    """Watches the journal and the diary grow; counts, for each hand dealt, how many hands were not yet shown.

    It reads the journal first: a hand that is shown between the two reads can only make the number smaller.
    """

    def __init__(self, event_folder: EventFolder) -> None:
        super().__init__(daemon=True)
        self.ahead: list[int] = []
        self.over = threading.Event()
        self._event_folder = event_folder
        self._read = 0
        self._ended: set[int] = set()

    def run(self) -> None:
        while not self.over.wait(TICK_SECONDS):
            with suppress(FileNotFoundError):
                self._look()

    def _look(self) -> None:
        new = self._event_folder.journal.read_bytes()[self._read :]
        new = new[: new.rfind(b"\n") + 1]
        self._read += len(new)
        lines = [json.loads(line) for line in new.splitlines()]
        self._ended |= {line["seq"] for line in lines if line.get("type") == "hand_ended"}
        dealt = sum(line.get("type") == "hand_started" for line in lines)
        if dealt:
            ahead = len(self.ahead) + dealt - self.shown
            self.ahead += range(ahead - dealt + 1, ahead + 1)

    @property
    def shown(self) -> int:
        """How many hands have been on air completely."""
        diary = self._event_folder.journal.with_suffix(".air")
        aired = {line.seq for line in read_diary(diary) if isinstance(line, Aired)} if diary.exists() else set[int]()
        return len(self._ended & aired)


class FailuresOutcome(Struct, frozen=True):
    """The outcome of an evening with failures of the studio.

    `asked` is how often the operator was asked. `dealt` counts hands, and `most_ahead` is the largest number of hands
    that were dealt but not yet shown. `unseen` counts hands that were dealt too early, and `gaps` counts missing
    entries. `back` has the seconds until viewers saw everything again, by kind of failure.
    """

    asked: int
    dealt: int
    most_ahead: int
    unseen: int
    gaps: int
    back: dict[str, list[float]]


def play_with_failures(event_folder: EventFolder, failures: int, *, kills_only: bool = False) -> FailuresOutcome:
    """Plays an evening with `failures` failures of the studio, of three kinds or only kills."""
    with (
        RemoteBots(event_folder.register, secrets_of(NAMES), wild=0.0),
        tournament(event_folder, "--speed", SPEED) as terminal,
        Viewer(event_folder.base) as viewer,
    ):
        lookout = Lookout(event_folder)
        lookout.start()
        terminal.wait_for_output("projector")
        viewer.whole_at(1)
        attacker = StudioAttacker(terminal, viewer)
        for number in range(1, failures + 1):
            asked, stalled = number % ASKED == 0, number % STALLED == 0
            attacker.attack("killed" if kills_only else "asked" if asked else "stalled" if stalled else "killed")
        lookout.over.set()
        lookout.join()
    ahead = lookout.ahead
    unseen = sum(count > MAX_AHEAD for count in ahead)
    return FailuresOutcome(attacker.asked, len(ahead), max(ahead), unseen, len(viewer.gaps), attacker.back)
