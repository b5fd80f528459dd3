"""The bots that practise: how the game of each stands, and what the bot did wrong, in words for its author."""

from collections import deque
from collections.abc import Callable

from msgspec import Struct

from server.console import plain
from server.game.events import ActionTaken, Event, Fault, FaultNoted, GameStarted, HandEnded, HandStarted, TurnStarted

KEPT = 40
"""How many bots the page lists, the latest."""
MOST_FAULTS = 10
"""How many faults of one game are kept in words; further ones are only counted."""
GUEST = 1
"""The number, in its game, of the bot that practises."""
_WHY: dict[Fault, str] = {
    "timeout": "no valid answer within {seconds:g} seconds",
    "malformed": "its answer could not be read",
    "illegal": "the rules forbid its answer",
    "disconnected": "it is gone",
}


class Guest(Struct, eq=False):
    """A bot that practises; `stands` says in words how its game stands, `channel` is where it is shown."""

    name: str
    channel: str
    stands: str
    seated: bool = False
    over: bool = False
    recording: str = ""
    """The name of its game's recording; "" before there is one."""
    faults: list[str] = []
    more: int = 0
    """How many faults there were beyond those in `faults`."""
    own: str = ""
    """What the secret link of its author's page ends with."""

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

    def add(self, name: str, channel: str, stands: str, own: str = "") -> Guest:
        """Adds a bot and returns it."""
        guest = Guest(name, channel, stands, own=own)
        self.latest.appendleft(guest)
        return guest

    def stands(self, guest: Guest, words: str, *, over: bool = False) -> None:
        """Says how a bot's game stands now, such as "plays"; with `over` its game has ended."""
        if words != guest.stands:
            guest.stands, guest.over = words, over
            self._tell(guest, words)

    def wrong(self, guest: Guest, words: str) -> None:
        """Says what a bot did wrong, such as "hand 3: no valid answer within 3 seconds: it folds"."""
        if len(guest.faults) >= MOST_FAULTS:
            guest.more += 1
            return
        guest.faults.append(plain(words))
        self._tell(guest, words)

    def _tell(self, guest: Guest, words: str) -> None:
        for listener in self.listeners:
            listener(guest, words)


class Observer:
    """Follows the events of one bot's game, counts its hands, and says what the bot did wrong."""

    def __init__(self, guests: Guests, guest: Guest) -> None:
        self.hands = 0
        self._guests = guests
        self._guest = guest
        self._hand = 0
        self._seat = -1
        self._asked = False
        self._refused: list[str] = []
        """Why the answers it gave in this turn were refused."""

    def hear(self, event: Event) -> None:
        """Takes the next event of the game."""
        match event:
            case GameStarted(seats=seats):
                self._seat = seats.index(GUEST)
            case HandStarted(hand=hand):
                self._hand = hand
            case TurnStarted(seat=seat):
                self._asked, self._refused = seat == self._seat, []
            case FaultNoted(bot=bot, detail=detail) if bot == GUEST:
                self._note(detail)
            case ActionTaken() if event.seat == self._seat:
                self._acted(event)
            case HandEnded():
                self.hands += 1
            case _:
                pass

    def _note(self, detail: str) -> None:
        """Keeps a fault in the bot's turn until it acts: if a valid answer follows in time, it has cost nothing."""
        if self._asked:
            self._refused.append(detail)
        else:
            self._tell(detail)

    def _acted(self, taken: ActionTaken) -> None:
        refused, self._asked = "; ".join(self._refused), False
        if taken.fault:
            why = refused or _WHY[taken.fault].format(seconds=taken.think_ms / 1000)
            self._tell(f"{why}: it {taken.act}s")
        elif refused:
            self._tell(f"{refused}: its next answer counts")

    def _tell(self, words: str) -> None:
        self._guests.wrong(self._guest, f"hand {self._hand}: {words}" if self._hand else words)
