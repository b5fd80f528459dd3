"""What the Arena is held with: its bots are called where the event file says that they listen."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from broadcast.app import Studio
from server.app.demo.bots import DemoBots, demo_of_called, think_seconds
from server.app.event.entries import enter_characters
from server.app.event.http_bots import find_bots
from server.app.practice.channels import PracticeChannels
from server.app.practice.pages import Offer
from server.app.venue.venue import Venue
from server.bots.house.characters import CHARACTERS
from server.bots.house.processes import house_hosts
from server.config.event_file import EventPlan
from server.config.settings import Settings
from server.contests.arena.contest import CONTEST
from server.contests.arena.venue.config_file import read_arena
from server.contests.arena.venue.practice import practice_games, practice_router

HOUSE = "server.contests.arena.venue.house"


class ArenaVenue(Venue):
    """See `Venue`."""

    def offer(self, channels: PracticeChannels, networks: Sequence[str]) -> Offer:
        route = "POST {base}/practice   (url, such as http://127.0.0.1:5001; or the form there)"
        return Offer(route, practice_router(practice_games(channels), networks))

    def demo_bots(
        self, settings: Settings, studio: Studio, base: str, journal: Path
    ) -> AbstractAsyncContextManager[DemoBots]:
        return _found(settings)

    def read_file(self, path: Path) -> EventPlan:
        return read_arena(path)


@asynccontextmanager
async def _found(settings: Settings) -> AsyncIterator[DemoBots]:
    async with house_hosts(HOUSE, CHARACTERS, settings.seed.hex(), think_seconds(settings)) as urls:
        found = [found.address for found in await find_bots(urls, ())]
        addresses = {bot: address for bot, address in enumerate(found, 1) if address}
        yield demo_of_called(CONTEST, enter_characters(settings), addresses)
