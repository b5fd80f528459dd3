"""Practice for Enova: `/tournament/register` answers as in a tournament.

The headers `Watch-Url` and `Own-Url` are the pages of the bot's game and of its author.
"""

from collections.abc import Sequence

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response

from server.app.event.http_bots import THIS_MACHINE
from server.app.forms import WELCOME, header_text
from server.app.host_lookup import HostLookup
from server.app.practice.channels import PracticeChannels
from server.app.practice.guests import Guest
from server.app.practice.pages import Fields, Form, Said, called_router, text_of
from server.app.practice.seating import PATIENCE_SECONDS, HttpGames
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.enova.venue.ready_check import why_not_seated
from server.contests.enova.venue.registry import look_at
from server.registration.register import Refused
from server.registration.wishes import asked_in

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
    """The games; a bot that is not there yet is called again for so long."""
    return HttpGames(ENOVA_FORMAT, why_not_seated, channels, patience_seconds)


def practice_router(games: HttpGames, networks: Sequence[str]) -> APIRouter:
    """The page, and the request that registers a bot, which may be on this machine and in `networks`."""
    find = HostLookup((*THIS_MACHINE, *networks))

    async def take(fields: Fields, client: str, port: int) -> tuple[Guest, list[str]]:
        bot = await look_at(text_of(fields, "hostname"), text_of(fields, "name"), client, find, port)
        return games.welcome(bot.name, bot.address, client, asked_in(fields))

    return called_router(games, FORM, take, _welcomed, _refused)


def _welcomed(said: Said) -> Response:
    own = {"Own-Url": said.own_url} if said.own_url else {}
    house = {"House-Bots": said.guest.house} if said.guest.house else {}
    warnings = {"Warnings": header_text("; ".join(said.warnings))} if said.warnings else {}
    return PlainTextResponse(WELCOME, headers={"Watch-Url": said.watch_url, **own, **house, **warnings})


def _refused(refusal: Refused) -> Response:
    return PlainTextResponse(refusal.text, refusal.status)
