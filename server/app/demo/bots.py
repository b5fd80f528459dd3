"""The house bots of a demo, which come in as the bots of their contest do."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from msgspec import Struct

from server.app.event.check_in import CheckInDesk
from server.app.event.http_bots import called_bots
from server.bots.house.characters import Character
from server.bots.transports.http import Address
from server.config.settings import Settings
from server.contests.contest import Contest
from server.game.events import Entrant
from server.tournament.director import Director

THINK_SECONDS = 2.0
"""The longest a house bot thinks, at speed 1."""


class DemoBots(Struct, frozen=True):
    """The bots that play; `seat` has them come to the table and returns once all are there."""

    entrants: tuple[Entrant, ...]
    seat: Callable[[Director], Awaitable[None]]


def think_seconds(settings: Settings) -> float:
    """The longest a house bot thinks in this show, in seconds."""
    return THINK_SECONDS / settings.speed if settings.speed else 0.0


def dice(settings: Settings, character: Character) -> random.Random:
    """The random choices of a house bot, which follow from the seed."""
    return random.Random(f"{settings.seed.hex()} {character.name}")  # noqa: S311 (how a house bot plays, never cards)


@asynccontextmanager
async def demo_of_connecting(
    contest: Contest,
    entrants: Sequence[Entrant],
    settings: Settings,
    bots_at: Callable[[CheckInDesk], Awaitable[Iterable[Coroutine[Any, Any, None]]]],
) -> AsyncIterator[DemoBots]:
    """Bots that connect: `bots_at` the desk that lets them in gives what they do, which ends with the context."""
    async with asyncio.TaskGroup() as tasks:
        playing: list[asyncio.Task[None]] = []

        async def seat(director: Director) -> None:
            desk = CheckInDesk(entrants, director, contest.talk, settings.host)
            playing.extend(map(tasks.create_task, await bots_at(desk)))
            await desk.everybody.wait()
            desk.close()

        yield DemoBots(tuple(entrants), seat)
        for task in playing:
            task.cancel()


def demo_of_called(contest: Contest, entrants: Sequence[Entrant], addresses: Mapping[int, Address]) -> DemoBots:
    """Bots that are called at their addresses, by bot number."""

    async def seat(director: Director) -> None:
        for bot in called_bots(contest, entrants, addresses, director.hear):
            director.welcome(bot)

    return DemoBots(tuple(entrants), seat)
