"""What the ACPC is held with: its players are programs that connect to a port of their own."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import Response

from broadcast.app import Studio
from server.app.demo.bots import DemoBots, think_seconds
from server.app.event.check_in import CheckInDesk
from server.app.event.house_entrants import enter_characters
from server.app.practice.channels import PracticeChannels
from server.app.practice.pages import Form, Offer, page_of, warn
from server.app.practice.tcp_games import TcpGames
from server.app.venue.venue import Venue
from server.bots.house.characters import CHARACTERS
from server.bots.house.styles import styles
from server.config.settings import Settings
from server.contests.acpc.dialect import Acpc
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import GAME, SEATS, match_of
from server.contests.acpc.venue.house import play
from server.game.tournament import Format
from server.registration.register import register_router
from server.tournament.director import Director

_CONNECT_SECONDS = 120.0
"""How long a port waits for a player that is started by hand."""
_FORM = Form(
    "Practice for the ACPC",
    "/practice",
    how="POST /register with your bot's name, then start it with this host and the port_number that comes back: its "
    "match begins at once. The own_url that comes back is a page for you alone; with a key of your choice the next "
    "match is on it, too.",
)


class AcpcVenue(Venue):
    """See `Venue`."""

    def offer(self, channels: PracticeChannels, networks: Sequence[str]) -> Offer:
        return Offer("POST {base}/register, then start the bot with the port_number", _practice_router(channels))

    def demo_bots(
        self, settings: Settings, studio: Studio, base: str, journal: Path
    ) -> AbstractAsyncContextManager[DemoBots]:
        return _demo_bots(settings)


def _practice_match(seats: int, hands: int) -> Format:
    """The ACPC as it is practised."""
    return match_of(Game(seats), hands, "Practice", draw=False)


def _practice_router(channels: PracticeChannels) -> APIRouter:
    """The request that gives a player its port, and the page that lists the matches."""
    router = register_router(TcpGames(_practice_match, channels, connect_seconds=_CONNECT_SECONDS).check_in, warn)
    page = page_of(channels.guests, _FORM)

    @router.get(_FORM.path)
    async def look(request: Request) -> Response:
        """The page that lists the matches."""
        return page(request)

    return router


@asynccontextmanager
async def _demo_bots(settings: Settings) -> AsyncIterator[DemoBots]:
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
