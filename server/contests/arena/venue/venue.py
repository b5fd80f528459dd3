"""Runs the contest Arena. In a tournament, this program calls bots at the addresses in the event file. For practice
games, a bot's author sends the bot's URL and, optionally, a name to `/practice`, as a form or JSON.
"""

from codecs import BOM_UTF8
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response
from msgspec import Struct

from broadcast.app import Studio
from broadcast.web.routes import Json
from server.app.bot_registration import read_fields
from server.app.evening.entries import enter_characters
from server.app.evening.http_bots import THIS_MACHINE, ask_for_health, find_bots
from server.app.host_lookup import HostLookup
from server.app.practice.connect_bots import READY_TIMEOUT_SECONDS, HttpGames
from server.app.practice.games.plan import practice_format
from server.app.practice.guests import Guest
from server.app.practice.practice_server import PracticeServer
from server.app.practice.registration_forms import Fields, PracticeForm, PracticeSetup, field_text, http_router
from server.app.venue.venue import DemoBots, Venue, demo_over_http, think_seconds
from server.bots.house.characters import CHARACTERS
from server.bots.house.processes import start_house_bots
from server.bots.transports.http import Address
from server.config.event_file import EveningPlan
from server.config.settings import Settings
from server.contests.arena.contest import CONTEST
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.arena.venue.config_file import read_arena
from server.registration.practice_options import fields_of_form, read_practice_options
from server.registration.register import RegistrationRefused
from server.text.names_and_chat import MAX_LONG_NAME_CHARACTERS, name_fault
from server.text.strict_json import BadJson, read_object

HOUSE_MODULE = "server.contests.arena.venue.house"


def _form_or_json(body: bytes) -> Fields:
    """Returns the fields in a form or a JSON object. Raises RegistrationRefused (400) if `body` is neither."""
    if not body.removeprefix(BOM_UTF8).lstrip().startswith((b"{", b"[", b'"')):
        return fields_of_form(read_fields(body))
    fields = read_object(body)
    if isinstance(fields, BadJson):
        raise RegistrationRefused(400, f"The body must be a form or a JSON object ({fields.reason})")
    return fields


class RegistrationAnswer(Struct, frozen=True, omit_defaults=True):
    """The answer to a registration: the bot's name, the addresses of its pages, and warnings."""

    name: str
    watch_url: str
    own_url: str = ""
    house_bots: str = ""
    warnings: list[str] = []


FORM = PracticeForm(
    "Practice for the Arena",
    "/practice",
    "url",
    "Address",
    "http://127.0.0.1:5001",
    "Where your bot listens. It is asked with POST /action, as in a tournament.",
    read=_form_or_json,
)


def practice_games(server: PracticeServer, patience_seconds: float = READY_TIMEOUT_SECONDS) -> HttpGames:
    """Returns the practice games of `server`. A game starts when a bot registers. If the bot does not answer at first,
    it is called again and again for up to `patience_seconds`.
    """
    return HttpGames(ARENA_FORMAT, _accepts_seat, server, patience_seconds)


def practice_router(games: HttpGames, networks: Sequence[str]) -> APIRouter:
    """Returns the routes of the practice page and of the request that registers a bot. Bots may be on this machine and
    in `networks`.
    """
    host_lookup = HostLookup((*THIS_MACHINE, *networks))

    async def admit(fields: Fields, client: str, port: int) -> tuple[Guest, list[str]]:
        url, name = field_text(fields, "url").strip(), field_text(fields, "name").strip()
        if not url:
            raise RegistrationRefused(
                400, "url is missing or not text: give the address of your bot, such as http://127.0.0.1:5001"
            )
        if name and (fault := name_fault(name, MAX_LONG_NAME_CHARACTERS)):
            raise RegistrationRefused(400, fault)
        address = await host_lookup.find_bot_address(f"url {url}", url, client, port)
        if reason := (await ask_for_health(address, url)).why:
            raise RegistrationRefused(400, reason)
        return games.start_game(name, address, client, read_practice_options(fields))

    return http_router(
        games,
        FORM,
        admit,
        _registration_response,
        lambda refusal: JSONResponse({"error": refusal.text}, refusal.status),
        RegistrationAnswer,
    )


async def _accepts_seat(_name: str, _address: Address) -> str:
    """Returns "", which means no refusal. Arena bots need not confirm that they take a seat."""
    return ""


def _registration_response(guest: Guest, watch_url: str, own_url: str, warnings: list[str]) -> Response:
    return Json(RegistrationAnswer(guest.name, watch_url, own_url, guest.house_strength, warnings))


class ArenaVenue(Venue):
    def practice_setup(self, server: PracticeServer, networks: Sequence[str]) -> PracticeSetup:
        route = "POST {base}/practice   (url, such as http://127.0.0.1:5001), or the form on that page"
        return PracticeSetup(
            route, practice_router(practice_games(server), networks), partial(practice_format, ARENA_FORMAT)
        )

    @asynccontextmanager
    async def demo_bots(self, settings: Settings, studio: Studio, base: str, journal: Path) -> AsyncIterator[DemoBots]:
        async with start_house_bots(HOUSE_MODULE, CHARACTERS, settings.seed.hex(), think_seconds(settings)) as urls:
            found_bots = await find_bots(urls, ())
            addresses = {bot: found.address for bot, found in enumerate(found_bots, 1) if found.address}
            yield demo_over_http(CONTEST, enter_characters(settings), addresses)

    def read_file(self, path: Path) -> EveningPlan:
        return read_arena(path)
