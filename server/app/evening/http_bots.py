"""Finds bots that are HTTP servers, in allowed networks only, and tests before the start whether they answer."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from server.bots.dialects.http_calls import HEALTH_REQUEST
from server.bots.http_bot import HttpBot, call_on_new_connection
from server.bots.message_records import RecordFactory, no_record
from server.bots.transports.http import Address, CallFailed, HostRefused, HttpConnection, find_host, host_and_port
from server.contests.contest import Contest
from server.game.events import Entrant, Event
from server.text.characters import printable

THIS_MACHINE = ("127.0.0.0/8", "::1/128")
"""Networks that are always allowed."""
PROBE_SECONDS = 3.0
"""A bot may take this many seconds to accept a connection, and as many seconds to answer `GET /health`."""
MAX_HEALTH_CHARACTERS = 100
"""At most this many characters of a bot's reply to `GET /health` are shown."""


class ProbedBot(Struct, frozen=True):
    """What was found at a bot's URL. `health` is the bot's reply to `GET /health`. `why` says why the bot cannot play,
    or is "".
    """

    address: Address | None = None
    why: str = ""
    health: str = ""


async def find_bots(urls: Sequence[str], networks: Sequence[str], seconds: float = PROBE_SECONDS) -> list[ProbedBot]:
    """Looks up and probes all bots at `urls` ("http://host:port") at the same time. A bot may take `seconds` to
    accept the connection, and as long to answer. Refuses bots outside `networks`, but allows bots on this machine.
    """

    async def find(url: str) -> ProbedBot:
        try:
            address = await find_host(*host_and_port(url), (*THIS_MACHINE, *networks))
        except HostRefused as refused:
            return ProbedBot(why=f"{printable(url)} {refused}")
        return await ask_for_health(address, url, seconds)

    return await asyncio.gather(*map(find, urls))


def make_http_bots(
    contest: Contest,
    entrants: Sequence[Entrant],
    addresses: Mapping[int, Address],
    notify: Callable[[Event], object],
    make_record: RecordFactory = no_record,
) -> list[HttpBot]:
    """Returns a bot for each of `addresses`, which are keyed by bot number. Calls `notify` with each event of a bot.

    `entrants` are all entrants of the tournament.
    """
    return [
        HttpBot(bot, contest.make_http_dialect(entrants), HttpConnection(address), notify, record=make_record(bot))
        for bot, address in addresses.items()
    ]


async def ask_for_health(address: Address, url: str, seconds: float = PROBE_SECONDS) -> ProbedBot:
    """Finds out whether a bot listens at `address`. If so, sends it `GET /health`. Each of the two steps waits for at
    most `seconds`. Messages name the bot by its `url`.
    """
    if not await _listens(address, seconds):
        return ProbedBot(address, f"nothing listens at {printable(url)}")
    return ProbedBot(address, health=await _ask_for_health_text(address, seconds))


async def why_unreachable(_name: str, address: Address) -> str:
    """Returns why no bot can be reached at an address, as text for the author, or "" if a bot listens there."""
    return (await ask_for_health(address, address.name)).why


async def _listens(address: Address, seconds: float) -> bool:
    """Whether the bot's port accepts a connection. The contest's original server checked nothing else."""
    for ip_address in address.ip_addresses:
        try:
            async with asyncio.timeout(seconds):
                _, writer = await asyncio.open_connection(ip_address, address.port)
        except OSError:  # this includes TimeoutError
            continue
        writer.close()
        return True
    return False


async def _ask_for_health_text(address: Address, seconds: float) -> str:
    try:
        reply = await call_on_new_connection(address, HEALTH_REQUEST, seconds)
    except CallFailed:
        return ""
    text = printable(" ".join(reply.body.decode(errors="replace").split()))
    return text[:MAX_HEALTH_CHARACTERS] if reply.status == 200 else ""
