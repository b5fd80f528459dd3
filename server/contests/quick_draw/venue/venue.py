"""What Quick Draw is held with: its bots register over HTTP and connect over TCP."""

from collections.abc import Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from broadcast.app import Studio
from server.app.demo.bots import DemoBots, demo_of_connecting, dice, think_seconds
from server.app.event.check_in import CheckInDesk
from server.app.event.house_entrants import enter_characters
from server.app.practice.channels import PracticeChannels
from server.app.practice.pages import Offer, connecting_router
from server.app.practice.seating import TcpGames
from server.app.venue.venue import Venue
from server.bots.house.characters import CHARACTERS, Character
from server.bots.house.styles import styles
from server.config.settings import Settings
from server.contests.quick_draw.contest import CONTEST
from server.contests.quick_draw.venue.house import play, register
from server.contests.quick_draw.venue.practice import FORM, practice_game
from server.registration.register import register_router


class QuickDrawVenue(Venue):
    """See `Venue`."""

    def offer(self, channels: PracticeChannels, networks: Sequence[str]) -> Offer:
        return Offer("POST {base}/register", connecting_router(TcpGames(practice_game, channels), FORM))

    def demo_bots(
        self, settings: Settings, studio: Studio, base: str, journal: Path
    ) -> AbstractAsyncContextManager[DemoBots]:
        port = int(base.rpartition(":")[2])

        async def bots_at(desk: CheckInDesk) -> list[Coroutine[Any, Any, None]]:
            studio.app.include_router(register_router(desk.check_in))
            return [_join(character, settings, port) for character in CHARACTERS]

        return demo_of_connecting(CONTEST, tuple(enter_characters(settings)), settings, bots_at)


async def _join(character: Character, settings: Settings, port: int) -> None:
    """Registers a bot over HTTP and plays to the end."""
    door, style = await register(settings.host, port, character.name), styles()[character.style]
    await play(settings.host, door, character.name, style, dice(settings, character), think_seconds(settings))
