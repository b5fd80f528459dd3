"""The ready check before an Enova tournament: asks each bot whether it is ready, then calls it to its seat."""

import asyncio
from collections.abc import Mapping, Sequence

from msgspec import Struct

from server.app.sparring.seats import Seats
from server.app.sparring.sides import Side
from server.bots.dialects.http_calls import OK, Request, other_status
from server.bots.http_bot import HttpBot, call_once
from server.bots.transports.http import Address, CallFailed
from server.contests.enova.dialect import READY, seat_request
from server.contests.enova.rules import same_name
from server.contests.enova.venue.registry import EnovaRegistry, Registered, enova_router
from server.game.events import Entrant

CALL_SECONDS = 5.0
"""The original server's limit for every call to a bot."""
TABLE = 8
"""Seats at a table: up to that many bots share one table, and each can get its seat beforehand."""


class Seated(Struct, frozen=True):
    """Who plays, numbered from 1 in the order of registration, and their addresses.

    `out` tells the authors of the others why they do not play, keyed by the bots' names.
    """

    entrants: tuple[Entrant, ...]
    addresses: Mapping[int, Address]
    out: Mapping[str, str] = {}


async def ready_check(registered: Sequence[Registered], seconds: float = CALL_SECONDS) -> Seated:
    """Asks all bots at once whether they are ready, then calls the ready ones to their seats; each call has `seconds`.

    A bot that does not answer with status 200 is out; nothing that a bot does raises. With more than TABLE bots, tables
    are drawn later: a bot is now called to a table that does not exist, `game_table_0`, and again when its own starts.
    """
    out = await refusals(registered, READY, seconds)
    ready = [bot for bot in registered if bot.name not in out]
    out |= await refusals(ready, seat_request(1 if len(ready) <= TABLE else 0), seconds)
    seated = [bot for bot in registered if bot.name not in out]
    entrants = tuple(Entrant(number, bot.name, bot.player or bot.name) for number, bot in enumerate(seated, 1))
    return Seated(entrants, {number: bot.address for number, bot in enumerate(seated, 1)}, out)


async def refusals(bots: Sequence[Registered], request: Request, seconds: float = CALL_SECONDS) -> dict[str, str]:
    """Calls all bots at once; returns why some did not answer with status 200 within `seconds`, by name."""
    whys = await asyncio.gather(*(_refusal(bot.address, request, seconds) for bot in bots))
    return {bot.name: why for bot, why in zip(bots, whys, strict=True) if why}


def seated_before(entrants: Sequence[Entrant], registered: Sequence[Registered]) -> Seated:
    """Who plays in a resumed tournament: nobody is called, because all are seated.

    `entrants` are those of the journal, `registered` the registrations beside it. An entrant without a registration is
    out: only the organiser can have removed it.
    """
    found = {one.bot: bot.address for one in entrants for bot in registered if same_name(bot.name, one.name)}
    lost = {one.name: "its address is lost" for one in entrants if one.bot not in found}
    return Seated(tuple(entrants), found, lost)


async def seat(seats: Seats, bot: int, side: Side) -> HttpBot:
    """Seats a bot of a match, which may register first as for a tournament.

    Raises OSError, or Refusal if the bot does not accept its seat.
    """
    registration = enova_router(EnovaRegistry(seats.work / f"registered-{bot}.json"))
    return await seats.called(bot, side, why_not_seated, registration)


async def why_not_seated(name: str, address: Address) -> str:
    """Calls one bot to its seat; returns why the bot did not accept it, or ""."""
    seated = await ready_check([Registered(name, address)])
    return seated.out.get(name, "")


async def _refusal(address: Address, request: Request, seconds: float) -> str:
    """Why the bot at `address` did not answer with status 200; "" if it did."""
    try:
        reply = await call_once(address, request, seconds)
    except CallFailed as failed:
        return f"{request.path}: {failed}"
    return "" if reply.status == OK else f"{request.path}: {other_status(reply.status)}"
