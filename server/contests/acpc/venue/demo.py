"""The house bots of a demo of the ACPC: each connects to a port of its own, as any player would."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from server.app.demo.bots import DemoBots, think_seconds
from server.app.event.check_in import CheckInDesk
from server.app.event.house_entrants import enter_characters
from server.bots.house.characters import CHARACTERS
from server.bots.house.styles import styles
from server.config.settings import Settings
from server.contests.acpc.dialect import Acpc
from server.contests.acpc.rules import GAME, SEATS
from server.contests.acpc.venue.house import play
from server.tournament.director import Director


@asynccontextmanager
async def demo_bots(settings: Settings) -> AsyncIterator[DemoBots]:
    """As many house bots as have a seat, on this machine."""
    entrants = tuple(enter_characters(settings))[:SEATS]
    async with asyncio.TaskGroup() as tasks:
        playing: list[asyncio.Task[None]] = []

        async def seat(director: Director) -> None:
            desk = CheckInDesk(entrants, director, Acpc, settings.host)
            ports = await desk.open_ports()
            for character, port in zip(CHARACTERS, ports.values(), strict=False):
                rng = random.Random(f"{settings.seed.hex()} {character.name}")  # noqa: S311 (how it plays, never cards)
                style, thinks = styles()[character.style], think_seconds(settings)
                playing.append(tasks.create_task(play(settings.host, port, style, rng, thinks, GAME.stack)))
            await desk.everybody.wait()
            desk.close()

        yield DemoBots(entrants, seat)
        for task in playing:
            task.cancel()
