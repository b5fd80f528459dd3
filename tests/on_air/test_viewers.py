"""The show's WebSocket on real connections: no gaps for viewers who keep up, no harm from those who do not."""

import asyncio
import json
import struct
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from broadcast.app import Studio
from broadcast.on_air.log import AirLog
from broadcast.on_air.viewer import STOP_BYTES
from broadcast.on_air.viewers import Fanout
from broadcast.web.connections.batch_send import MOST_AT_ONCE
from broadcast.web.connections.frames import TEXT, frame
from broadcast.web.serve import serving
from server.game.events import ChatSent


@asynccontextmanager
async def on_air(folder: Path) -> AsyncIterator[tuple[AirLog, str]]:
    studio = Studio(folder, time.monotonic)
    air = studio.open_channel("main", 1)
    async with serving(studio.app, "127.0.0.1", 0) as base:
        yield air, base.replace("http", "ws") + "/ws/show"


def put(air: AirLog, count: int, size: int = 10) -> None:
    for _ in range(count):
        air.put(ChatSent(1, "x" * size), 0, 0)


async def read(socket: ClientConnection) -> dict[str, Any]:
    message = await asyncio.wait_for(socket.recv(decode=True), 10)
    return dict(json.loads(message))


def run(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(story())


def test_the_first_message_says_where_live_begins(tmp_path: Path) -> None:
    async def story() -> None:
        async with on_air(tmp_path) as (air, address):
            put(air, 3)
            async with connect(address) as socket:
                welcome = await read(socket)
                assert (welcome["type"], welcome["seq"], welcome["epoch"]) == ("welcome", 3, air.epoch)
                assert [(await read(socket))["seq"] for _ in range(3)] == [1, 2, 3]
                put(air, 1)
                assert (await read(socket))["seq"] == 4

    run(story)


def test_a_viewer_that_reconnects_gets_every_entry_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with on_air(tmp_path) as (air, address):
            have = 0
            for visit in range(30):
                put(air, 7)
                async with connect(f"{address}?after={have}&epoch={air.epoch}", max_queue=None) as socket:
                    assert (await read(socket))["type"] == "welcome"
                    for _ in range(min(air.last - have, 1 + visit % 9)):
                        seq = (await read(socket))["seq"]
                        assert seq == have + 1
                        have = seq

    run(story)


def test_a_viewer_that_connects_during_a_broadcast_gets_every_entry_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with on_air(tmp_path) as (air, address), AsyncExitStack() as closing:
            ended = asyncio.Event()

            async def go_on() -> None:
                while not ended.is_set():
                    put(air, 3)
                    await asyncio.sleep(0)

            async def come(delay: int) -> ClientConnection:
                for _ in range(delay):
                    await asyncio.sleep(0)
                return await closing.enter_async_context(connect(address, max_queue=None))

            many = [await come(0) for _ in range(MOST_AT_ONCE + 1)]
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(go_on())
                late = await asyncio.gather(*(come(delay) for delay in range(10)))
                ended.set()
            for viewer in (many[0], many[-1], *late):
                assert (await read(viewer))["type"] == "welcome"
                last = 0
                while last < air.last:
                    message = await read(viewer)
                    assert message["type"] == "snapshot" or message["seq"] == last + 1
                    last = message["seq"]

    run(story)


@pytest.mark.parametrize(
    "query", ["?after=-1", "?after=1e9", "?after=abc", "?after=", "?epoch=%00", "?after=99999999999"]
)
def test_nonsense_in_the_address_gets_a_new_pages_welcome(query: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with on_air(tmp_path) as (air, address):
            put(air, 2)
            async with connect(address + query) as socket:
                assert [(await read(socket))["type"] for _ in range(2)] == ["welcome", "chat_sent"]

    run(story)


@pytest.mark.parametrize("frame", [b"\x81\x82\0\0\0\0\xff\xfe", b"\x81\x82\0\0\0\0hi", b"\x82\x82\0\0\0\0hi"])
def test_whatever_a_viewer_says_is_dropped_unread(
    frame: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with on_air(tmp_path) as (air, address), connect(address) as socket:
            assert (await read(socket))["type"] == "welcome"
            for seq in range(1, 4):
                socket.transport.write(frame)
                put(air, 1)
                assert (await read(socket))["seq"] == seq

    run(story)
    assert not caplog.records


def test_there_is_no_channel_but_those_on_air(tmp_path: Path) -> None:
    async def story() -> None:
        async with on_air(tmp_path) as (_, address):
            with pytest.raises((ConnectionClosed, Exception), match=r"403|404|4404"):
                async with connect(address + "?channel=nothing") as socket:
                    await socket.recv()

    run(story)


def test_a_page_of_another_site_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        async with on_air(tmp_path) as (_, address):
            with pytest.raises(Exception, match="403"):
                async with connect(address, additional_headers={"Origin": "http://elsewhere.example"}):
                    pass

    run(story)


def test_a_viewer_that_stalls_costs_the_others_nothing_and_comes_back_whole(tmp_path: Path) -> None:
    async def story() -> None:
        async with (
            on_air(tmp_path) as (air, address),
            connect(address, max_queue=1) as stalled,
            connect(address) as lively,
        ):
            assert (await read(stalled))["type"] == (await read(lively))["type"] == "welcome"
            for seq in range(1, 1001):
                put(air, 1, size=20_000)
                assert (await read(lively))["seq"] == seq
            kinds, last = [], 0
            while last < air.last:
                message = await read(stalled)
                kinds.append(message["type"])
                assert message["type"] == "snapshot" or message["seq"] == last + 1, "a gap without a picture"
                last = message["seq"]
            assert "snapshot" in kinds

    run(story)


class SlowPage(asyncio.Transport):
    """A page's connection on which a write takes a millisecond of the clock `now`, and nothing else does."""

    def __init__(self, now: list[float]) -> None:
        super().__init__()
        self.now = now
        self.writes: list[int] = []
        """How many chat lines each write had."""

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.now[0] += 0.001
        self.writes.append(bytes(data).count(b'"chat_sent"'))


class Rests:
    """What the fan-out rests with: each rest ends when `over` is called."""

    def __init__(self) -> None:
        self.begun = asyncio.Queue[float]()
        self._over = asyncio.Event()

    async def rest(self, seconds: float) -> None:
        self.begun.put_nowait(seconds)
        await self._over.wait()
        self._over.clear()

    def over(self) -> None:
        self._over.set()


def test_what_comes_during_the_rest_after_a_long_round_goes_out_together() -> None:
    async def story() -> None:
        now, rests, gone = [0.0], Rests(), asyncio.Event()

        async def until_gone() -> Message:
            await gone.wait()
            return {"type": "websocket.disconnect", "code": 1000}

        air = AirLog("main", 1)
        fanout = Fanout(air, lambda: now[0], None, rests.rest)
        pages = [SlowPage(now) for _ in range(40)]
        served = [asyncio.create_task(fanout.serve(page, until_gone, 0, "")) for page in pages]
        await asyncio.sleep(0)
        put(air, 1)
        assert await rests.begun.get() == pytest.approx(0.02), "half of a round of forty milliseconds"
        for _ in range(3):
            put(air, 1)
            await asyncio.sleep(0)
        rests.over()
        await rests.begun.get()
        assert {tuple(page.writes) for page in pages} == {(0, 1, 3)}, "the welcome, the first line, the other three"
        rests.over()
        gone.set()
        await asyncio.gather(*served)

    run(story)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536, STOP_BYTES * 2])
def test_frames_are_what_rfc_6455_says(size: int) -> None:
    sent = frame(TEXT, b"x" * size)
    assert sent[0] == 0x81
    length, at = sent[1], 2
    if length == 126:
        (length,), at = struct.unpack_from("!H", sent, 2), 4
    elif length == 127:
        (length,), at = struct.unpack_from("!Q", sent, 2), 10
    assert (length, len(sent) - at) == (size, size)
