"""One practice table: a game with its own director, journal and show. Who sits there, and how, is for others."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from broadcast.airlog import AirLog
from broadcast.bookmaker import Bookmaker
from broadcast.showrunner import Showrunner
from server.bus import Bus
from server.config import Settings
from server.director import Director
from server.game.events import Entrant, Event, TournamentEnded
from server.game.tournament import Contest
from server.journal import Journal
from server.shuffle import key_of

THINK_SECONDS = 0.3
"""The longest a house bot ponders here: authors want their game, viewers have the show."""


class PracticeTable:
    """A table that plays as soon as all are seated, and waits for nobody. Raises OSError where the disk is full."""

    def __init__(self, settings: Settings, air: AirLog, contest: Contest, entrants: Sequence[Entrant]) -> None:
        self.seed = key_of(settings.seed, air.channel)
        self.think_seconds = THINK_SECONDS if settings.speed else 0.0
        begun = f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}"
        journal = Journal(settings.recordings / "practice" / f"{begun}-{air.channel}-{air.epoch}.jsonl")
        self._bus = Bus(journal, time.monotonic)
        self._showrunner = Showrunner(air, clock=time.monotonic, bookmaker=Bookmaker())
        self.director = Director(contest, entrants, seed=self.seed, bus=self._bus, gate=_open_gate)

    @property
    def events(self) -> list[Event]:
        """All that has happened so far."""
        return [entry.event for entry in self._bus.entries]

    async def show(self) -> None:
        """Shows the game at its own pace, to the end."""
        await self._showrunner.run(self._bus.follow())

    async def play(self) -> TournamentEnded:
        """Plays the game to its end; the guest is never held up by the show."""
        return await self.director.run()

    def close(self) -> None:
        """Nothing more will happen here."""
        self._bus.close()


async def _open_gate() -> None:
    """The table waits for nobody."""
