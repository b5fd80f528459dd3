"""Bots that are called over HTTP: looked up and tried before the start, then seated.

A host that is not in an allowed network is never called, whatever else is wrong with it.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from server.bots.dialects.http_calls import HEALTH
from server.bots.http_bot import HttpBot, call_once
from server.bots.record import RecordOf, no_record
from server.bots.transports.http import Address, CallFailed, HostRefused, HttpConnection, find_host, host_and_port
from server.console import plain
from server.contests.contest import Contest
from server.game.events import Entrant, Event

THIS_MACHINE = ("127.0.0.0/8", "::1/128")
"""Always allowed."""
PROBE_SECONDS = 3.0
"""How long a bot may take to accept a connection, and again to answer `GET /health`."""
MOST_HEALTH = 100
"""How many letters of a bot's reply to `GET /health` are shown."""


class Found(Struct, frozen=True):
    """What was found at a bot's URL: `address` is None where it may not or cannot be called.

    `why` says what is wrong, "" for nothing; `health` is the reply to `GET /health`, "" for none.
    """

    address: Address | None = None
    why: str = ""
    health: str = ""


async def find_bots(urls: Sequence[str], networks: Sequence[str], seconds: float = PROBE_SECONDS) -> list[Found]:
    """Tries all bots at once. `urls` are "http://host:port" each, in `networks` or on this machine.

    Returns what was found at each, in the same order; nothing that a bot does raises.
    """

    async def find(url: str) -> Found:
        try:
            address = await find_host(*host_and_port(url), (*THIS_MACHINE, *networks))
        except HostRefused as refused:
            return Found(why=f"{plain(url)} {refused}")
        return await probe(address, url, seconds)

    return await asyncio.gather(*map(find, urls))


def called_bots(
    contest: Contest,
    entrants: Sequence[Entrant],
    addresses: Mapping[int, Address],
    notify: Callable[[Event], object],
    record: RecordOf = no_record,
) -> list[HttpBot]:
    """A bot for each of `addresses` (by bot number), for the running loop; `notify` is called with their events.

    `entrants` are all of the tournament, also those without an address.
    """
    return [
        HttpBot(bot, contest.call(entrants), HttpConnection(address), notify, record=record(bot))
        for bot, address in addresses.items()
    ]


async def probe(address: Address, url: str, seconds: float = PROBE_SECONDS) -> Found:
    """Whether a bot listens at an address that may be called, and what it says of its health; `url` is only shown."""
    if not await _listens(address, seconds):
        return Found(address, f"nobody listens at {plain(url)}")
    return Found(address, health=await _health(address, seconds))


async def why_not_there(_name: str, address: Address) -> str:
    """Why a bot cannot be called at an address, in words for its author; "" if it listens."""
    return (await probe(address, address.name)).why


async def _listens(address: Address, seconds: float) -> bool:
    """ "The original only checks that the bot's port accepts a connection"."""
    for found in address.found:
        try:
            async with asyncio.timeout(seconds):
                _, writer = await asyncio.open_connection(found, address.port)
        except OSError:  # A time that has passed is one, too.
            continue
        writer.close()
        return True
    return False


async def _health(address: Address, seconds: float) -> str:
    try:
        reply = await call_once(address, HEALTH, seconds)
    except CallFailed:
        return ""
    text = plain(" ".join(reply.body.decode(errors="replace").split()))
    return text[:MOST_HEALTH] if reply.status == 200 else ""
