"""Runs the contest Enova. Its bots register. Then the server asks whether they are ready, and calls them to their
seats.

For practice games, `/tournament/register` answers as in a tournament, but adds headers. For example, `Watch-Url` is the
address of the game's page, and `Own-Url` is the address of the author's own page.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response
from msgspec.structs import replace

from broadcast.app import Studio
from server.app.bot_registration import WELCOME, header_text
from server.app.evening.entries import EnteredBots, enter_characters
from server.app.evening.http_bots import THIS_MACHINE
from server.app.host_lookup import HostLookup
from server.app.practice.connect_bots import READY_TIMEOUT_SECONDS, HttpGames
from server.app.practice.games.plan import practice_format
from server.app.practice.guests import Guest
from server.app.practice.practice_server import PracticeServer
from server.app.practice.registration_forms import Fields, PracticeForm, PracticeSetup, field_text, http_router
from server.app.venue.venue import DemoBots, Venue, demo_over_http, think_seconds
from server.bots.house.characters import CHARACTERS
from server.bots.house.processes import start_house_bots
from server.config.event_file import EveningPlan
from server.config.settings import Settings
from server.contests.enova.contest import CONTEST
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.enova.venue.open_registration import wait_for_entrants
from server.contests.enova.venue.ready_check import ready_check, why_not_seated
from server.contests.enova.venue.registry import EnovaRegistry, check_registration, enova_router, registrations_path
from server.journal.begin_journal import BegunRecording
from server.registration.practice_options import read_practice_options

HOUSE_MODULE = "server.contests.enova.venue.house"
FORM = PracticeForm(
    "Practice for Enova",
    "/tournament/register",
    "hostname",
    "Host and port",
    "10.23.221.24:3000",
    "Where your bot listens. It must answer GET /player/ready and POST /player/seat with 200, and then it plays.",
    named=True,
)


def practice_games(server: PracticeServer, patience_seconds: float = READY_TIMEOUT_SECONDS) -> HttpGames:
    """Returns the practice games of `server`. A game starts when a bot registers. If the bot does not answer at first,
    it is called again and again for up to `patience_seconds`.
    """
    return HttpGames(ENOVA_FORMAT, why_not_seated, server, patience_seconds)


def practice_router(games: HttpGames, networks: Sequence[str]) -> APIRouter:
    """Returns the routes of the practice page and of the request that registers a bot. Bots may be on this machine and
    in `networks`.
    """
    host_lookup = HostLookup((*THIS_MACHINE, *networks))

    async def admit(fields: Fields, client: str, port: int) -> tuple[Guest, list[str]]:
        bot = await check_registration(
            field_text(fields, "hostname"), field_text(fields, "name"), client, host_lookup, port
        )
        return games.start_game(bot.name, bot.address, client, read_practice_options(fields))

    return http_router(
        games, FORM, admit, _welcome_response, lambda refusal: PlainTextResponse(refusal.text, refusal.status)
    )


def _welcome_response(guest: Guest, watch_url: str, own_url: str, warnings: list[str]) -> Response:
    headers = {
        "Watch-Url": watch_url,
        "Own-Url": own_url,
        "House-Bots": guest.house_strength,
        "Warnings": header_text("; ".join(warnings)),
    }
    return PlainTextResponse(WELCOME, headers={name: text for name, text in headers.items() if text})


class EnovaVenue(Venue):
    def practice_setup(self, server: PracticeServer, networks: Sequence[str]) -> PracticeSetup:
        route = "POST {base}/tournament/register   (hostname and name), or the form on that page"
        return PracticeSetup(
            route, practice_router(practice_games(server), networks), partial(practice_format, ENOVA_FORMAT)
        )

    @asynccontextmanager
    async def demo_bots(self, settings: Settings, studio: Studio, base: str, journal: Path) -> AsyncIterator[DemoBots]:
        """Yields the house bots of a demo. They register themselves, as any bot would."""
        registry = EnovaRegistry(registrations_path(journal))
        studio.app.include_router(enova_router(registry))
        seed, pause = settings.seed.hex(), think_seconds(settings)
        async with start_house_bots(HOUSE_MODULE, CHARACTERS, seed, pause, register_at=base) as urls:
            await registry.wait_for_bots(len(CHARACTERS))
            registry.is_open = False
            seated = await ready_check(registry.registered)
            ports = (int(url.rpartition(":")[2]) for url in urls)
            entrant_by_port = dict(zip(ports, enter_characters(settings), strict=True))
            entrants = tuple(
                replace(
                    entrant_by_port[seated.addresses[entrant.bot].port],
                    bot=entrant.bot,
                    name=entrant.name,
                    player=entrant.player,
                )
                for entrant in seated.entrants
            )
            yield demo_over_http(CONTEST, entrants, seated.addresses)

    async def entered_bots(
        self,
        plan: EveningPlan,
        begun_recording: BegunRecording,
        token: str,
        exit_stack: AsyncExitStack,
        work_folder: Path,
    ) -> EnteredBots:
        return await wait_for_entrants(plan, begun_recording, token, exit_stack)
