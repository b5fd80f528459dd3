"""The last hand that was on air from its first event to its last, as it was shown. Pure."""

from msgspec import Struct

from broadcast.picture import State
from server.game.events import Event, HandEnded, HandStarted, PotAwarded


class Shot(Struct, frozen=True):
    """What went on air at one moment, and for how long it held the screen at speed 1."""

    events: tuple[Event, ...]
    hold: int


class Take(Struct, frozen=True):
    """One hand: the picture before its first event, and all its shots."""

    hand: int
    picture: State
    shots: tuple[Shot, ...] = ()


class Reel:
    """Follows what goes on air. `last` is None until a hand has been on air completely.

    `is_won` means that the hand on air shows its winner by now: whoever asks for a replay means this one.
    """

    def __init__(self) -> None:
        self.last: Take | None = None
        self.is_won = False
        self._picture: State = {}
        self._hand = 0
        self._shots: list[Shot] = []

    def note(self, picture: State, shot: Shot) -> None:
        """`shot` goes on air over `picture`; its first event is the house's."""
        first = shot.events[0]
        if isinstance(first, HandStarted):
            self._picture, self._hand, self._shots = picture, first.hand, []
        self.is_won = isinstance(first, PotAwarded) or (self.is_won and not isinstance(first, HandEnded))
        if self._hand:
            self._shots.append(shot)
        if isinstance(first, HandEnded):
            self.last, self._hand = Take(self._hand, self._picture, tuple(self._shots)), 0
