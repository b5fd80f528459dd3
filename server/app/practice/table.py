"""One practice table: a game with its own director, journal and show. Its users seat the bots."""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from broadcast.odds.worker import OddsWorker
from broadcast.on_air.log import AirLog
from broadcast.show.showrunner import Showrunner
from server.config.settings import Settings
from server.game.events import Entrant, Event, TournamentEnded
from server.game.tournament import Contest
from server.journal.bus import Bus
from server.journal.journal import Journal
from server.registration.register import HOUSE_THINKS_MS
from server.shuffle import key_of
from server.text.grammar import short_name
from server.tournament.director import Director


class PracticeTable:
    """A game that plays as soon as all bots are seated, and does not wait for its show."""

    def __init__(
        self,
        settings: Settings,
        air: AirLog,
        contest: Contest,
        entrants: Sequence[Entrant],
        begin: Callable[[Path], Journal] = Journal,
        *,
        think_ms: int = HOUSE_THINKS_MS,
    ) -> None:
        """The show goes to `air`; `begin` opens the journal; `think_ms` is how long a house bot thinks at most.

        Raises OSError where the journal cannot be opened.
        """
        self.seed = key_of(settings.seed, air.channel)
        self.think_seconds = think_ms / 1000 if settings.speed else 0.0
        begun = f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}"
        path = settings.recordings / "practice" / f"{begun}-{air.channel}-{air.epoch}.jsonl"
        self.recording = path.relative_to(settings.recordings).with_suffix("").as_posix()
        """The name of the recording in the archive."""
        self._bus = Bus(begin(path), time.monotonic)
        self._showrunner = Showrunner(air, clock=time.monotonic, odds=OddsWorker())
        self.director = Director(contest, entrants, seed=self.seed, bus=self._bus, gate=_open_gate)

    def listen(self, listener: Callable[[Event], object]) -> None:
        """Calls `listener` with every event from now on."""
        self._bus.listeners.append(listener)

    async def show(self) -> None:
        """Shows the game to its end, at the pace of a show."""
        await self._showrunner.run(self._bus.follow())

    async def play(self) -> TournamentEnded:
        """Plays the game to its end and returns the placings. Raises OSError where the disk does not take an event."""
        return await self.director.run()

    def close(self) -> None:
        """Closes the journal; the show ends once it has shown what is there."""
        self._bus.close()


async def _open_gate() -> None:
    """The table waits for nobody."""


def title_of(name: str) -> str:
    """The title of a bot's practice game, on air and in lists."""
    return f"Practice game of {short_name(name)}"
