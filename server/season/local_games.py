"""Plays the games of a season on this machine. Lists the open games (games in progress) for the operator's page."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Protocol

from msgspec import Struct

from server.game.events import Entrant
from server.season.builds import StartBot
from server.season.files import SeasonFiles
from server.season.outcome import GameOutcome
from server.season.play_game import Contender, play_game
from server.season.season_state import Upload

RATE_PERIOD_SECONDS = 300.0
"""How many seconds the average of games per minute covers."""


class WorkerRow(Struct, frozen=True):
    """A connected worker (another machine that plays games). Its games took `seconds` on average. Before the first game
    is over, `seconds` is 0.0.
    """

    name: str
    games_at_once: int
    sandbox: str
    languages: tuple[str, ...]
    cores: int
    memory_bytes: int
    has: int
    """The number of games that the worker is playing or has queued."""
    played: int
    seconds: float


class OpenGame(Struct):
    """A game that is not over. The game has been open for `seconds` seconds, and was started `tries` times."""

    number: int
    seconds: float
    tries: int


class GamesStatus(Struct, frozen=True):
    """The state of all open games at one moment, for the operator's page."""

    games: tuple[OpenGame, ...]
    """The open games, oldest first."""
    per_minute: float
    """How many games ended per minute, averaged over the last five minutes."""
    places: int
    """How many games can be open at once."""
    scheduler: str = ""
    """The address of the workers' scheduler, or "" if games are played on this machine."""
    connected: bool = False
    """Whether this machine is connected to the scheduler."""
    workers: tuple[WorkerRow, ...] = ()
    shut_out: dict[str, str] = {}
    """Why some workers no longer get games, keyed by worker name."""
    lost: int = 0
    """How many times a game was restarted because its worker or the scheduler was gone."""


class GamePlan(Struct, frozen=True):
    """A game to play. Pairs are (defender, challenger): the challenged bot comes first. `seed` determines the cards."""

    number: int
    uploads: tuple[Upload, Upload]
    entrants: tuple[Entrant, Entrant]
    seed: bytes


class GameRunner(Protocol):
    """Plays games on this machine or on workers."""

    @property
    def slot_count(self) -> int:
        """How many games the runner currently accepts at once."""

    async def play(self, plan: GamePlan) -> GameOutcome:
        """Plays a game to its end. Raises OSError, Diverged or JournalDamaged if the game cannot be finished."""

    def status(self) -> GamesStatus:
        """Returns the status for the operator's page."""


class OpenGames:
    """The games that are not over."""

    def __init__(self) -> None:
        self._open_games: dict[int, OpenGame] = {}
        """The open games, keyed by number. Here, `seconds` is the monotonic time at which the game was started."""
        self._end_times: deque[float] = deque()

    @contextlib.contextmanager
    def track_game(self, number: int) -> Iterator[OpenGame]:
        """Lists a game as open until the context ends. Yields the `OpenGame`. The caller counts attempts in
        `OpenGame.tries`.
        """
        game = self._open_games[number] = OpenGame(number, time.monotonic(), 0)
        try:
            yield game
            self._end_times.append(time.monotonic())
        finally:
            del self._open_games[number]

    def status(self, slots: int) -> GamesStatus:
        """Returns the current status. `slots` is how many games can be open at once."""
        now = time.monotonic()
        games = tuple(OpenGame(game.number, now - game.seconds, game.tries) for game in self._open_games.values())
        return GamesStatus(games, self._per_minute(now), slots)

    def _per_minute(self, now: float) -> float:
        while self._end_times and self._end_times[0] < now - RATE_PERIOD_SECONDS:
            self._end_times.popleft()
        if len(self._end_times) < 2:
            return 0.0
        return (len(self._end_times) - 1) * 60 / max(now - self._end_times[0], 1e-3)


class LocalGames:
    """Plays games between bots that were built on this machine. Resumes an interrupted game from its journal."""

    def __init__(self, store: SeasonFiles, start_functions: Mapping[int, StartBot], slots: int) -> None:
        """Plays at most `slots` games at once. For each built upload, `start_functions` has the function that starts
        the bot.
        """
        self.slot_count = slots
        self._free_slots = asyncio.Semaphore(slots)
        self._open_games = OpenGames()
        self._store = store
        self._start_functions = start_functions

    async def play(self, plan: GamePlan) -> GameOutcome:
        """Waits for a free slot, and plays a game to its end. Raises the errors of `play_game`."""
        defender, challenger = (
            Contender(entrant, self._start_functions[upload.number])
            for entrant, upload in zip(plan.entrants, plan.uploads, strict=True)
        )
        journal = self._store.game_files(plan.number).journal
        with self._open_games.track_game(plan.number) as game:
            async with self._free_slots:
                game.tries += 1
                return await play_game(defender, challenger, seed=plan.seed, journal=journal)

    def status(self) -> GamesStatus:
        return self._open_games.status(self.slot_count)
