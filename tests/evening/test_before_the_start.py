"""Before an evening starts, entrants get versions, bots check in over real sockets, and HTTP servers are probed."""

import asyncio
import socket
from pathlib import Path

import pytest

from server.app.evening.check_in import CheckInDesk
from server.app.evening.entries import enter_all
from server.app.evening.http_bots import Found, find_bots
from server.config.event_file import read_event
from server.contests.quick_draw.dialect import QuickDraw
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import BotDisconnected, Entrant, Event
from server.journal.bus import Bus
from server.registration.register import Refused, Registration
from server.submissions.folder_scan import digest_of
from server.tournament.director import Director
from tests.bots.http_servers import Caller, always, answer, host_playing
from tests.support.submission import write_bot

EVENT = """
name = "Friday"
date = 2026-11-21
[[entries]]
player = "Ada"
folder = "ada"
version = "1.2 beta"
[[entries]]
player = "Bob"
folder = "bob"
[[entries]]
player = "Dan"
folder = "dan"
"""


def test_version_comes_from_the_event_file_or_else_is_the_digest_of_a_playable_bot(tmp_path: Path) -> None:
    for name in ("ada", "bob", "dan"):
        write_bot(tmp_path / name, f"Bot of {name}")
    (tmp_path / "dan" / "Dockerfile").unlink()
    (tmp_path / "event.toml").write_text(EVENT)

    digests = set()
    for comment in ("", "# better\n"):
        with (tmp_path / "bob" / "bot.py").open("a") as code:
            code.write(comment)
        digests.add(digest := digest_of(tmp_path / "bob")[:8])
        entrants = enter_all(read_event(tmp_path / "event.toml"), tmp_path / "work").entrants
        assert [each.version or "" for each in entrants] == ["1.2 beta", digest, ""]
    assert len(digests) == 2


LOCAL = "127.0.0.1"
ADA = Registration("Ada", secret="a secret")  # noqa: S106 (of a bot in a test)


def desk_for_ada(*ports: int) -> tuple[CheckInDesk, asyncio.Queue[Event]]:
    """The check-in desk of a tournament with one bot, and a queue of the desk's events."""
    entrants, seen, bus = [Entrant(1, ADA.name)], asyncio.Queue[Event](), Bus(None, lambda: 0.0)
    bus.listeners.append(seen.put_nowait)
    director = Director(QUICK_DRAW_FORMAT, entrants, seed=bytes(32), bus=bus)
    return CheckInDesk(entrants, director, QuickDraw, LOCAL, {1: ADA.secret}, ports=ports), seen


async def test_bot_that_registers_again_has_only_its_latest_port() -> None:
    desk, _ = desk_for_ada()
    earlier, latest = [await desk.check_in(ADA, LOCAL) for _ in range(2)]
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(LOCAL, earlier.port)
    _, writer = await asyncio.open_connection(LOCAL, latest.port)
    await desk.all_connected.wait()
    writer.close()
    desk.close()


async def test_bot_is_told_to_try_again_while_all_ports_for_bots_are_taken() -> None:
    with socket.create_server((LOCAL, 0)) as other:
        port = other.getsockname()[1]
        desk, _ = desk_for_ada(port)
        with pytest.raises(Refused, match=r"no port is free for Ada: .*; try again") as refused:
            await desk.check_in(ADA, LOCAL)
    assert refused.value.status == 503
    assert (await desk.check_in(ADA, LOCAL)).port == port
    desk.close()


async def test_bots_are_no_longer_all_connected_once_one_leaves() -> None:
    desk, seen = desk_for_ada()
    for _ in range(2):
        _, writer = await asyncio.open_connection(LOCAL, (await desk.check_in(ADA, LOCAL)).port)
        await desk.all_connected.wait()
        writer.close()
        while not isinstance(await seen.get(), BotDisconnected):
            pass
        assert not desk.all_connected.is_set()
    desk.close()


FOREIGN = "is not in a network that is allowed here (127.0.0.0/8, ::1/128, 192.168.1.0/24)"
NO_HOST = "should be a host, or a host and a port such as 10.0.0.7:5000"


async def hanging_up(caller: Caller) -> None:
    """A server that accepts the connection and closes it."""


async def test_any_port_with_a_server_is_accepted_and_any_other_is_reported() -> None:
    for play, health in (
        (always(answer(b'{"status": "ok"}\n')), '{"status": "ok"}'),
        (always(answer(b"fine\n\x1b[31m  thanks")), "fine ?[31m thanks"),
        (always(answer(b"x" * 4000)), "x" * 100),
        (always(answer(b"no such thing", status="404 Not Found")), ""),
        (always(b"fold\r\n\r\n"), ""),
        (hanging_up, ""),
    ):
        async with host_playing(play) as host:
            (found,) = await find_bots([f"http://{host.address.name}"], (), 60.0)
        assert found.address is not None
        assert (found.why, found.health) == ("", health)
    (found,) = await find_bots([f"http://{host.address.name}"], (), 60.0)  # the last server has been stopped
    assert found.why == f"nothing listens at http://{host.address.name}"
    assert found.address is not None, "the bot may still start"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://10.0.0.1:5000", FOREIGN),
        ("http://169.254.169.254:80", FOREIGN),
        ("https://localhost:5000", NO_HOST),
        ("http://localhost:5000/latest/meta", NO_HOST),
    ],
)
def test_hosts_outside_the_allowed_networks_are_never_called(url: str, why: str) -> None:
    assert asyncio.run(find_bots([url], ("192.168.1.0/24",))) == [Found(why=f"{url} {why}")]
