"""Which captions are worth saying, and how long each may take: one after the other, the weightiest first. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from server.game.events import (
    ActionTaken,
    BotDisconnected,
    BotEliminated,
    BotRated,
    BotWithdrawn,
    Event,
    GameEnded,
    GameForfeited,
    GameStarted,
    HandEnded,
    HandShown,
    HandStarted,
    HoleDealt,
    PotAwarded,
    SeatVacated,
    StageCut,
    StageEnded,
    StageStarted,
    StreetDealt,
    TournamentEnded,
)

LINGER_MS = 800
"""So long a line may go on after its caption has made way for the next one."""
LEAST_ROOM_MS = 700
FOR_ALL = 30
"""What weighs less than this is said to those alone who cannot see the picture."""
_OTHER = 10
_ROUTINE = 5
_WEIGHTS: dict[type[Event], int] = {
    TournamentEnded: 100,
    BotEliminated: 90,
    StageEnded: 88,
    PotAwarded: 80,
    StageStarted: 75,
    GameEnded: 72,
    HandEnded: 70,
    GameForfeited: 70,
    StageCut: 70,
    HandShown: 60,
    StreetDealt: 50,
    HandStarted: 45,
    SeatVacated: 45,
    GameStarted: 40,
    BotWithdrawn: 40,
    HoleDealt: 35,
    BotRated: 32,
    BotDisconnected: 30,
}
_ACTS = {"raise": 40, "bet": 38, "call": 30, "check": _ROUTINE, "fold": 15}
_ALL_IN = 85


class Caption(Struct, frozen=True):
    """A caption that will be on air with entry `seq`: from when, in ms, and until when it may be spoken at the most."""

    seq: int
    text: str
    weight: int
    at_ms: int
    until_ms: int


def weight_of(event: Event, text: str) -> int:
    """How much it matters that this caption of `event` is heard, 0 to 100."""
    if isinstance(event, ActionTaken):
        return _ALL_IN if event.all_in else _ACTS[event.act]
    if isinstance(event, HandStarted) and text.endswith(" has the button."):  # else it is a storyline
        return _ROUTINE
    return _WEIGHTS.get(type(event), _OTHER)


def timed(shown: Sequence[tuple[int, Event, str, int]]) -> list[Caption]:
    """The captions of a hand, or of one event between two hands.

    Each of `shown` is an entry's number, its event, its caption, which may be "", and its hold in ms.
    """
    starts = [sum(hold for *_, hold in shown[:at]) for at in range(len(shown) + 1)]
    told = [(start, *each) for start, each in zip(starts, shown, strict=False) if each[2]]
    gone = [*(start + LINGER_MS for start, *_ in told[1:]), starts[-1]]
    return [
        Caption(seq, text, weight_of(event, text), start, min(until, starts[-1]))
        for (start, seq, event, text, _), until in zip(told, gone, strict=False)
    ]


class Timetable:
    """The times of a hand at which something is spoken already."""

    def __init__(self) -> None:
        self._taken: list[tuple[int, int]] = []

    def room_ms(self, caption: Caption) -> int:
        """How long the caption may be spoken; 0 where that is too short for anything."""
        if any(begins <= caption.at_ms < ends for begins, ends in self._taken):
            return 0
        later = (begins for begins, _ in self._taken if begins > caption.at_ms)
        room = min(caption.until_ms, *later, caption.until_ms) - caption.at_ms
        return room if room >= LEAST_ROOM_MS else 0

    def take(self, caption: Caption, ms: float) -> None:
        """Notes that the caption is spoken for so long."""
        self._taken.append((caption.at_ms, round(caption.at_ms + ms)))
