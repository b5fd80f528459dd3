"""What Enova is held with: its bots register, are asked whether they are ready and called to their seats."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path

from msgspec.structs import replace

from broadcast.app import Studio
from server.app.demo.bots import DemoBots, demo_of_called, think_seconds
from server.app.event.entries import Field, enter_characters
from server.app.practice.channels import PracticeChannels
from server.app.practice.pages import Offer
from server.app.venue.venue import Venue
from server.bots.house.characters import CHARACTERS
from server.bots.house.processes import house_hosts
from server.config.event_file import EventPlan
from server.config.settings import Settings
from server.contests.enova.contest import CONTEST
from server.contests.enova.venue.open_registration import enova_field
from server.contests.enova.venue.pages import enova_router
from server.contests.enova.venue.practice import practice_games, practice_router
from server.contests.enova.venue.ready_check import ready_check
from server.contests.enova.venue.registry import EnovaRegistry
from server.contests.enova.venue.store import registrations_of
from server.journal.resume import Begun

HOUSE = "server.contests.enova.venue.house"


class EnovaVenue(Venue):
    """See `Venue`."""

    def offer(self, channels: PracticeChannels, networks: Sequence[str]) -> Offer:
        route = "POST {base}/tournament/register   (hostname and name; or the form there)"
        return Offer(route, practice_router(practice_games(channels), networks))

    def demo_bots(
        self, settings: Settings, studio: Studio, base: str, journal: Path
    ) -> AbstractAsyncContextManager[DemoBots]:
        return _registered(settings, studio, base, journal)

    async def field(self, plan: EventPlan, begun: Begun, token: str, closing: AsyncExitStack, work: Path) -> Field:
        return await enova_field(plan, begun, token, closing)


@asynccontextmanager
async def _registered(settings: Settings, studio: Studio, base: str, journal: Path) -> AsyncIterator[DemoBots]:
    """Bots that register with the server by themselves, as any bot would."""
    registry = EnovaRegistry(registrations_of(journal))
    studio.app.include_router(enova_router(registry))
    async with house_hosts(HOUSE, CHARACTERS, settings.seed.hex(), think_seconds(settings), register_at=base) as urls:
        await registry.gathered(len(CHARACTERS))
        registry.close()
        seated = await ready_check(registry.registered)
        looks = {int(url.rpartition(":")[2]): one for url, one in zip(urls, enter_characters(settings), strict=True)}
        entrants = tuple(
            replace(looks[seated.addresses[one.bot].port], bot=one.bot, name=one.name, player=one.player)
            for one in seated.entrants
        )
        yield demo_of_called(CONTEST, entrants, seated.addresses)
