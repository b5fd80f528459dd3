"""Listeners for bots: each accepts a single bot from one address, for a limited time."""

import asyncio
import socket

import pytest

from server.bots.transports.tcp_listener import NobodyCame, listen_for_bot
from tests.bots.fakes import FakeClock
from tests.bots.tcp_client import HOST, connect, settle
from tests.support.event_loop import in_event_loop


@in_event_loop
async def test_listener_accepts_exactly_one_connection() -> None:
    listener = await listen_for_bot(HOST, HOST, 30.0)
    first = await connect(listener.port)
    accepted = await listener.accept()
    with pytest.raises(ConnectionRefusedError):
        await connect(listener.port)
    assert await listener.accept() is accepted
    accepted.close()
    first.close()


@in_event_loop
async def test_stranger_is_turned_away_and_the_bot_is_still_accepted() -> None:
    listener = await listen_for_bot(HOST, HOST, 30.0)
    stranger = await connect(listener.port, "127.0.0.2")
    await settle()
    assert await asyncio.get_running_loop().sock_recv(stranger, 1) == b""
    bot = await connect(listener.port)
    accepted = await listener.accept()
    for opened in (accepted, stranger, bot):
        opened.close()


@pytest.mark.parametrize("address", ["::ffff:127.0.0.1", "127.0.0.1"])
@in_event_loop
async def test_ipv4_address_mapped_into_ipv6_is_the_same_address(address: str) -> None:
    listener = await listen_for_bot(HOST, address, 30.0)
    connection = await connect(listener.port)
    (await listener.accept()).close()
    connection.close()


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="there is no IPv6 here")
@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
@in_event_loop
async def test_listener_on_all_addresses_accepts_both_families(address: str) -> None:
    """Pages on "::" serve both families, and a bot connects with the one it registered with."""
    listener = await listen_for_bot("::", address, 30.0)
    with socket.create_connection((address, listener.port)):
        (await listener.accept()).close()


@in_event_loop
async def test_listener_closes_after_30_seconds() -> None:
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
