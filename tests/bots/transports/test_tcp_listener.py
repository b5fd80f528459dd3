"""A listener for a bot accepts one connection, from the bot's address only, within a limited time."""

import asyncio
import socket

import pytest

from server.bots.transports.tcp_listener import NobodyCame, listen_for_bot
from tests.bots.fakes import FakeClock
from tests.bots.tcp_client import HOST, connect, settle


async def test_listener_turns_strangers_away_and_accepts_exactly_one_connection_of_the_bot() -> None:
    listener = await listen_for_bot(HOST, HOST, 30.0)
    stranger = await connect(listener.port, "127.0.0.2")
    await settle()
    assert await asyncio.get_running_loop().sock_recv(stranger, 1) == b""
    bot = await connect(listener.port)
    accepted = await listener.accept()
    with pytest.raises(ConnectionRefusedError):
        await connect(listener.port)
    assert await listener.accept() is accepted
    for each in (accepted, stranger, bot):
        each.close()


async def test_listener_closes_when_its_time_is_up() -> None:
    clock = FakeClock()
    listener = await listen_for_bot(HOST, HOST, 30.0, clock=clock)
    entering = asyncio.create_task(listener.accept())
    clock.advance(29.9)
    await settle()
    assert not entering.done()
    clock.advance(0.1)
    with pytest.raises(NobodyCame, match=f"port {listener.port}"):
        await entering
    with pytest.raises(ConnectionRefusedError):
        await connect(listener.port)


NEEDS_IPV6 = pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="there is no IPv6 here")


@pytest.mark.parametrize(
    ("host", "registered", "called"),
    [
        (HOST, "::ffff:127.0.0.1", HOST),
        pytest.param("::", "127.0.0.1", "127.0.0.1", marks=NEEDS_IPV6),
        pytest.param("::", "::1", "::1", marks=NEEDS_IPV6),
    ],
)
async def test_bot_is_accepted_from_its_ipv4_or_ipv6_address(host: str, registered: str, called: str) -> None:
    """A server on "::" accepts IPv4 and IPv6; a bot must connect over the version with which it registered."""
    listener = await listen_for_bot(host, registered, 30.0)
    with socket.create_connection((called, listener.port)):
        (await listener.accept()).close()
