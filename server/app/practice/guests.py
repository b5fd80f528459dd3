"""Keeps track of guests, which are the bots that practise: their status and their faults, for their authors. Also shows
the guests' games.
"""

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from broadcast.odds.calculator import OddsCalculator
from broadcast.on_air.air_log import AirLog
from broadcast.show.showrunner import Showrunner
from server.app.decisions.faults import FaultReport
from server.app.practice.games.plan import GUEST_NUMBER
from server.bots.house.ladder import describe_strength
from server.game.events import HandEnded, TournamentEnded
from server.journal.bus import Bus
from server.journal.journal import JournalFollower

LISTED_GUESTS = 40
"""The practice page lists at most this many bots, the latest ones."""
MAX_FAULTS = 10
"""At most this many faults of a game are kept. Further faults are only counted."""


class Guest(Struct, eq=False):
    """A bot that practises, and its game. `status` describes the state of the game, and `channel` is the channel that
    shows the game.
    """

    name: str
    channel: str
    status: str
    number: int = GUEST_NUMBER
    """The bot's number in its game."""
    seated: bool = False
    over: bool = False
    played: bool = False
    """Whether the game is over. Its show may still continue."""
    recording: str = ""
    """The name of the game's recording, or "" until the game starts."""
    faults: list[FaultReport] = []
    further_fault_count: int = 0
    """The number of faults beyond those in `faults`."""
    client: str = ""
    """The address from which the bot registered."""
    page_token: str = ""
    """The last part of the secret link to the author's page."""
    strength: int = 0
    """The strength of the house bots in the game, or 0 if the author did not choose one."""
    against: tuple[str, ...] = ()
    """The name of the other author's bot in the game, if there is one."""
    rung: int = 0
    """The strength of the house bots if the game counts for the bot's place among them, otherwise 0."""

    @property
    def house_strength(self) -> str:
        """The strength of the house bots in the game, as text, or "" if the author did not choose one."""
        return describe_strength(self.strength) if self.strength else ""

    @property
    def own_url(self) -> str:
        """The path of the author's page, or "" without a `page_token`. Only the author gets a `Guest` with a token."""
        return self.page_token and f"/practice/own/{self.page_token}"

    @property
    def watch_url(self) -> str:
        """The path of the page that shows the game."""
        return f"/watch?channel={self.channel}"


class Guests:
    """The bots of one practice server, the latest first."""

    def __init__(self) -> None:
        self.latest: deque[Guest] = deque(maxlen=LISTED_GUESTS)
        self.listeners: list[Callable[[Guest, str], object]] = []
        """Functions that are called with a bot and a text. The text is the new status of the bot's game, or the bot's
        latest fault.
        """

    def report_status(self, guest: Guest, status: str, *, over: bool = False) -> None:
        """Reports the new status of a bot's game, such as "plays". With `over`, this is the last status: the game and
        its show have ended, or there will be no game.
        """
        if status != guest.status:
            guest.status, guest.over = status, over
            self._notify(guest, status)

    def report_fault(self, guest: Guest, fault: FaultReport) -> None:
        """Reports a bot's fault."""
        if len(guest.faults) >= MAX_FAULTS:
            guest.further_fault_count += 1
            return
        guest.faults.append(fault)
        self._notify(guest, fault.line)

    def _notify(self, guest: Guest, text: str) -> None:
        for listener in self.listeners:
            listener(guest, text)


class PracticeShow:
    """The show of a game on its channel."""

    def __init__(self, air: AirLog, journal: Path) -> None:
        """`journal` is the path of the recording, which exists once the game has started."""
        self.hands = 0
        """The number of finished hands."""
        self.end_event: TournamentEnded | None = None
        """The last event of the game, with the placings, or None until the game is over."""
        self.journal = journal
        self._follower: JournalFollower | None = None
        self._bus = Bus(None, time.monotonic)
        self._showrunner = Showrunner(air, clock=time.monotonic, odds=OddsCalculator())

    async def run(self) -> None:
        """Shows the game to its end, at the pace of a show."""
        await self._showrunner.run(self._bus.follow())

    def read_to(self, seq: int) -> None:
        """Reads the recording up to entry number `seq`. Raises OSError and JournalDamaged."""
        if self._follower is None:
            self._follower = JournalFollower(self.journal)
        entries = self._follower.read(seq)
        for entry in entries:
            match entry.event:
                case HandEnded():
                    self.hands += 1
                case TournamentEnded() as ended:
                    self.end_event = ended
        self._bus.load(entries)

    def close(self) -> None:
        """Closes the recording. The show ends once it has shown the last entry of the recording."""
        self._bus.close()
        if self._follower:
            self._follower.close()
