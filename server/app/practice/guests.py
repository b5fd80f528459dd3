"""The bots that practise: how the game of each stands, and what the bot did wrong, in words for its author."""

from collections import deque
from collections.abc import Callable

from msgspec import Struct

from server.app.decisions.faults import OwnFault
from server.app.practice.games.plan import GUEST
from server.bots.house.ladder import in_words

KEPT = 40
"""How many bots the page lists, the latest."""
MOST_FAULTS = 10
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

    def add(self, guest: Guest) -> Guest:
        """Adds a bot and returns it."""
        self.latest.appendleft(guest)
        return guest

    def stands(self, guest: Guest, words: str, *, over: bool = False) -> None:
        """Says how a bot's game stands now, such as "plays"; with `over` its game has ended."""
        if words != guest.stands:
            guest.stands, guest.over = words, over
            self._tell(guest, words)

    def wrong(self, guest: Guest, fault: OwnFault) -> None:
        """Says what a bot did wrong."""
        if len(guest.faults) >= MOST_FAULTS:
            guest.more += 1
            return
        guest.faults.append(fault)
        self._tell(guest, fault.line)

    def _tell(self, guest: Guest, words: str) -> None:
        for listener in self.listeners:
            listener(guest, words)
