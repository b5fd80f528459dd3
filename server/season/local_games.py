"""Plays the games of a season on this machine. What plays them elsewhere has the same two methods."""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from server.game.events import Entrant
from server.season.builds import Start
from server.season.files import Store
from server.season.game import Contender, play_game
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
        """How many games it can play at a time now; may change."""

    async def play(self, plan: GamePlan) -> GameOutcome:
        """Plays a game to its end. Raises OSError, Diverged or JournalDamaged where it cannot be finished."""


class LocalGames:
    """Plays games between bots that were built here; one that a crash interrupted goes on from its journal."""

    def __init__(self, store: Store, starts: Mapping[int, Start], places: int) -> None:
        """`starts` has for each upload that is built what starts it; `places` is how many it plays at a time."""
        self.places = places
        self._store = store
        self._starts = starts

    async def play(self, plan: GamePlan) -> GameOutcome:
        """Plays a game to its end. Raises as `play_game`."""
        defender, challenger = (
            Contender(entrant, self._starts[upload.number])
            for entrant, upload in zip(plan.entrants, plan.uploads, strict=True)
        )
        return await play_game(defender, challenger, seed=plan.seed, journal=self._store.game(plan.number).journal)
