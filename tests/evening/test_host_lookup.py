"""Lookups of strangers' host names do not delay one another, and their number is limited."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from server.app.host_lookup import MAX_LOOKUPS, MAX_PER_CLIENT, MAX_WAITING, HostLookup
from server.bots.transports.http import Address, HostRefused
from server.registration.register import Refused

NETWORKS = ("10.0.0.0/8",)


class SlowNames:
    """Lookups that stay unanswered until `answered` is set."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.answered = asyncio.Event()

    async def __call__(self, host: str) -> Sequence[str]:
        self.names.append(host)
        await self.answered.wait()
        return ["10.0.0.9"]


async def settle() -> None:
    """Lets all tasks run until all of them wait."""
    for _ in range(10):
        await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def crowd(find: HostLookup, count: int) -> AsyncIterator[list[asyncio.Task[Address]]]:
    """The lookups of `count` clients, each from its own address."""
    tasks = [asyncio.create_task(find(f"slow-{number}.example", f"10.1.0.{number}")) for number in range(count)]
    await settle()
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_ip_addresses_never_wait_and_host_names_beyond_the_limit_are_refused() -> None:
    slow = SlowNames()
    find = HostLookup(NETWORKS, slow)
    async with crowd(find, MAX_WAITING) as tasks:
        assert len(slow.names) == MAX_LOOKUPS
        assert (await find("http://10.0.0.7:3000", "10.1.0.1")).found == ("10.0.0.7",)
        with pytest.raises(HostRefused, match="not in a network"):
            await find("[::1]:80", "10.1.0.1")
        assert len(slow.names) == MAX_LOOKUPS
        with pytest.raises(Refused, match="try again in a minute, or give an IP address") as refused:
            await find("late.example", "10.2.0.1")
        assert refused.value.status == 429
        slow.answered.set()
        await asyncio.gather(*tasks)
        assert (await find("late.example", "10.2.0.1")).found == ("10.0.0.9",)


async def test_client_with_too_many_lookups_does_not_delay_others() -> None:
    slow = SlowNames()
    find = HostLookup(NETWORKS, slow)
    mine = [asyncio.create_task(find(f"{number}.example", "10.1.0.1")) for number in range(MAX_PER_CLIENT)]
    await settle()
    with pytest.raises(Refused, match="too many host names"):
        await find("more.example", "10.1.0.1")
    other = asyncio.create_task(find("bot.example", "10.1.0.2"))
    await settle()
    assert "bot.example" in slow.names
    slow.answered.set()
    await asyncio.gather(*mine, other)


async def test_abandoned_lookup_keeps_its_slot_until_it_ends() -> None:
    slow = SlowNames()
    find = HostLookup(NETWORKS, slow)
    async with crowd(find, MAX_LOOKUPS):
        pass
    next_one = asyncio.create_task(find("next.example", "10.1.0.1"))
    await settle()
    assert "next.example" not in slow.names
    slow.answered.set()
    assert (await next_one).found == ("10.0.0.9",)


async def test_lookups_do_not_use_the_event_loops_threads() -> None:
    loop = asyncio.get_running_loop()
    closed = ThreadPoolExecutor(1)
    closed.shutdown()
    loop.set_default_executor(closed)
    assert (await HostLookup(("127.0.0.0/8", "::1/128"))("localhost:80")).port == 80
