"""Promises for a studio that is killed and stalled again and again: the table continues, and viewers see every hand."""

import json
import os
import signal
import statistics
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from broadcast.on_air.diary import AiredLine, read_diary
from server.game.events import ActionTaken
from server.tournament.pause_gate import HANDS_AHEAD
from server.verify.recording import verify
from tests.bench.promised.outcome import Outcome
from tests.end_to_end.evening import (
    NAMES,
    EventFolder,
    RemoteBots,
    Terminal,
    Viewer,
    killing_every_studio,
    secrets_of,
    tournament,
    write_evening,
)
from tests.support.games.recordings import of_kind
from tests.support.program import wait_until

SPEED = "40"
STALLED = 5
"""Every STALLED-th failure stops the studio instead of killing it, until the supervisor notices that it hangs."""
ASKED = 8
"""Every ASKED-th failure is repeated until the program asks the operator."""
TICK_SECONDS, STUDIO_SECONDS = 0.02, 2.0
MAX_AHEAD = HANDS_AHEAD + 1
"""The largest number of hands dealt but not yet shown: the hand on air, and the next one."""
ENTRIES_BETWEEN = 40
"""How many entries the show puts on air between two failures."""
GONE = "the studio is gone"


def attack(terminal: Terminal, viewer: Viewer, kind: str) -> float:
    """Kills or stalls the studio once the show has continued, perhaps until the operator is asked.

    Returns after how many seconds viewers have the whole picture again.
    """
    seen = viewer.seq
    wait_until(lambda: viewer.seq >= seen + ENTRIES_BETWEEN and terminal.studio, lambda: terminal.text)
    if kind == "asked":
        before = terminal.text.count(GONE)
        with killing_every_studio(terminal):
            wait_until(lambda: terminal.text.count(GONE) > before, lambda: terminal.text)
    lives, started_at = viewer.lives, time.monotonic()
    if kind != "asked":
        os.kill(terminal.studio, signal.SIGSTOP if kind == "stalled" else signal.SIGKILL)
    return viewer.whole_at(lives + 1) - started_at


class Lookout(threading.Thread):
    """Watches the journal and the diary grow; counts, for each hand dealt, how many hands were not yet shown.

    It reads the journal first: a hand that is shown between the two reads can only make the number smaller.
    """

    def __init__(self, event_folder: EventFolder) -> None:
        super().__init__(daemon=True)
        self.ahead: list[int] = []
        self.over = threading.Event()
        self._journal = event_folder.journal
        self._read = 0
        self._ended: set[int] = set()

    def run(self) -> None:
        while not self.over.wait(TICK_SECONDS):
            with suppress(FileNotFoundError):
                self._look()

    def _look(self) -> None:
        new = self._journal.read_bytes()[self._read :]
        new = new[: new.rfind(b"\n") + 1]
        self._read += len(new)
        lines = [json.loads(line) for line in new.splitlines()]
        self._ended |= {line["seq"] for line in lines if line.get("type") == "hand_ended"}
        dealt = sum(line.get("type") == "hand_started" for line in lines)
        diary, aired = self._journal.with_suffix(".air"), set[int]()
        if dealt and diary.exists():
            aired = {line.seq for line in read_diary(diary) if isinstance(line, AiredLine)}
        ahead = len(self.ahead) - len(self._ended & aired)
        self.ahead += range(ahead + 1, ahead + dealt + 1)


class Struck(Struct, frozen=True):
    """An evening with failures of the studio.

    `ahead` has, for each hand, how many hands were dealt but not yet shown when it was dealt; `seconds` until viewers
    saw everything again, by failure; `asked` how often the operator was asked; `late` the answers that were late; and
    `gaps` counts missing entries.
    """

    ahead: list[int]
    seconds: list[float]
    asked: int
    late: int
    gaps: int


def play_with_failures(failures: int, *, kills_only: bool) -> Struck:
    """Plays an evening with `failures` failures of the studio, of three kinds or only kills."""
    with tempfile.TemporaryDirectory() as name:
        event_folder, seconds = write_evening(Path(name), secrets_of(NAMES)), list[float]()
        lookout = Lookout(event_folder)
        with (
            RemoteBots(event_folder.register, secrets_of(NAMES), wild=0.0),
            tournament(event_folder, "--speed", SPEED) as terminal,
            Viewer(event_folder.base) as viewer,
        ):
            lookout.start()
            terminal.wait_for_output("projector")
            viewer.whole_at(1)
            for number in range(1, failures + 1):
                kind = "asked" if number % ASKED == 0 else "stalled" if number % STALLED == 0 else "killed"
                seconds.append(attack(terminal, viewer, "killed" if kills_only else kind))
            lookout.over.set()
            lookout.join()
        verify(event_folder.entries)
        late = sum(bool(action.fault) for action in of_kind(event_folder.entries, ActionTaken))
    return Struck(lookout.ahead, seconds, terminal.text.count(GONE), late, len(viewer.gaps))


def try_studio_kills(kills: int) -> Outcome:
    """Kills the studio again and again in one game: the table must continue, and viewers must soon see everything."""
    struck = play_with_failures(kills, kills_only=True)
    middle = statistics.median(struck.seconds)
    figure = f"{struck.late} late bots, whole again in {middle:.2f} s (longest {max(struck.seconds):.2f})"
    lost = struck.late + struck.gaps + (middle > STUDIO_SECONDS)
    return Outcome("kills of the studio", kills, lost, figure, "nobody late, below 2 s")


def try_unseen_hands(failures: int) -> Outcome:
    """Counts unseen hands while the studio is killed or stopped, or killed until the operator is asked."""
    struck = play_with_failures(failures, kills_only=False)
    unseen = sum(count > MAX_AHEAD for count in struck.ahead)
    most = max(struck.ahead)
    figure = f"{len(struck.ahead)} hands dealt, at most {most} ahead, the operator asked {struck.asked} times"
    return Outcome("failures", failures, unseen + struck.gaps, figure, "0 hands unseen without the operator's word")
