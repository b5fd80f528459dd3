"""The show of one practice game, which another process plays: it follows the recording."""

import time
from pathlib import Path

from broadcast.odds.worker import OddsWorker
from broadcast.on_air.log import AirLog
from broadcast.show.showrunner import Showrunner
from server.game.events import HandEnded, TournamentEnded
from server.journal.bus import Bus
from server.journal.journal import Tail


class PracticeShow:
    """A game as it is shown on a channel."""

    def __init__(self, air: AirLog, journal: Path) -> None:
        """The recording is at `journal` once the game has begun."""
        self.hands = 0
        """How many hands are over."""
        self.ended: TournamentEnded | None = None
        """The placings, once the game is over."""
        self.journal = journal
        self._tail: Tail | None = None
        self._bus = Bus(None, time.monotonic)
        self._showrunner = Showrunner(air, clock=time.monotonic, odds=OddsWorker())

    async def run(self) -> None:
        """Shows the game to its end, at the pace of a show."""
        await self._showrunner.run(self._bus.follow())

    def grown(self, seq: int) -> None:
        """Takes in the recording, up to the entry of that number. Raises OSError and JournalDamaged."""
        if self._tail is None:
            self._tail = Tail(self.journal)
        entries = self._tail.read(seq)
        for entry in entries:
            match entry.event:
                case HandEnded():
                    self.hands += 1
                case TournamentEnded() as ended:
                    self.ended = ended
                case _:
                    pass
        self._bus.load(entries)

    def close(self) -> None:
        """Ends the recording; the show ends once it has shown what is there."""
        self._bus.close()
        if self._tail:
            self._tail.close()
