"""The ready check before an Enova tournament: asks each bot whether it is ready, then calls it to its seat."""

import asyncio
from collections.abc import Mapping, Sequence

from msgspec import Struct

from server.app.sparring.bot_launcher import BotLauncher
from server.app.sparring.sides import Side
from server.bots.dialects.http_calls import OK, Request, describe_bad_status
from server.bots.http_bot import HttpBot, call_on_new_connection
from server.bots.transports.http import Address, CallFailed
from server.contests.enova.dialect import READY_REQUEST, seat_request
from server.contests.enova.rules import ENOVA_FORMAT, are_confusable_names
from server.contests.enova.venue.registry import EnovaRegistry, RegisteredBot, enova_router
from server.game.events import Entrant

CALL_SECONDS = 5.0
"""The original server's time limit for every call to a bot."""
TABLE_SEATS = ENOVA_FORMAT.stages[-1].seats
"""The number of seats at a table. If all bots fit at one table, they are called to it before the game starts."""


class ReadyCheckResult(Struct, frozen=True):
    """The bots that play. They are numbered from 1 in the order of registration, and `addresses` are keyed by number.
    `unseated_reasons` maps the names of the other bots to the reasons why they do not play.
    """

    entrants: tuple[Entrant, ...]
    addresses: Mapping[int, Address]
    unseated_reasons: Mapping[str, str] = {}


async def ready_check(registered: Sequence[RegisteredBot], seconds: float = CALL_SECONDS) -> ReadyCheckResult:
    """Asks all bots at the same time whether they are ready, then calls the ready bots to their seats. Each call may
    take `seconds`.

    A bot that does not answer with status 200 is out. Never raises, whatever a bot does. If more than TABLE_SEATS bots
    play, tables are drawn later. So all bots are first called to a table that does not exist, `game_table_0`. Each bot
    is called again when its real table starts.
    """
    unseated_reasons = await find_refusals(registered, READY_REQUEST, seconds)
    ready = [bot for bot in registered if bot.name not in unseated_reasons]
    unseated_reasons |= await find_refusals(ready, seat_request(1 if len(ready) <= TABLE_SEATS else 0), seconds)
    seated = [bot for bot in registered if bot.name not in unseated_reasons]
    entrants = tuple(Entrant(number, bot.name, bot.player or bot.name) for number, bot in enumerate(seated, 1))
    return ReadyCheckResult(entrants, {number: bot.address for number, bot in enumerate(seated, 1)}, unseated_reasons)


async def find_refusals(
    bots: Sequence[RegisteredBot], request: Request, seconds: float = CALL_SECONDS
) -> dict[str, str]:
    """Calls all bots at the same time. Returns the bots that did not answer with status 200 within `seconds`. The names
    are keys, and the reasons are values.
    """
    reasons = await asyncio.gather(*(_refusal(bot.address, request, seconds) for bot in bots))
    return {bot.name: reason for bot, reason in zip(bots, reasons, strict=True) if reason}


def bots_of_resumed_tournament(entrants: Sequence[Entrant], registered: Sequence[RegisteredBot]) -> ReadyCheckResult:
    """Returns the bots that play in a resumed tournament. They all had seats before, so they are not called again.

    `entrants` are from the journal, and `registered` is from the file beside the journal. If an entrant's registration
    is missing from that file, the entrant has no address, and `unseated_reasons` says so.
    """
    addresses = {
        entrant.bot: bot.address
        for entrant in entrants
        for bot in registered
        if are_confusable_names(bot.name, entrant.name)
    }
    lost = {entrant.name: "its address is lost" for entrant in entrants if entrant.bot not in addresses}
    return ReadyCheckResult(tuple(entrants), addresses, lost)


async def seat_bot(launcher: BotLauncher, bot: int, side: Side) -> HttpBot:
    """Seats a bot for a match. If necessary, the bot registers first. Raises OSError, or Refusal if the bot does not
    accept its seat.
    """
    registration = enova_router(EnovaRegistry(launcher.work_folder / f"registered-{bot}.json"))
    return await launcher.launch_http_bot(bot, side, why_not_seated, registration)


async def why_not_seated(name: str, address: Address) -> str:
    """Calls one bot to its seat. Returns "" if the bot accepts, otherwise the reason."""
    seated = await ready_check([RegisteredBot(name, address)])
    return seated.unseated_reasons.get(name, "")


async def _refusal(address: Address, request: Request, seconds: float) -> str:
    """Returns "" if the bot at `address` answered with status 200, otherwise the reason."""
    try:
        reply = await call_on_new_connection(address, request, seconds)
    except CallFailed as failed:
        return f"{request.path}: {failed}"
    return "" if reply.status == OK else f"{request.path}: {describe_bad_status(reply.status)}"
