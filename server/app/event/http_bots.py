"""Bots that are called where they are: looked up and knocked at before the start, then seated.

A host that is not in an allowed network is never called, whatever else is wrong with it.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from server.bots.dialects.arena import HEALTH, Arena, player_ids
from server.bots.http_bot import HttpBot, call_within
from server.bots.transports.http import Address, CallFailed, HostRefused, HttpConnection, find_host, host_and_port
from server.console import plain
from server.game.events import Entrant, Event

THIS_MACHINE = ("127.0.0.0/8", "::1/128")
"""Always allowed."""
PROBE_SECONDS = 3.0
MOST_HEALTH = 100
"""Letters of a bot's health that are shown."""


class Found(Struct, frozen=True):
    """What came of a look at a bot: `address` is None where it may not or cannot be called.

    `why` says what is wrong, "" for nothing; `health` is what `GET /health` said, if it said anything.
    """

    address: Address | None = None
    why: str = ""
    health: str = ""


async def find_bots(urls: Sequence[str], networks: Sequence[str], seconds: float = PROBE_SECONDS) -> list[Found]:
    """Looks for all bots at once: "http://host:port" each, in `networks` or on this machine. No bot's doing raises."""
    allowed = (*THIS_MACHINE, *networks)
    return await asyncio.gather(*(_find(url, allowed, seconds) for url in urls))


def arena_bots(
    entrants: Sequence[Entrant], addresses: Mapping[int, Address], notify: Callable[[Event], object]
) -> list[HttpBot]:
    """The Arena's bots to welcome at the table, by `addresses`; `notify` is the director's `hear`.

    `entrants` are all there are, also those that are nowhere: everybody's `player_id` follows from them.
    """
    ids = player_ids(entrants)
    return [HttpBot(bot, Arena(ids), HttpConnection(address), notify) for bot, address in addresses.items()]


async def _find(url: str, networks: Sequence[str], seconds: float) -> Found:
    try:
        address = await find_host(*host_and_port(url), networks)
    except HostRefused as refused:
        return Found(why=f"{plain(url)} {refused}")
    return await probe(address, url, seconds)


async def probe(address: Address, url: str, seconds: float = PROBE_SECONDS) -> Found:
    """Whether somebody listens at an address that may be called, and how it says it is."""
    if not await _listens(address, seconds):
        return Found(address, f"nobody listens at {plain(url)}")
    return Found(address, health=await _health(address, seconds))


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
    connection = HttpConnection(address)
    try:
        reply = await call_within(connection, HEALTH, seconds, asyncio.get_running_loop())
    except CallFailed:
        return ""
    finally:
        await connection.close()
    text = plain(" ".join(reply.body.decode(errors="replace").split()))
    return text[:MOST_HEALTH] if reply.status == 200 else ""
