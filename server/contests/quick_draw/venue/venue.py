"""What Quick Draw is held with: its bots register over HTTP and connect over TCP."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from broadcast.app import Studio
from server.app.demo.bots import DemoBots, think_seconds
from server.app.event.check_in import CheckInDesk
from server.app.event.house_entrants import enter_characters
from server.app.practice.channels import PracticeChannels
from server.app.practice.pages import Offer
from server.app.venue.venue import Venue
from server.bots.house.characters import CHARACTERS, Character
from server.bots.house.styles import styles
from server.config.settings import Settings
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.venue.house import play, register
from server.contests.quick_draw.venue.practice import practice_router
from server.registration.register import register_router
from server.tournament.director import Director


class QuickDrawVenue(Venue):
    """See `Venue`."""

    def offer(self, channels: PracticeChannels, networks: Sequence[str]) -> Offer:
        return Offer("POST {base}/register", practice_router(channels))

    def demo_bots(
        self, settings: Settings, studio: Studio, base: str, journal: Path
    ) -> AbstractAsyncContextManager[DemoBots]:
        return _demo_bots(settings, studio, base)


@asynccontextmanager
async def _demo_bots(settings: Settings, studio: Studio, base: str) -> AsyncIterator[DemoBots]:
    """Bots that register with the server at `base`, whose pages `studio` has."""
    entrants = tuple(enter_characters(settings))
    port = int(base.rpartition(":")[2])
    async with asyncio.TaskGroup() as tasks:
        playing: list[asyncio.Task[None]] = []

        async def seat(director: Director) -> None:
            check_in = CheckInDesk(entrants, director, QuickDraw, settings.host)
            studio.app.include_router(register_router(check_in.check_in))
            playing.extend(tasks.create_task(_join(character, settings, port)) for character in CHARACTERS)
            await check_in.everybody.wait()

        yield DemoBots(entrants, seat)
        for task in playing:
            task.cancel()


async def _join(character: Character, settings: Settings, port: int) -> None:
    """Registers a bot over HTTP and plays to the end."""
    door = await register(settings.host, port, character.name)
    rng = random.Random(f"{settings.seed.hex()} {character.name}")  # noqa: S311 (how a house bot plays, never cards)
    await play(settings.host, door, character.name, styles()[character.style], rng, think_seconds(settings))
