"""Runs the contest Quick Draw: its bots register over HTTP and connect over TCP."""

from collections.abc import Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Any

from broadcast.app import Studio
from server.app.evening.check_in import CheckInDesk
from server.app.evening.entries import enter_characters
from server.app.practice.connect_bots import TcpGames
from server.app.practice.games.plan import practice_format
from server.app.practice.practice_server import PracticeServer
from server.app.practice.registration_forms import PracticeForm, PracticeSetup, tcp_router
from server.app.venue.venue import DemoBots, Venue, demo_over_tcp, random_for_bot, think_seconds
from server.bots.house.characters import CHARACTERS, Character
from server.bots.house.styles import styles
from server.config.settings import Settings
from server.contests.quick_draw.contest import CONTEST
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.contests.quick_draw.venue.house import play, register
from server.registration.register import register_router

_FORM = PracticeForm(
    "Practice for Quick Draw",
    "/practice",
    how="POST /register with your bot's name, then connect to the port that comes back: its game begins at once. "
    "The own_url that comes back is a page for you alone. To have all your games on it, always register with the same "
    "key, which you choose yourself.",
)


class QuickDrawVenue(Venue):
    def practice_setup(self, server: PracticeServer, networks: Sequence[str]) -> PracticeSetup:
        game = partial(practice_format, QUICK_DRAW_FORMAT)
        return PracticeSetup("POST {base}/register", tcp_router(TcpGames(game, server), _FORM), game)

    def demo_bots(
        self, settings: Settings, studio: Studio, base: str, journal: Path
    ) -> AbstractAsyncContextManager[DemoBots]:
        port = int(base.rpartition(":")[2])

        async def bots_at(desk: CheckInDesk) -> list[Coroutine[Any, Any, None]]:
            studio.app.include_router(register_router(desk.check_in))
            return [_join(character, settings, port) for character in CHARACTERS]

        return demo_over_tcp(CONTEST, tuple(enter_characters(settings)), settings, bots_at)


async def _join(character: Character, settings: Settings, port: int) -> None:
    game_port, style = await register(settings.host, port, character.name), styles()[character.style]
    await play(
        settings.host, game_port, character.name, style, random_for_bot(settings, character), think_seconds(settings)
    )
