"""Doors: bound before they are given out, open for a while, for one bot, from one address."""

import asyncio

import pytest

from server.bots.transports.tcp_listener import NobodyCame, open_door
from tests.bots.fakes import FakeClock
from tests.bots.rig import HOST, connect, settle


def test_a_bot_may_connect_as_soon_as_it_knows_the_port() -> None:
    async def run() -> None:
        door = await open_door(HOST, HOST, 30.0)
        connection = await connect(door.port)
        wire = await door.entered()
        wire.close()
        connection.close()

    asyncio.run(run())


def test_a_door_lets_in_exactly_one() -> None:
    async def run() -> None:
        door = await open_door(HOST, HOST, 30.0)
        first = await connect(door.port)
        wire = await door.entered()
        with pytest.raises(ConnectionRefusedError):
            await connect(door.port)
        assert await door.entered() is wire
        wire.close()
        first.close()

    asyncio.run(run())


def test_a_stranger_is_turned_away_and_the_bot_still_let_in() -> None:
    async def run() -> None:
        door = await open_door(HOST, HOST, 30.0)
        stranger = await connect(door.port, "127.0.0.2")
        await settle()
        assert await asyncio.get_running_loop().sock_recv(stranger, 1) == b""
        bot = await connect(door.port)
        wire = await door.entered()
        for opened in (wire, stranger, bot):
            opened.close()

    asyncio.run(run())


@pytest.mark.parametrize("address", ["::ffff:127.0.0.1", "127.0.0.1"])
def test_an_address_is_the_same_however_it_is_written(address: str) -> None:
    async def run() -> None:
        door = await open_door(HOST, address, 30.0)
        connection = await connect(door.port)
        (await door.entered()).close()
        connection.close()

    asyncio.run(run())


def test_a_door_shuts_after_30_seconds() -> None:
    async def run() -> None:
        clock = FakeClock()
        door = await open_door(HOST, HOST, 30.0, clock=clock)
        entering = asyncio.create_task(door.entered())
        clock.advance(29.9)
        await settle()
        assert not entering.done()
        clock.advance(0.1)
        with pytest.raises(NobodyCame, match=f"port {door.port}"):
            await entering
        with pytest.raises(ConnectionRefusedError):
            await connect(door.port)

    asyncio.run(run())


def test_a_door_may_be_shut_before() -> None:
    async def run() -> None:
        door = await open_door(HOST, HOST, 30.0)
        door.close()
        with pytest.raises(NobodyCame):
            await door.entered()
        door.close()

    asyncio.run(run())


def test_many_doors_are_open_at_once() -> None:
    async def run() -> None:
        doors = [await open_door(HOST, HOST, 30.0) for _ in range(50)]
        assert len({door.port for door in doors}) == 50
        for door in doors:
            door.close()

    asyncio.run(run())
