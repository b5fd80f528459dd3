"""Plays the games of a season on this machine. What plays them elsewhere has the same methods."""

import asyncio
from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from server.game.events import Entrant
from server.season.builds import Start
from server.season.files import Store
from server.season.game import Contender, play_game
from server.season.open_games import GamesStatus, OpenGames
from server.season.outcome import GameOutcome
from server.season.standings import Upload


class GamePlan(Struct, frozen=True):
    """A game that is to be played. Pairs are the defender's and the challenger's; its cards follow from `seed`."""

    number: int
    uploads: tuple[Upload, Upload]
    entrants: tuple[Entrant, Entrant]
    seed: bytes


class GameRunner(Protocol):
    """Plays games."""

    @property
    def places(self) -> int:
        """How many games are worth being given to it at a time now; may change."""

    async def play(self, plan: GamePlan) -> GameOutcome:
        """Plays a game to its end. Raises OSError, Diverged or JournalDamaged where it cannot be finished."""

    def status(self) -> GamesStatus:
        """What the operator is told."""


class LocalGames:
    """Plays games between bots that were built here; one that a crash interrupted goes on from its journal."""

    def __init__(self, store: Store, starts: Mapping[int, Start], places: int) -> None:
        """`starts` has for each upload that is built what starts it; `places` is how many it plays at a time."""
        self.places = places
        self._free = asyncio.Semaphore(places)
        self._open = OpenGames()
        self._store = store
        self._starts = starts

    async def play(self, plan: GamePlan) -> GameOutcome:
        """Plays a game to its end, once there is a place for it. Raises as `play_game`."""
        defender, challenger = (
            Contender(entrant, self._starts[upload.number])
            for entrant, upload in zip(plan.entrants, plan.uploads, strict=True)
        )
        journal = self._store.game(plan.number).journal
        with self._open.playing(plan.number) as game:
            async with self._free:
                game.tries += 1
                return await play_game(defender, challenger, seed=plan.seed, journal=journal)

    def status(self) -> GamesStatus:
        """What the operator is told."""
        return GamesStatus(self._open.oldest(), self._open.per_minute(), self.places)
