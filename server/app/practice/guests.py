"""The bots that practise: how the game of each stands and what it did wrong, in words for its author, and its show."""

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from broadcast.odds.worker import OddsWorker
from broadcast.on_air.log import AirLog
from broadcast.show.showrunner import Showrunner
from server.app.decisions.faults import OwnFault
from server.app.practice.games.plan import GUEST
from server.bots.house.ladder import in_words
from server.game.events import HandEnded, TournamentEnded
from server.journal.bus import Bus
from server.journal.journal import Tail

KEPT = 40
"""How many bots the page lists, the latest."""
MAX_FAULTS = 10
"""How many faults of one game are kept in words; further ones are only counted."""


class Guest(Struct, eq=False):
    """A bot that practises; `stands` says in words how its game stands, `channel` is where it is shown."""

    name: str
    channel: str
    stands: str
    number: int = GUEST
    """Its number in its game."""
    seated: bool = False
    over: bool = False
    played: bool = False
    """Whether its game has been played to its end, also where the show of it goes on."""
    recording: str = ""
    """The name of its game's recording; "" before there is one."""
    faults: list[OwnFault] = []
    more: int = 0
    """How many faults there were beyond those in `faults`."""
    client: str = ""
    """The address that it came from."""
    own: str = ""
    """What the secret link of its author's page ends with."""
    strength: int = 0
    """Of the house bots of its game, where its author has chosen it; else 0."""
    against: tuple[str, ...] = ()
    """The bot of another author in its game, if there is one."""
    rung: int = 0
    """The rung of the ladder against which its game counts; 0 for none."""

    @property
    def house(self) -> str:
        """How strong the house bots of its game are, in words; "" where they play as they like."""
        return in_words(self.strength) if self.strength else ""

    @property
    def own_url(self) -> str:
        """The path of its author's page, which only its author is told; "" where this is somebody else."""
        return self.own and f"/practice/own/{self.own}"

    @property
    def watch_url(self) -> str:
        """The path of the page that shows its game, once it has begun."""
        return f"/watch?channel={self.channel}"


class Guests:
    """The bots of one practice command, the latest first."""

    def __init__(self) -> None:
        self.latest: deque[Guest] = deque(maxlen=KEPT)
        self.listeners: list[Callable[[Guest, str], object]] = []
        """Called with a bot and a sentence about it: how its game stands now, or what it did wrong."""

    def stands(self, guest: Guest, words: str, *, over: bool = False) -> None:
        """Says how a bot's game stands now, such as "plays"; with `over` its game has ended."""
        if words != guest.stands:
            guest.stands, guest.over = words, over
            self._tell(guest, words)

    def wrong(self, guest: Guest, fault: OwnFault) -> None:
        """Says what a bot did wrong."""
        if len(guest.faults) >= MAX_FAULTS:
            guest.more += 1
            return
        guest.faults.append(fault)
        self._tell(guest, fault.line)

    def _tell(self, guest: Guest, words: str) -> None:
        for listener in self.listeners:
            listener(guest, words)


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
        self._bus.load(entries)

    def close(self) -> None:
        """Ends the recording; the show ends once it has shown what is there."""
        self._bus.close()
        if self._tail:
            self._tail.close()
