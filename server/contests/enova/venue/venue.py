"""Runs the contest Enova: its bots register, are asked whether they are ready, and are called to their seats.

In practice, `/tournament/register` answers as in a tournament. The header `Watch-Url` has the address of the game's
page, and `Own-Url` that of the author's own page.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response
from msgspec.structs import replace

from broadcast.app import Studio
from server.app.evening.entries import Field, enter_characters
from server.app.evening.http_bots import THIS_MACHINE
from server.app.host_lookup import HostLookup
from server.app.practice.channels import PracticeChannels
from server.app.practice.games.plan import practice_format
from server.app.practice.guests import Guest
from server.app.practice.pages import Fields, Form, Offer, http_router, text_of
from server.app.practice.seating import PATIENCE_SECONDS, HttpGames
from server.app.registering import WELCOME, header_text
from server.app.venue.venue import DemoBots, Venue, demo_over_http, think_seconds
from server.bots.house.characters import CHARACTERS
from server.bots.house.processes import house_hosts
from server.config.event_file import EveningPlan
from server.config.settings import Settings
from server.contests.enova.contest import CONTEST
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.enova.venue.open_registration import enova_field
from server.contests.enova.venue.ready_check import ready_check, why_not_seated
from server.contests.enova.venue.registry import EnovaRegistry, enova_router, look_at, registrations_of
from server.journal.reopen import Begun
from server.registration.wishes import asked_in

HOUSE_MODULE = "server.contests.enova.venue.house"
FORM = Form(
    "Practice for Enova",
    "/tournament/register",
    "hostname",
    "Host and port",
    "10.23.221.24:3000",
    "Where your bot listens. It must answer GET /player/ready and POST /player/seat with 200, and then it plays.",
    named=True,
)


def practice_games(channels: PracticeChannels, patience_seconds: float = PATIENCE_SECONDS) -> HttpGames:
    """Starts the practice games. A bot that does not answer is called again for up to `patience_seconds`."""
    return HttpGames(ENOVA_FORMAT, why_not_seated, channels, patience_seconds)


def practice_router(games: HttpGames, networks: Sequence[str]) -> APIRouter:
    """The practice page, and the request that registers a bot. Bots may be on this machine and in `networks`."""
    find = HostLookup((*THIS_MACHINE, *networks))

    async def admit(fields: Fields, client: str, port: int) -> tuple[Guest, list[str]]:
        bot = await look_at(text_of(fields, "hostname"), text_of(fields, "name"), client, find, port)
        return games.welcome(bot.name, bot.address, client, asked_in(fields))

    return http_router(games, FORM, admit, _welcomed, lambda why: PlainTextResponse(why.text, why.status))


def _welcomed(guest: Guest, watch_url: str, own_url: str, warnings: list[str]) -> Response:
    headers = {
        "Watch-Url": watch_url,
        "Own-Url": own_url,
        "House-Bots": guest.house,
        "Warnings": header_text("; ".join(warnings)),
    }
    return PlainTextResponse(WELCOME, headers={name: text for name, text in headers.items() if text})


class EnovaVenue(Venue):
    def offer(self, channels: PracticeChannels, networks: Sequence[str]) -> Offer:
        route = "POST {base}/tournament/register   (hostname and name), or the form on that page"
        return Offer(route, practice_router(practice_games(channels), networks), partial(practice_format, ENOVA_FORMAT))

    @asynccontextmanager
    async def demo_bots(self, settings: Settings, studio: Studio, base: str, journal: Path) -> AsyncIterator[DemoBots]:
        """The bots register themselves, as any bot would."""
        registry = EnovaRegistry(registrations_of(journal))
        studio.app.include_router(enova_router(registry))
        seed, pause = settings.seed.hex(), think_seconds(settings)
        async with house_hosts(HOUSE_MODULE, CHARACTERS, seed, pause, register_at=base) as urls:
            await registry.wait_for_bots(len(CHARACTERS))
            registry.is_open = False
            seated = await ready_check(registry.registered)
            ports = (int(url.rpartition(":")[2]) for url in urls)
            looks = dict(zip(ports, enter_characters(settings), strict=True))
            entrants = tuple(
                replace(looks[seated.addresses[one.bot].port], bot=one.bot, name=one.name, player=one.player)
                for one in seated.entrants
            )
            yield demo_over_http(CONTEST, entrants, seated.addresses)

    async def field(self, plan: EveningPlan, begun: Begun, token: str, closing: AsyncExitStack, work: Path) -> Field:
        return await enova_field(plan, begun, token, closing)
