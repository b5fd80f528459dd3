"""The games of a season that are being played, here or by workers, as its operator is told of them."""

import contextlib
import time
from collections import deque
from collections.abc import Iterator

from msgspec import Struct

KEPT_SECONDS = 300.0
"""Games a minute are those of so long."""


class WorkerRow(Struct, frozen=True):
    """A worker that is connected; `seconds` is what a game took there on average, 0.0 before the first."""

    name: str
    games_at_once: int
    sandbox: str
    languages: tuple[str, ...]
    cores: int
    memory_bytes: int
    has: int
    """Games that it plays or is to play next."""
    played: int
    seconds: float


class OpenGame(Struct):
    """A game that is not over: for how many seconds, and how often it was begun."""

    number: int
    seconds: float
    tries: int


class GamesStatus(Struct, frozen=True):
    """What is being played at one moment."""

    games: tuple[OpenGame, ...]
    """The oldest first."""
    per_minute: float
    """Games that ended in a minute, over the last five."""
    places: int
    """How many games can be played at a time."""
    scheduler: str = ""
    """The address of the scheduler of the workers; "" where games are played on the season's own machine."""
    connected: bool = False
    workers: tuple[WorkerRow, ...] = ()
    shut_out: dict[str, str] = {}
    """By the name of a worker that gets no games any more, why."""
    lost: int = 0
    """How many games were begun again, because a worker or the scheduler was gone."""


class OpenGames:
    """The games that are not over."""

    def __init__(self) -> None:
        self._open: dict[int, OpenGame] = {}
        """`seconds` is here the moment of the beginning, on a monotonic clock."""
        self._ended: deque[float] = deque()

    @contextlib.contextmanager
    def playing(self, number: int) -> Iterator[OpenGame]:
        """A game is open for the length of the `with`; whoever plays it counts its tries."""
        game = self._open[number] = OpenGame(number, time.monotonic(), 0)
        try:
            yield game
            self._ended.append(time.monotonic())
        finally:
            del self._open[number]

    def oldest(self) -> tuple[OpenGame, ...]:
        """The games that are open, the oldest first, with the seconds that each has been."""
        now = time.monotonic()
        return tuple(OpenGame(game.number, now - game.seconds, game.tries) for game in self._open.values())

    def per_minute(self) -> float:
        """Games that ended in a minute, over the last five."""
        now = time.monotonic()
        while self._ended and self._ended[0] < now - KEPT_SECONDS:
            self._ended.popleft()
        if len(self._ended) < 2:
            return 0.0
        return (len(self._ended) - 1) * 60 / max(now - self._ended[0], 1e-3)
