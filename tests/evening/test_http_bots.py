"""Before the start, bots that are HTTP servers are probed, except at hosts that are never called."""

import asyncio

import pytest

from server.app.evening.http_bots import Found, find_bots
from tests.bots.http_servers import Caller, always, answer, host_playing
from tests.support.event_loop import in_event_loop

FOREIGN = "is not in a network that is allowed here (127.0.0.0/8, ::1/128, 192.168.1.0/24)"
NO_HOST = "should be a host, or a host and a port such as 10.0.0.7:5000"


async def hanging_up(caller: Caller) -> None:
    """A server that accepts the connection and closes it."""


@in_event_loop
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
    assert found.why == f"nobody listens at http://{host.address.name}"
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
