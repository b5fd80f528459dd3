"""Runs the contest ACPC: each bot connects to a port of its own."""

from collections.abc import Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from broadcast.app import Studio
from server.app.evening.check_in import CheckInDesk
from server.app.evening.entries import enter_characters
from server.app.practice.connect_bots import TcpGames
from server.app.practice.practice_server import PracticeServer
from server.app.practice.registration_forms import PracticeForm, PracticeSetup, tcp_router
from server.app.venue.venue import DemoBots, Venue, demo_over_tcp, random_for_bot, think_seconds
from server.bots.house.characters import CHARACTERS
from server.bots.house.styles import styles
from server.config.settings import Settings
from server.contests.acpc.contest import CONTEST
from server.contests.acpc.game_definition import Game
from server.contests.acpc.rules import GAME, SEATS, match_of_game
from server.contests.acpc.venue.house import play
from server.game.formats import Format

_CONNECT_SECONDS = 120.0
"""How long the server waits at each port for a bot that its author starts by hand."""
_FORM = PracticeForm(
    "Practice for the ACPC",
    "/practice",
    how="POST /register with your bot's name, then start it with this host and the port_number that comes back: its "
    "match begins at once. The own_url that comes back is a page for you alone. To have all your matches on it, always "
    "register with the same key, which you choose yourself.",
)


class AcpcVenue(Venue):
    def practice_setup(self, server: PracticeServer, networks: Sequence[str]) -> PracticeSetup:
        def match(seats: int, hands: int) -> Format:
            return match_of_game(Game(seats), hands, "Practice", draws_seats=False)

        games = TcpGames(match, server, connect_seconds=_CONNECT_SECONDS)
        route = "POST {base}/register, then start the bot with the port_number"
        return PracticeSetup(route, tcp_router(games, _FORM), match)

    def demo_bots(
        self, settings: Settings, studio: Studio, base: str, journal: Path
    ) -> AbstractAsyncContextManager[DemoBots]:
        host, pause = settings.host, think_seconds(settings)

        async def bots_at(desk: CheckInDesk) -> list[Coroutine[Any, Any, None]]:
            seats = zip(CHARACTERS, (await desk.open_ports()).values(), strict=False)
            return [
                play(host, port, styles()[character.style], random_for_bot(settings, character), pause, GAME.stack)
                for character, port in seats
            ]

        return demo_over_tcp(CONTEST, tuple(enter_characters(settings))[:SEATS], settings, bots_at)
