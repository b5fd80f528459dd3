"""Before an evening starts, entrants get versions, bots check in over real sockets, and HTTP servers are probed.

Lookups of strangers' host names do not delay one another, and their number is limited.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from server.app.evening.check_in import CheckInDesk
from server.app.evening.entries import enter_all
from server.app.evening.http_bots import ProbedBot, find_bots
from server.app.host_lookup import MAX_LOOKUPS, MAX_PER_CLIENT, MAX_WAITING, HostLookup
from server.bots.transports.http import Address, HostRefused
from server.config.event_file import read_event
from server.contests.quick_draw.dialect import QuickDrawDialect
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import BotDisconnected, Entrant, Event
from server.journal.bus import Bus
from server.registration.register import Registration, RegistrationRefused
from server.submissions.folder_scan import digest_of
from server.tournament.director import Director
from tests.bots.http_servers import Caller, always, answer, host_playing
from tests.bots.tcp_client import settle
from tests.support.bots.submission import write_bot


def test_version_comes_from_the_event_file_or_else_is_the_digest_of_a_playable_bot(tmp_path: Path) -> None:
    event, digests = 'name = "Friday"\ndate = 2026-11-21\n', set()
    for name in ("bob", "dan", "ada"):
        write_bot(tmp_path / name, f"Bot of {name}")
        event += f'[[entries]]\nplayer = "{name}"\nfolder = "{name}"\n'
    (tmp_path / "dan" / "Dockerfile").unlink()
    (tmp_path / "event.toml").write_text(f'{event}version = "1.2 beta"\n')
    for comment in ("", "# better\n"):
        with (tmp_path / "bob" / "bot.py").open("a") as code:
            code.write(comment)
        digests.add(digest := digest_of(tmp_path / "bob")[:8])
        entrants = enter_all(read_event(tmp_path / "event.toml"), tmp_path / "work").entrants
        assert [each.version or "" for each in entrants] == [digest, "", "1.2 beta"]
    assert len(digests) == 2


LOCAL = "127.0.0.1"
ADA = Registration("Ada", secret="a secret")  # noqa: S106 (of a bot in a test)


def desk_for_ada(*ports: int) -> tuple[CheckInDesk, asyncio.Queue[Event]]:
    """The check-in desk of a tournament with one bot, and a queue of the desk's events."""
    entrants, seen, bus = [Entrant(1, ADA.name)], asyncio.Queue[Event](), Bus(None, lambda: 0.0)
    bus.listeners.append(seen.put_nowait)
    director = Director(QUICK_DRAW_FORMAT, entrants, seed=bytes(32), bus=bus)
    return CheckInDesk(entrants, director, QuickDrawDialect, LOCAL, {1: ADA.secret}, ports=ports), seen


async def test_only_a_bots_latest_port_is_open_and_a_bot_that_leaves_is_missed() -> None:
    desk, seen = desk_for_ada()
    for _ in range(2):
        earlier, latest = [await desk.check_in(ADA, LOCAL) for _ in range(2)]
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(LOCAL, earlier.port)
        _, writer = await asyncio.open_connection(LOCAL, latest.port)
        await desk.all_connected.wait()
        writer.close()
        while not isinstance(await seen.get(), BotDisconnected):
            pass
        assert not desk.all_connected.is_set()
    desk.close()


async def test_bot_is_told_to_try_again_while_all_ports_for_bots_are_taken() -> None:
    with socket.create_server((LOCAL, 0)) as other:
        port = other.getsockname()[1]
        desk, _ = desk_for_ada(port)
        with pytest.raises(RegistrationRefused, match=r"no port is free for Ada: .*; try again") as refused:
            await desk.check_in(ADA, LOCAL)
    assert refused.value.status == 503
    assert (await desk.check_in(ADA, LOCAL)).port == port
    desk.close()


FOREIGN = "is not in a network that is allowed here (127.0.0.0/8, ::1/128, 192.168.1.0/24)"
NO_HOST = "should be a host, or a host and a port such as 10.0.0.7:5000"


async def hanging_up(caller: Caller) -> None:
    """A server that accepts the connection and closes it."""


async def test_any_port_with_a_server_is_accepted_and_any_other_is_reported() -> None:
    for play, health in (
        (always(answer(b"fine\n\x1b[31m  thanks")), "fine ?[31m thanks"),
        (always(answer(b"x" * 4000)), "x" * 100),
        (always(answer(b"no such thing", status="404 Not Found")), ""),
        (hanging_up, ""),
    ):
        async with host_playing(play) as host:
            (found,) = await find_bots([f"http://{host.address.name}"], (), 60.0)
        assert found.address is not None
        assert (found.why, found.health) == ("", health)
    (found,) = await find_bots([f"http://{host.address.name}"], (), 60.0)  # the last server has been stopped
    assert found.why == f"nothing listens at http://{host.address.name}"
    assert found.address is not None, "the bot may still start"


def test_hosts_outside_the_allowed_networks_are_never_called() -> None:
    refused = {
        "http://10.0.0.1:5000": FOREIGN,
        "http://169.254.169.254:80": FOREIGN,
        "https://localhost:5000": NO_HOST,
        "http://localhost:5000/latest/meta": NO_HOST,
    }
    found = asyncio.run(find_bots([*refused], ("192.168.1.0/24",)))
    assert found == [ProbedBot(why=f"{url} {why}") for url, why in refused.items()]


# -- lookups of strangers' host names

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
        assert (await find("http://10.0.0.7:3000", "10.1.0.1")).ip_addresses == ("10.0.0.7",)
        with pytest.raises(HostRefused, match="not in a network"):
            await find("[::1]:80", "10.1.0.1")
        assert len(slow.names) == MAX_LOOKUPS
        with pytest.raises(RegistrationRefused, match="try again in a minute, or give an IP address") as refused:
            await find("late.example", "10.2.0.1")
        assert refused.value.status == 429
        slow.answered.set()
        await asyncio.gather(*tasks)
        assert (await find("late.example", "10.2.0.1")).ip_addresses == ("10.0.0.9",)


async def test_client_with_too_many_lookups_does_not_delay_others() -> None:
    slow = SlowNames()
    find = HostLookup(NETWORKS, slow)
    mine = [asyncio.create_task(find(f"{number}.example", "10.1.0.1")) for number in range(MAX_PER_CLIENT)]
    await settle()
    with pytest.raises(RegistrationRefused, match="too many host names"):
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
    async with crowd(find, 1) as [next_one]:
        assert len(slow.names) == MAX_LOOKUPS
        slow.answered.set()
        assert (await next_one).ip_addresses == ("10.0.0.9",)


async def test_lookups_do_not_use_the_event_loops_threads() -> None:
    loop = asyncio.get_running_loop()
    closed = ThreadPoolExecutor(1)
    closed.shutdown()
    loop.set_default_executor(closed)
    assert (await HostLookup(("127.0.0.0/8", "::1/128"))("localhost:80")).port == 80
