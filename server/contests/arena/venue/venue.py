"""Runs the contest Arena. In a tournament, calls bots at the addresses in the event file. For practice games, a bot's
author sends the bot's url, and perhaps its name, to `/practice`, as a form or as JSON.
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
from server.app.evening.entries import enter_characters
from server.app.evening.http_bots import THIS_MACHINE, ask_for_health, find_bots
from server.app.host_lookup import HostLookup
from server.app.practice.channels import PracticeChannels
from server.app.practice.games.plan import practice_format
from server.app.practice.guests import Guest
from server.app.practice.pages import Fields, Form, Offer, http_router, text_of
from server.app.practice.seating import PATIENCE_SECONDS, HttpGames
from server.app.registering import read_fields
from server.app.venue.venue import DemoBots, Venue, demo_over_http, think_seconds
from server.bots.house.characters import CHARACTERS
from server.bots.house.processes import house_hosts
from server.bots.transports.http import Address
from server.config.event_file import EveningPlan
from server.config.settings import Settings
from server.contests.arena.contest import CONTEST
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.arena.venue.config_file import read_arena
from server.registration.register import Refused
from server.registration.wishes import asked_in, fields_of_form
from server.text.names_and_chat import MAX_CHARACTERS, name_fault
from server.text.strict_json import BadJson, read_object

HOUSE_MODULE = "server.contests.arena.venue.house"


def _form_or_json(body: bytes) -> Fields:
    """The fields in a form or a JSON object. Raises Refused (400) if `body` is neither."""
    if not body.removeprefix(BOM_UTF8).lstrip().startswith((b"{", b"[", b'"')):
        return fields_of_form(read_fields(body))
    found = read_object(body)
    if isinstance(found, BadJson):
        raise Refused(400, f"The body must be a form or a JSON object ({found.reason})")
    return found


class Named(Struct, frozen=True, omit_defaults=True):
    """The answer to a registration: the bot's name, the addresses of its pages, and warnings."""

    name: str
    watch_url: str
    own_url: str = ""
    house_bots: str = ""
    warnings: list[str] = []


FORM = Form(
    "Practice for the Arena",
    "/practice",
    "url",
    "Address",
    "http://127.0.0.1:5001",
    "Where your bot listens. It is asked with POST /action, as in a tournament.",
    read=_form_or_json,
)


def practice_games(channels: PracticeChannels, patience_seconds: float = PATIENCE_SECONDS) -> HttpGames:
    """Starts the practice games. A bot that does not answer is called again for up to `patience_seconds`."""
    return HttpGames(ARENA_FORMAT, _accepts_seat, channels, patience_seconds)


def practice_router(games: HttpGames, networks: Sequence[str]) -> APIRouter:
    """The practice page, and the request that registers a bot. Bots may be on this machine and in `networks`."""
    find = HostLookup((*THIS_MACHINE, *networks))

    async def admit(fields: Fields, client: str, port: int) -> tuple[Guest, list[str]]:
        url, name = text_of(fields, "url").strip(), text_of(fields, "name").strip()
        if not url:
            raise Refused(
                400, "url is missing or not text: give the address of your bot, such as http://127.0.0.1:5001"
            )
        if name and (fault := name_fault(name, MAX_CHARACTERS)):
            raise Refused(400, fault)
        address = await find.of_a_stranger(f"url {url}", url, client, port)
        if why := (await ask_for_health(address, url)).why:
            raise Refused(400, why)
        return games.welcome(name, address, client, asked_in(fields))

    return http_router(games, FORM, admit, _named, lambda why: JSONResponse({"error": why.text}, why.status), Named)


async def _accepts_seat(_name: str, _address: Address) -> str:
    """Arena bots do not confirm that they take a seat."""
    return ""


def _named(guest: Guest, watch_url: str, own_url: str, warnings: list[str]) -> Response:
    return Json(Named(guest.name, watch_url, own_url, guest.house, warnings))


class ArenaVenue(Venue):
    def offer(self, channels: PracticeChannels, networks: Sequence[str]) -> Offer:
        route = "POST {base}/practice   (url, such as http://127.0.0.1:5001), or the form on that page"
        return Offer(route, practice_router(practice_games(channels), networks), partial(practice_format, ARENA_FORMAT))

    @asynccontextmanager
    async def demo_bots(self, settings: Settings, studio: Studio, base: str, journal: Path) -> AsyncIterator[DemoBots]:
        async with house_hosts(HOUSE_MODULE, CHARACTERS, settings.seed.hex(), think_seconds(settings)) as urls:
            found = [found.address for found in await find_bots(urls, ())]
            addresses = {bot: address for bot, address in enumerate(found, 1) if address}
            yield demo_over_http(CONTEST, enter_characters(settings), addresses)

    def read_file(self, path: Path) -> EveningPlan:
        return read_arena(path)
