"""Who has come to practise, how each game stands, and what a bot did wrong, in words for its author."""

from collections import deque
from collections.abc import Callable

from msgspec import Struct

from server.front.words import plain
from server.game.events import ActionTaken, Event, Fault, FaultNoted, GameStarted, HandEnded, HandStarted, TurnStarted

KEPT = 40
"""Guests whose games are told of."""
MOST_FAULTS = 10
"""Of one game that are told; the others are counted."""
GUEST = 1
"""The guest's number in its game."""
_WHY: dict[Fault, str] = {
    "timeout": "no valid answer within {seconds:g} seconds",
    "malformed": "its answer could not be read",
    "illegal": "the rules forbid its answer",
    "disconnected": "it is gone",
}


class Guest(Struct, eq=False):
    """A bot that has come, and how its game stands."""

    name: str
    channel: str
    stands: str
    seated: bool = False
    over: bool = False
    recording: str = ""
    """The name of its game's recording, once there is one."""
    faults: list[str] = []
    more: int = 0
    """Faults that are not told any more."""

    @property
    def watch_url(self) -> str:
        """Where its game is shown, once it has begun."""
        return f"/overlay?channel={self.channel}"


class Guests:
    """The guests of one practice command, the latest first."""

    def __init__(self) -> None:
        self.latest: deque[Guest] = deque(maxlen=KEPT)
        self.listeners: list[Callable[[Guest, str], object]] = []
        """They hear what there is to tell of a guest: how it stands now, or what it did wrong."""

    def add(self, name: str, channel: str, stands: str) -> Guest:
        """Another guest."""
        guest = Guest(name, channel, stands)
        self.latest.appendleft(guest)
        return guest

    def stands(self, guest: Guest, words: str, *, over: bool = False) -> None:
        """How it stands now: "plays"; once its game is over it stays so."""
        if words != guest.stands:
            guest.stands, guest.over = words, over
            self._tell(guest, words)

    def wrong(self, guest: Guest, words: str) -> None:
        """What it did wrong: "hand 3: …"."""
        if len(guest.faults) >= MOST_FAULTS:
            guest.more += 1
            return
        guest.faults.append(plain(words))
        self._tell(guest, words)

    def _tell(self, guest: Guest, words: str) -> None:
        for listener in self.listeners:
            listener(guest, words)


class Observer:
    """Hears the events of a guest's game, and says what went wrong and how it ended."""

    def __init__(self, guests: Guests, guest: Guest) -> None:
        self.hands = 0
        self._guests = guests
        self._guest = guest
        self._hand = 0
        self._seat = -1
        self._asked = False
        self._refused: list[str] = []
        """Why its answers of this turn were refused so far."""

    def hear(self, event: Event) -> None:
        """What has happened at the table."""
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
        """In its turn a fault costs something only if no other answer follows."""
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
