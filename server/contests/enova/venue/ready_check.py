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
"""The original server's time limit for every call to a bot."""
TABLE = 8
"""The number of seats at a table. If all bots fit at one table, they are called to it before the game starts."""


class Seated(Struct, frozen=True):
    """The bots that play, numbered from 1 in the order of registration, and the address of each by its number. `out`
    maps the names of the other bots to the reasons why they do not play.
    """

    entrants: tuple[Entrant, ...]
    addresses: Mapping[int, Address]
    out: Mapping[str, str] = {}


async def ready_check(registered: Sequence[Registered], seconds: float = CALL_SECONDS) -> Seated:
    """Asks all bots at the same time whether they are ready, then calls the ready bots to their seats. Each call may
    take `seconds`.

    A bot that does not answer with status 200 is out. Never raises, whatever a bot does. If more than TABLE bots play,
    tables are drawn later. So all bots are first called to `game_table_0`, which does not exist, and each bot is called
    again when its table starts.
    """
    out = await refusals(registered, READY, seconds)
    ready = [bot for bot in registered if bot.name not in out]
    out |= await refusals(ready, seat_request(1 if len(ready) <= TABLE else 0), seconds)
    seated = [bot for bot in registered if bot.name not in out]
    entrants = tuple(Entrant(number, bot.name, bot.player or bot.name) for number, bot in enumerate(seated, 1))
    return Seated(entrants, {number: bot.address for number, bot in enumerate(seated, 1)}, out)


async def refusals(bots: Sequence[Registered], request: Request, seconds: float = CALL_SECONDS) -> dict[str, str]:
    """Calls all bots at the same time. For each bot that did not answer with status 200 within `seconds`, returns the
    reason, keyed by the bot's name.
    """
    whys = await asyncio.gather(*(_refusal(bot.address, request, seconds) for bot in bots))
    return {bot.name: why for bot, why in zip(bots, whys, strict=True) if why}


def seated_before(entrants: Sequence[Entrant], registered: Sequence[Registered]) -> Seated:
    """The bots that play in a resumed tournament. They have all been seated before, so they are not called again.

    `entrants` are from the journal, `registered` from the file beside it. An entrant without a registration is out: the
    organiser has removed it.
    """
    addresses = {one.bot: bot.address for one in entrants for bot in registered if same_name(bot.name, one.name)}
    lost = {one.name: "its address is lost" for one in entrants if one.bot not in addresses}
    return Seated(tuple(entrants), addresses, lost)


async def seat(seats: Seats, bot: int, side: Side) -> HttpBot:
    """Seats a bot for a match, and registers it first if necessary. Raises OSError, or Refusal if the bot does not
    accept its seat.
    """
    registration = enova_router(EnovaRegistry(seats.work / f"registered-{bot}.json"))
    return await seats.http_bot(bot, side, why_not_seated, registration)


async def why_not_seated(name: str, address: Address) -> str:
    """Calls one bot to its seat. Returns "" if the bot accepts, otherwise the reason."""
    seated = await ready_check([Registered(name, address)])
    return seated.out.get(name, "")


async def _refusal(address: Address, request: Request, seconds: float) -> str:
    """Returns "" if the bot at `address` answered with status 200, otherwise the reason."""
    try:
        reply = await call_once(address, request, seconds)
    except CallFailed as failed:
        return f"{request.path}: {failed}"
    return "" if reply.status == OK else f"{request.path}: {other_status(reply.status)}"
